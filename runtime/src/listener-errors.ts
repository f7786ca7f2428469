import { CloudEventGridError } from "./errors.js";
import { ConfigurationError, type Problem } from "./validation/index.js";

/** Thrown for an invalid configuration of a listener. It carries every problem. */
export class ListenerConfigurationError extends ConfigurationError {
  readonly code = "ERR_LISTENER_CONFIGURATION";

  constructor(problems: readonly Problem[]) {
    super("The listener cannot start", problems);
  }
}

/** Thrown when a listener cannot bind its address. */
export class ListenerStartError extends CloudEventGridError {
  readonly code = "ERR_LISTENER_START";
}
