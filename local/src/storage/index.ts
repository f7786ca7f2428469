export {
  connectionString,
  DEVELOPMENT_STORAGE,
  type StorageConnection,
  storageConnectionIn,
} from "./connection-string.js";
export { sharedKeyAuthorization } from "./shared-key.js";
export { StorageAccount } from "./storage-account.js";
