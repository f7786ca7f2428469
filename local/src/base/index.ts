export { azureTime } from "./azure-time.js";
export { isEqualText } from "./equal-text.js";
export { invalidRequest, LocalCloudError, ServiceError, withProblems } from "./errors.js";
export {
  type Input,
  type Inputs,
  optional,
  required,
  schemaOf,
} from "./input.js";
export { field, isObject, listAt, objectAt, textAt, withDefaults } from "./json-fields.js";
export { Lingering, type LingeringOptions } from "./lingering.js";
export { nearName } from "./near-name.js";
export {
  anyFunction,
  anyObject,
  checkOptions,
  expected,
  fields,
  flag,
  integer,
  list,
  matching,
  number,
  numberWhere,
  oneOf,
  optionalFields,
  port,
  problemsOf,
  record,
  text,
  textWhere,
  uuid,
} from "./options.js";
export {
  checkScope,
  groupOf,
  isNamed,
  isScope,
  isWithin,
  normalizeScope,
  parentOf,
  ResourceStore,
  sameScope,
  scopeAndAbove,
  scopeKey,
  subscriptionOf,
} from "./resource-id.js";
export { version } from "./version.js";
