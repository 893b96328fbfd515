export { accentColors, type AccentColors, defaultAccent } from "./accent.js";
export { colorIdAt, type ColoredEvent, markColors, shownColorId } from "./colors.js";
export { type Access, type Role, roles } from "./access.js";
export {
  allErrors,
  apiErrorSchema,
  contractErrorCodes,
  type ErrorCode,
  errors,
  type ErrorStatus,
  extensionErrorSchema,
  integerApiErrorSchema,
} from "./errors.js";
export { publishAtRule } from "./event-filters.js";
export {
  brokenRule,
  type BrokenRule,
  type FailureCode,
  failureCodes,
  type ParameterFailure,
  rule,
} from "./failures.js";
export {
  categoryLimits,
  customDataLimits,
  customDataParameter,
  maxLengths,
  startDateRule,
} from "./fields.js";
export { mostFileBytes, mostOfBatch, mostOfMessage, mostOfSeries, mostPictureBytes } from "./limits.js";
export {
  body,
  errorsOf,
  hasIntegerCode,
  isExtension,
  isOfConsole,
  isWrite,
  type Method,
  type Operation,
  shownFailures,
  type Tag,
} from "./operation.js";
export { mostPasskeys } from "./passkeys.js";
export { mostOfPeople } from "./people.js";
export { languages, personName } from "./sessions.js";
export {
  allOperationIds,
  allOperations,
  type AnyOperationId,
  type ContractId,
  contractIds,
  type OperationId,
  operationIds,
  operations,
  type Params,
  type Payload,
} from "./operations.js";
export { type DescribedParameter, describeParameters } from "./parameters.js";
export { mostStatisticsDays } from "./statistics.js";
export { syncErrorCodes } from "./syncs.js";
export { webhookTypes } from "./webhook-messages.js";
