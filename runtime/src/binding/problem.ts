import { ConfigurationError, type Problem } from "../validation/index.js";

export type { Problem as BindingProblem };
export type BindingRule = string;

/** Thrown when a binding cannot be used as it stands; it carries every problem that was found. */
export class BindingConfigurationError extends ConfigurationError {
  readonly code = "ERR_BINDING_CONFIGURATION";

  /** @param subject what was checked, as the start of the message */
  constructor(problems: readonly Problem[], subject = "The binding") {
    super(`${subject} is invalid`, problems);
  }
}
