/** Whether the fake is to show a fault, by its id. The tests of the conformance suite name the faults; published, it shows none. */
export type Faulty = (id: string) => boolean;
