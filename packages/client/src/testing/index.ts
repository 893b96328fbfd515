export { createFakeServer, type FakeRequest, type FakeServer, type FakeServerOptions } from "./fake.js";
export type { FakeCalendar, FakeEvent } from "./fake-data.js";
export type { FakeFailure, FakeFault } from "./fake-faults.js";
export type { NewSubscriber } from "./fake-subscribers.js";
export type { OperationName } from "./operations.js";
