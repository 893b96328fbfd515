import { createInterface } from "node:readline/promises";

/** Asks on stderr and reads the answer from stdin, so that stdout has only the report. @throws Error unless it is "yes" */
export async function confirm(question: string): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
    const answer = await Promise.race([terminal.question(`${question}\nType yes to go on: `), ended]);
    if (answer.trim() !== "yes") throw new Error("Nothing was changed. Without a terminal, give --yes.");
  } finally {
    terminal.close();
  }
}
