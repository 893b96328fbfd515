export { type ErrorCode, errors, type ErrorStatus, type ParameterFailure } from "./errors.js";
export { apiErrorSchema, integerApiErrorSchema } from "./errors.js";
export { maxLengths, startDateRule } from "./fields.js";
export {
  body,
  errorsOf,
  hasIntegerCode,
  isWrite,
  type Method,
  type Operation,
  type Tag,
} from "./operation.js";
export { type OperationId, operationIds, operations, type Params, type Payload } from "./operations.js";
