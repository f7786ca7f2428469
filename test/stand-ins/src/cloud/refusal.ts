import { STATUS_CODES } from "node:http";
import { type Answer, stringAt } from "./json-client.js";

/** A service's error response, worded as the real providers word it. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    /** The service's own code, such as `AuthorizationFailed`. */
    readonly code: string,
    detail: string,
  ) {
    super(`unexpected status ${status} (${status} ${STATUS_CODES[status]}) with error: ${detail}`);
  }

  static of({ status, body }: Answer): Refusal {
    const code = stringAt(body, "error", "code");
    const message = stringAt(body, "error", "message");
    return new Refusal(status, code, code === "" ? JSON.stringify(body) : `${code}: ${message}`);
  }
}

/** Runs `work`, and prefixes the message of an error with `what` was being done. */
export async function doing<Result>(
  what: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${what}: ${reason}`, { cause: error });
  }
}
