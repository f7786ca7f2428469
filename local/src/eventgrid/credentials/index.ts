export {
  type AccessKeyName,
  type AccessKeys,
  accessKeyName,
  newAccessKeys,
  withNewKey,
} from "./access-keys.js";
export { readSasToken } from "./sas-token.js";

/** Audience of the tokens with which clients call Event Grid's data plane, in any of Azure's clouds. */
export const EVENT_GRID_AUDIENCE = /^https:\/\/eventgrid\.azure\.(net|us|cn)\/?$/;
