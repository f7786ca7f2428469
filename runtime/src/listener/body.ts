import type { IncomingMessage } from "node:http";
import { Refusal } from "./answers.js";
import type { Capacity } from "./capacity.js";
import type { Delivery } from "./delivery.js";
import { announcedLength } from "./headers.js";

/**
 * Reads a body of at most `maxBytes`. One that did not announce its length takes capacity as it
 * comes.
 *
 * `done` is not called when the delivery was answered before the body was complete, nor when the
 * caller goes away.
 *
 * @param payload the request, or what a hook of the app has put in its place
 */
export function readBody(
  payload: IncomingMessage,
  delivery: Delivery,
  capacity: Capacity,
  maxBytes: number,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const request = delivery.request.raw;
  const announced = announcedLength(request);
  const chunks: Buffer[] = [];
  let length = 0;
  let hasFailed = false;

  const fail = (error: Error) => {
    if (hasFailed || delivery.isAnswered) return;
    hasFailed = true;
    done(error);
  };
  payload.on("data", (given: unknown) => {
    if (hasFailed || delivery.isAnswered) return;
    const chunk = asBytes(given);
    if (chunk === undefined) {
      fail(new TypeError("a hook of the app has put something else in the place of the body"));
      return;
    }
    length += chunk.length;
    if (length > maxBytes) {
      fail(new Refusal(413, `the body is larger than ${maxBytes} bytes`));
      return;
    }
    if (announced === undefined) {
      if (!capacity.tryGrow(chunk.length)) {
        fail(new Refusal(503, "there is no capacity for the body"));
        return;
      }
      delivery.heldBytes += chunk.length;
    }
    chunks.push(chunk);
  });
  payload.on("end", () => {
    if (hasFailed || delivery.isAnswered) return;
    done(null, only(chunks) ?? Buffer.concat(chunks, length));
  });
  // A request itself tells of its end by the end of its connection, which the delivery watches.
  if (payload !== request) payload.on("error", fail);
}

/** What a stream of bytes gives; a hook of the app may as well have put one of texts in its place. */
function asBytes(chunk: unknown): Buffer | undefined {
  if (Buffer.isBuffer(chunk)) return chunk;
  return typeof chunk === "string" || chunk instanceof Uint8Array ? Buffer.from(chunk) : undefined;
}

function only(chunks: readonly Buffer[]): Buffer | undefined {
  return chunks.length === 1 ? chunks[0] : undefined;
}
