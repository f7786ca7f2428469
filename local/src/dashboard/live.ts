import type { ActivityLog } from "../eventgrid/index.js";
import type { Exchange } from "../http/index.js";
import { type ActivityRow, rowOf } from "./rows.js";
import type { RunningCloud } from "./running-cloud.js";

/** A message of the event stream. */
export interface LiveMessage {
  /** New rows, the oldest first. */
  readonly rows: readonly ActivityRow[];
  /** Rows that were left out because they came faster than a page can show. */
  readonly skipped: number;
  /** Events that are not yet delivered, dead-lettered or dropped. */
  readonly pending: number;
  /** Milliseconds since 1970, on the cloud's clock. */
  readonly now: number;
  /** The speed of the cloud's clock: 1 is the wall clock's, 60 sixty times as fast, 0 a stepped clock. */
  readonly clockSpeed: number;
}

/** A page cannot show more at once; the complete list has its own request. */
const ROWS_PER_MESSAGE = 1_000;
const ROWS_AT_FIRST = 10_000;
const MESSAGE_INTERVAL_MS = 100;
/** Proxies close connections without data for a minute. */
const HEARTBEAT_MS = 15_000;
/** The interval at which a stepped clock is read. */
const CLOCK_INTERVAL_MS = 250;

/**
 * Server-sent events: first the latest rows of the history, then new ones as they come.
 *
 * @param after the number of a row: only later ones are sent
 */
export function streamActivity(
  { response }: Exchange,
  { eventGrid, clock, clockSpeed }: Pick<RunningCloud, "eventGrid" | "clock" | "clockSpeed">,
  after: number,
): void {
  const { activity } = eventGrid;
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  let sent = after;
  let sentTime = 0;
  let timer: NodeJS.Timeout | undefined;

  const send = (most = ROWS_PER_MESSAGE) => {
    timer = undefined;
    const { rows, skipped: left } = rowsAfter(activity, sent, most);
    const skipped = most === ROWS_AT_FIRST ? 0 : left;
    sent = rows.at(-1)?.number ?? sent;
    sentTime = clock.now();
    const { pending } = eventGrid;
    const message: LiveMessage = { rows, skipped, pending, now: sentTime, clockSpeed };
    response.write(`data: ${JSON.stringify(message)}\n\n`);
  };
  send(ROWS_AT_FIRST);
  const stop = activity.listen(() => {
    // A slow reader gets fewer, larger messages instead of a growing buffer.
    timer ??= setTimeout(send, response.writableNeedDrain ? 1_000 : MESSAGE_INTERVAL_MS);
  });
  const heartbeat = setInterval(send, HEARTBEAT_MS).unref();
  const clockCheck = setInterval(() => {
    if (clockSpeed === 0 && clock.now() !== sentTime) send();
  }, CLOCK_INTERVAL_MS).unref();
  response.on("close", () => {
    stop();
    clearInterval(clockCheck);
    clearTimeout(timer);
    clearInterval(heartbeat);
  });
}

/** The latest rows with a number above `after`. */
export function rowsAfter(
  activity: ActivityLog,
  after: number,
  most: number,
): { rows: ActivityRow[]; skipped: number } {
  const fresh = activity.after(after);
  const shown = fresh.slice(-most);
  return { rows: shown.map((each) => rowOf(each, activity)), skipped: fresh.length - shown.length };
}
