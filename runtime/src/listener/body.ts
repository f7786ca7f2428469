import type { IncomingMessage } from "node:http";
import { Refusal } from "./answers.js";
import type { Capacity } from "./capacity.js";
import type { Delivery } from "./delivery.js";

/** Size of a body as its headers announce it; `undefined` when they do not. */
export function announcedLength({ headers }: IncomingMessage): number | undefined {
  const length = headers["content-length"];
  if (length !== undefined) return Number(length);
  return headers["transfer-encoding"] === undefined ? 0 : undefined;
}

/**
 * Reads a body of at most `maxBytes`. One that did not announce its length takes capacity as it
 * comes.
 *
 * `done` is not called when the delivery was answered before the body was complete.
 */
export function readBody(
  request: IncomingMessage,
  delivery: Delivery,
  capacity: Capacity,
  maxBytes: number,
  done: (error: Refusal | null, body?: Buffer) => void,
): void {
  const announced = announcedLength(request);
  const chunks: Buffer[] = [];
  let length = 0;

  let isEnded = false;

  const end = (refusal: Refusal | null) => {
    isEnded = true;
    if (delivery.isAnswered) return;
    if (refusal === null) done(null, only(chunks) ?? Buffer.concat(chunks, length));
    else done(refusal);
  };
  const onBroken = () => {
    if (!isEnded) end(new Refusal(400, "the connection ended before the body did"));
  };
  request.on("data", (chunk: Buffer) => {
    if (isEnded || delivery.isAnswered) return;
    length += chunk.length;
    if (length > maxBytes) {
      end(new Refusal(413, `the body is larger than ${maxBytes} bytes`));
      return;
    }
    if (announced === undefined) {
      if (!capacity.tryGrow(chunk.length)) {
        end(new Refusal(503, "there is no capacity for the body"));
        return;
      }
      delivery.heldBytes += chunk.length;
    }
    chunks.push(chunk);
  });
  request.on("end", () => {
    if (!isEnded) end(null);
  });
  request.on("error", onBroken);
  request.on("close", onBroken);
}

function only(chunks: readonly Buffer[]): Buffer | undefined {
  return chunks.length === 1 ? chunks[0] : undefined;
}
