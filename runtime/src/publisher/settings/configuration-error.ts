import { ConfigurationError, type Problem } from "../../validation/index.js";

/** The binding or the options of a publisher are invalid. */
export class PublisherConfigurationError extends ConfigurationError {
  readonly code = "ERR_PUBLISHER_CONFIGURATION";

  constructor(problems: readonly Problem[]) {
    super("The publisher cannot be created", problems);
  }
}
