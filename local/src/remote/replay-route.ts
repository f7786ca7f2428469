import { fields, LocalCloudError, list, ServiceError, text } from "../base/index.js";
import { MAX_HISTORY_BYTES } from "../eventgrid/index.js";
import { type Exchange, type Route, readJsonObject } from "../http/index.js";
import {
  type RecordingFile,
  type ReplayedEvent,
  type ReplayOptions,
  type ReplayResult,
  replayOptionFields,
} from "../replay/index.js";
import type { Access } from "./access.js";
import { shownAttempt } from "./commands.js";
import { jsonList, jsonWith } from "./json-text.js";
import { read } from "./read.js";

/** A cloud that can replay recordings. */
export interface ReplayingCloud {
  replayFiles(
    files: readonly RecordingFile[],
    options: ReplayOptions,
    onProgress: (replayed: number) => void,
  ): Promise<ReplayResult>;
}

const request = fields({ files: list(fields({ name: text, text })), ...replayOptionFields });

/** Method and path below `/local/`. */
export const REPLAY = "POST replay";

/** Also keeps proxies from closing the connection. */
const PROGRESS_INTERVAL_MS = 500;

/**
 * `POST /local/replay`: replays the files in the body. The response is a stream of server-sent events:
 * the progress, and in the end the result or the error. When the client closes the connection, the
 * replay ends.
 */
export function replayRoute(cloud: ReplayingCloud, access: Access): Route {
  return async (exchange) => {
    const { method, url } = exchange;
    if (`${method} ${url.pathname}` !== REPLAY.replace(" ", " /local/")) return false;
    access.checkOrigin(exchange);
    if (!access.loopbackOnly) access.checkToken(exchange);
    const body = await readJsonObject(exchange.request, MAX_HISTORY_BYTES);
    const { files, ...options } = refusing(() => read(request, body));
    await stream(exchange, (signal, onProgress) =>
      cloud.replayFiles(files, { ...options, signal }, onProgress),
    );
    return true;
  };
}

function refusing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof ServiceError || !(error instanceof LocalCloudError)) return error;
  return new ServiceError(400, error.code, error.message, { cause: error });
}

async function stream(
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
    response.end();
  } catch (error) {
    if (abort.signal.aborted) return;
    if (!response.headersSent) throw refusalOf(error);
    if (!(error instanceof LocalCloudError)) throw error;
    send(JSON.stringify({ error: { code: error.code, message: error.message } }));
    response.end();
  } finally {
    clearInterval(timer);
  }
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
