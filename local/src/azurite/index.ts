export {
  type AzuriteOptions,
  azuriteOptions,
  azuriteSettings,
  clientConnectionString,
} from "./azurite-options.js";
export { BlobEndpoint } from "./blob-endpoint.js";
export type { BlobEvent } from "./blob-events.js";
