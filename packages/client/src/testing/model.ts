// What the tests of the conformance suite need beside the fake. Not exported by the published package.
export { createFake, type FakeServer } from "./fake.js";
export { errorMeta, type ErrorType, statusOf } from "./errors.js";
export type { Answered, Service } from "./exchange.js";
export type { Received } from "./received.js";
export { answer } from "./service.js";
export { maxBodyBytes } from "./request.js";
