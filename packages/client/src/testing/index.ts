export { type Fault, type FaultId, fault, faultIds } from "./faults.js";
export { type Model, type ModelOptions, startModel } from "./server.js";
