import type { TimerClock } from "../../clock/index.js";
import type { EndpointAnswer, EndpointClient } from "./endpoint-client.js";
import type { AttemptResult } from "./verdict.js";

/** An answer that takes longer counts for none. */
const TIMEOUT_MS = 30_000;
/** A scaled clock leaves an endpoint at least this long, since its work takes real time. */
const LEAST_TIMEOUT_MS = 5_000;

/** Posts a delivery and waits for the answer, 30 seconds at most or until `abort` is used. */
export async function attempt(
  client: EndpointClient,
  clock: TimerClock,
  url: string,
  delivery: { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer },
  abort: AbortController,
): Promise<AttemptResult> {
  const cancel = clock.schedule(TIMEOUT_MS, () => abort.abort(), LEAST_TIMEOUT_MS);
  try {
    const request = { ...delivery, method: "POST", url, signal: abort.signal } as const;
    const answer: EndpointAnswer = await client.send(request);
    return { status: answer.status };
  } catch (error) {
    return abort.signal.aborted
      ? { failure: "TimedOut", message: "no answer within 30 s" }
      : { failure: "SocketError", message: error instanceof Error ? error.message : String(error) };
  } finally {
    cancel();
  }
}
