export { PublisherConfigurationError } from "./configuration-error.js";
export type { PublisherLimits, PublisherOptions, RetrySettings } from "./options.js";
export { type PublisherSettings, publisherSettings } from "./publisher-settings.js";
