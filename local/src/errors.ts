/** Root of every error that this package throws. */
export class LocalCloudError extends Error {
  override readonly name: string = "LocalCloudError";

  constructor(
    /** Stable, for programs: upper snake, starting with `ERR_`. */
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * A service of the cloud refuses a request. The same error reaches code that called the service's
 * store directly and, as an HTTP answer, a client on the wire.
 */
export class ServiceError extends LocalCloudError {
  override readonly name = "ServiceError";

  constructor(
    /** HTTP status of the answer. */
    readonly status: number,
    /** The service's own code for it, for example `AuthorizationFailed`. */
    readonly serviceCode: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super("ERR_SERVICE_REFUSED", message, options);
  }
}

/** What most services say to a request for what they do not do. */
export function invalidRequest(message: string): ServiceError {
  return new ServiceError(400, "InvalidRequest", message);
}

/** A message that lists everything that is wrong, a line each. */
export function withProblems(complaint: string, problems: readonly string[]): string {
  return [`${complaint}:`, ...problems.map((each) => `  - ${each}`)].join("\n");
}
