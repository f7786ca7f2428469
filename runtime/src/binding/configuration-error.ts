import { ConfigurationError, type Problem } from "../validation/index.js";

/** Thrown when a binding is invalid; its `problems` list everything that is wrong. */
export class BindingConfigurationError extends ConfigurationError {
  readonly code = "ERR_BINDING_CONFIGURATION";

  /** @param headline the start of the message, which summarizes the problems */
  constructor(problems: readonly Problem[], headline = "The binding is invalid") {
    super(headline, problems);
  }
}
