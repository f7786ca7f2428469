import { LocalCloudError } from "../base/index.js";
import { shownAttempt } from "../dashboard/index.js";
import type { Exchange } from "../http/index.js";
import type { ReplayedEvent, ReplayResult } from "../replay/index.js";
import { jsonList, jsonWith } from "./output.js";

/** Also keeps proxies from closing the connection. */
const PROGRESS_INTERVAL_MS = 500;

/**
 * Answers with a stream of server-sent events: the progress, and in the end the result or the error.
 * When the client closes the connection, the replay ends.
 */
export async function streamReplay(
  { response }: Exchange,
  run: (signal: AbortSignal, onProgress: (replayed: number) => void) => Promise<ReplayResult>,
): Promise<void> {
  const abort = new AbortController();
  response.on("close", () => abort.abort());
  let replayed = 0;
  const send = (json: string) => {
    if (!response.headersSent) {
      response.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
      });
    }
    response.write(`data: ${json}\n\n`);
  };
  const timer = setInterval(() => send(JSON.stringify({ replayed })), PROGRESS_INTERVAL_MS);
  try {
    const result = await run(abort.signal, (count) => {
      replayed = count;
    });
    send(shownResult(result));
  } catch (error) {
    if (abort.signal.aborted) return;
    // What is refused at once has the status of an error.
    if (!response.headersSent || !(error instanceof LocalCloudError)) throw error;
    send(JSON.stringify({ error: { code: error.code, message: error.message } }));
  } finally {
    clearInterval(timer);
  }
  response.end();
}

function shownResult({ events, skipped }: ReplayResult): string {
  return `{"result":${jsonWith({ skipped }, "events", jsonList(events.map(shownEvent)))}}`;
}

function shownEvent({ event, deliveries, ...place }: ReplayedEvent): string {
  const shown = deliveries.map(({ attempts, ...delivery }) => ({
    ...delivery,
    attempts: attempts.map(shownAttempt),
  }));
  return jsonWith({ ...place, deliveries: shown }, "event", event.json);
}

/** The last message of the stream. */
export interface ShownReplayResult {
  readonly skipped: ReplayResult["skipped"];
  readonly events: readonly (Omit<ReplayedEvent, "event" | "deliveries"> & {
    readonly event: Readonly<Record<string, unknown>>;
    readonly deliveries: readonly (Omit<ReplayedEvent["deliveries"][number], "attempts"> & {
      readonly attempts: readonly object[];
    })[];
  })[];
}

/** A message of the stream. */
export type ReplayMessage =
  | { readonly replayed: number }
  | { readonly result: ShownReplayResult }
  | { readonly error: { readonly code: string; readonly message: string } };
