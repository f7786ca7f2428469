import { AZURE_LIMITS } from "../../binding/index.js";
import {
  asCloudEvent,
  isEventGridEvent,
  parseStructured,
  type Received,
  readBinary,
  readEvent,
} from "../../events/envelope/index.js";
import { logProblems } from "../../handling/index.js";
import type { ListenerMetrics } from "../metrics.js";
import type { Capacity } from "./capacity.js";
import type { Delivery, DeliverySchema } from "./delivery.js";
import { Refusal } from "./responses.js";

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

const MAX_EVENTS = AZURE_LIMITS.eventsPerBatch.max;

/**
 * Reads the events of a delivery. Logs in one line which of them are not CloudEvents, and in another
 * which of them have flaws, and counts the latter.
 *
 * @throws InvalidBodyError when the body as a whole cannot be read
 * @throws {Refusal} 413 when there are more than Event Grid sends
 */
export function readEvents(
  delivery: Delivery,
  body: Buffer,
  schema: DeliverySchema,
  metrics: ListenerMetrics,
): readonly Received[] {
  const { headers, rawHeaders } = delivery.exchange;
  if (delivery.mode !== "structured") {
    return logProblems([readBinary(headers, rawHeaders, body)], delivery.log, metrics);
  }
  const elements = parseStructured(body);
  // Before they are examined, because a body may have hundreds of thousands.
  if (elements.length > MAX_EVENTS) {
    throw new Refusal(413, `the delivery has ${elements.length} events, more than ${MAX_EVENTS}`);
  }
  const events = elements.map((element) => {
    const isMapped = schema === "eventgrid" && isEventGridEvent(element);
    return readEvent(isMapped ? asCloudEvent(element) : element);
  });
  return logProblems(events, delivery.log, metrics);
}
