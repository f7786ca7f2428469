import { CloudEventGridError } from "../errors.js";

/** What was received is no CloudEvent, and never becomes one by being sent again. */
export class InvalidEnvelopeError extends CloudEventGridError {
  readonly code = "ERR_INVALID_CLOUDEVENT";
  /** Every problem found, one sentence each. Payloads are never quoted. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(`not a CloudEvent: ${problems.join("; ")}`, options);
    this.problems = problems;
  }
}

/** A value as an error message may show it: JSON, cut short. */
export function quoted(value: unknown): string {
  let json: string;
  try {
    json = JSON.stringify(value) ?? String(value);
  } catch {
    json = `no JSON but a ${typeof value}`;
  }
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}
