import { ConfigurationError, type Problem } from "../validation/index.js";

/** Thrown when a binding cannot be used; its `problems` are everything that is wrong with it. */
export class BindingConfigurationError extends ConfigurationError {
  readonly code = "ERR_BINDING_CONFIGURATION";

  /** @param headline what is wrong as a whole, as the start of the message */
  constructor(problems: readonly Problem[], headline = "The binding is invalid") {
    super(headline, problems);
  }
}
