import { EventEmitter } from "node:events";
import type { Capacity } from "./capacity.js";
import type { Delivery } from "./delivery.js";
import { announcedLength } from "./request.js";
import { Refusal } from "./responses.js";

/**
 * Reads a body of at most `maxBytes`. One that does not announce its length takes capacity as it
 * arrives.
 *
 * Rejects with a {@link Refusal} (413, 503) when the body is too large or there is no capacity for
 * it, with the stream's own error, and when the delivery ends before its body is complete.
 *
 * @param payload the request, or the stream that a hook of the app has put in its place
 */
export function readBody(
  payload: unknown,
  delivery: Delivery,
  capacity: Capacity,
  maxBytes: number,
): Promise<Buffer> {
  const request = delivery.request.raw;
  const isAnnounced = announcedLength(request) !== undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    let hasFailed = false;
    const fail = (error: Error) => {
      hasFailed = true;
      reject(error);
    };
    const stream = payload ?? request;
    if (!(stream instanceof EventEmitter)) {
      fail(new TypeError("a hook of the app has replaced the request body"));
      return;
    }
    delivery.rejectBody = reject;
    stream.on("data", (data: unknown) => {
      if (hasFailed || delivery.response !== "open") return;
      const chunk = asBytes(data);
      if (chunk === undefined) {
        fail(new TypeError("a hook of the app has replaced the request body"));
        return;
      }
      length += chunk.length;
      if (length > maxBytes) {
        fail(new Refusal(413, `the body is larger than ${maxBytes} bytes`));
        return;
      }
      if (!isAnnounced) {
        if (!capacity.tryGrow(chunk.length)) {
          fail(new Refusal(503, "over capacity while the body was read"));
          return;
        }
        delivery.heldBytes += chunk.length;
      }
      chunks.push(chunk);
    });
    stream.on("end", () => {
      delivery.rejectBody = undefined;
      const [first] = chunks;
      resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, length));
    });
    // The request itself reports a failure by `close`, which the delivery watches.
    if (stream !== request) stream.on("error", fail);
  });
}

/** A chunk of the body. A hook of the app may have put a stream of strings in its place. */
function asBytes(chunk: unknown): Buffer | undefined {
  if (Buffer.isBuffer(chunk)) return chunk;
  return typeof chunk === "string" || chunk instanceof Uint8Array ? Buffer.from(chunk) : undefined;
}
