export {
  allErrors,
  contractErrorCodes,
  type ErrorCode,
  errors,
  type ErrorStatus,
  type ParameterFailure,
} from "./errors.js";
export { apiErrorSchema, extensionErrorSchema, integerApiErrorSchema } from "./errors.js";
export { maxLengths, startDateRule } from "./fields.js";
export { categoryLimits, customDataLimits, customDataParameter } from "./extensions/fields.js";
export { webhookTypes } from "./extensions/webhook-messages.js";
export { extensionOperations } from "./extensions/operations.js";
export {
  body,
  errorsOf,
  hasIntegerCode,
  isExtension,
  isWrite,
  type Method,
  type Operation,
  type Tag,
} from "./operation.js";
export { type OperationId, operationIds, operations } from "./operations.js";
export { type DescribedParameter, describeParameters } from "./parameters.js";
export {
  allOperationIds,
  allOperations,
  type AnyOperationId,
  type Params,
  type Payload,
} from "./all-operations.js";
