import type { Exchange } from "../exchange.js";
import type { Capacity } from "../in-flight.js";
import { Refusal } from "../responses.js";
import type { Delivery } from "./delivery.js";

/**
 * The bytes that a request announces for its body, 0 if it announces none.
 *
 * @throws {Refusal} 413 when they are more than `maxBytes`
 */
export function announcedBytes({ announcedLength = 0 }: Exchange, maxBytes: number): number {
  if (announcedLength > maxBytes) {
    throw new Refusal(413, `a body of ${announcedLength} bytes is too large`);
  }
  return announcedLength;
}

/**
 * Reads a body of at most `maxBytes`. Bytes beyond those that it announced take capacity as they
 * arrive.
 *
 * Rejects with a {@link Refusal} (413, 503) when the body is too large or there is no capacity for
 * it, with the server's own error, and when the delivery ends before its body is complete.
 */
export function readBody(
  delivery: Delivery,
  capacity: Capacity,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    let hasFailed = false;
    const fail = (error: Error) => {
      hasFailed = true;
      reject(error);
    };
    delivery.rejectBody = reject;
    delivery.exchange.readBody({
      chunk(data) {
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
        if (length > delivery.heldBytes) {
          if (!capacity.tryGrow(length - delivery.heldBytes)) {
            fail(new Refusal(503, "over capacity while the body was read"));
            return;
          }
          delivery.heldBytes = length;
        }
        chunks.push(chunk);
      },
      end() {
        delivery.rejectBody = undefined;
        const [first] = chunks;
        resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, length));
      },
      fail,
    });
  });
}

/** A chunk of the body. A hook of the app may have put a stream of strings in its place. */
function asBytes(chunk: unknown): Buffer | undefined {
  if (Buffer.isBuffer(chunk)) return chunk;
  if (chunk instanceof Uint8Array) {
    return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  return typeof chunk === "string" ? Buffer.from(chunk) : undefined;
}
