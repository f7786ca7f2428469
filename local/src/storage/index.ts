export { connectionString } from "./connection-string.js";
export { StorageAccount } from "./storage-account.js";
