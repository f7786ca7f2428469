/** Why Entra refuses a token request, in its own numbers. */
export class TokenError extends Error {
  constructor(
    readonly status: 400 | 401,
    /** The OAuth error code. */
    readonly error: string,
    /** The number behind `AADSTS`. */
    readonly number: number,
    message: string,
  ) {
    super(message);
  }

  toJSON(now: Date, traceId: string) {
    const timestamp = now.toISOString().replace("T", " ").replace(/\.\d+/, "");
    return {
      error: this.error,
      error_description: `AADSTS${this.number}: ${this.message} Trace ID: ${traceId} Correlation ID: ${traceId} Timestamp: ${timestamp}`,
      error_codes: [this.number],
      timestamp,
      trace_id: traceId,
      correlation_id: traceId,
    };
  }
}
