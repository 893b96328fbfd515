import { afterAll } from "vitest";
import { conformance } from "@kalends/conformance/vitest";
import { startJudgedServer } from "./our-server.js";

let judged: Awaited<ReturnType<typeof startJudgedServer>> | undefined;
afterAll(() => judged?.stop());

conformance(async () => {
  judged = await startJudgedServer();
  return { ...judged.options, strict: true };
}, "our server, one test per check");
