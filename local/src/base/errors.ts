/** The codes of this package's errors, which stay the same from version to version. */
export type LocalCloudErrorCode =
  | "ERR_ALREADY_RUNNING"
  | "ERR_AZURITE"
  | "ERR_CLOCK_NOT_STEPPED"
  | "ERR_COMMAND_LINE"
  | "ERR_CONFIGURATION"
  | "ERR_DIRECTORY"
  | "ERR_DURATION"
  | "ERR_EVENT"
  | "ERR_FAULT"
  | "ERR_HOST"
  | "ERR_INGRESS"
  | "ERR_NOT_DRAINED"
  | "ERR_NOT_RUNNING"
  | "ERR_NO_AZURITE"
  | "ERR_NO_CONTROL_PLANE"
  | "ERR_NO_QUEUE"
  | "ERR_OPTIONS"
  | "ERR_PERSISTED_STATE"
  | "ERR_PERSISTED_STATE_IN_USE"
  | "ERR_PORT"
  | "ERR_PORT_IN_USE"
  | "ERR_REFUSED"
  | "ERR_REPLAY"
  | "ERR_SERVICE_REFUSED"
  | "ERR_STOPPED"
  | "ERR_SYSTEM_EVENT"
  | "ERR_UNKNOWN_APPLICATION"
  | "ERR_UNKNOWN_APP_ROLE"
  | "ERR_UNKNOWN_IDENTITY"
  | "ERR_UNKNOWN_ROLE"
  | "ERR_UNKNOWN_TENANT";

/** Base class of every error that this package throws. */
export class LocalCloudError extends Error {
  override readonly name: string = "LocalCloudError";

  constructor(
    readonly code: LocalCloudErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The HTTP statuses with which services of the cloud refuse requests. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 500 | 502 | 503;

/**
 * A service of the cloud refuses a request. Code that calls the service's store directly catches
 * this error; a client on the wire gets the same as an HTTP response.
 */
export class ServiceError extends LocalCloudError {
  override readonly name = "ServiceError";
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Fields of the response's error beside code and message. */
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(
    /** HTTP status of the response. */
    readonly status: RefusalStatus,
    /** The service's own error code, for example `AuthorizationFailed`. */
    readonly serviceCode: string,
    message: string,
    options: ErrorOptions & {
      readonly headers?: Readonly<Record<string, string>>;
      readonly fields?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super("ERR_SERVICE_REFUSED", message, options);
    this.headers = options.headers ?? {};
    this.fields = options.fields ?? {};
  }
}

/** The error that most services answer to a request that they do not support. */
export function invalidRequest(message: string): ServiceError {
  return new ServiceError(400, "InvalidRequest", message);
}

/** Bounds the message for an input with very many problems. */
const MAX_PROBLEMS = 100;

/** A message that lists every problem on a separate line. */
export function withProblems(summary: string, problems: readonly string[]): string {
  const more = problems.length - MAX_PROBLEMS;
  const shown = problems.slice(0, MAX_PROBLEMS).map((each) => `  - ${each}`);
  return [`${summary}:`, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n");
}
