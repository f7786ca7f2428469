import { CloudEventGridError } from "../errors.js";
import { ConfigurationError, type Problem } from "../validation/index.js";

/** Thrown for an invalid configuration of a receiver. It carries every problem. */
export class ReceiverConfigurationError extends ConfigurationError {
  readonly code = "ERR_RECEIVER_CONFIGURATION";

  constructor(problems: readonly Problem[]) {
    super("The receiver cannot be created", problems);
  }
}

/** Thrown when a receiver cannot start: its health port is in use, or it was closed before. */
export class ReceiverStartError extends CloudEventGridError {
  readonly code = "ERR_RECEIVER_START";
}
