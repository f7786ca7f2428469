import type { VerifiedCaller } from "../../handling/index.js";
import type { Timer } from "../../timer.js";
import type { Exchange } from "../exchange.js";
import type { Capacity } from "./capacity.js";
import { Delivery } from "./delivery.js";
import { contentMode, type DeliverySchema } from "./request.js";
import { Refusal } from "./responses.js";

export interface AdmissionDependencies {
  readonly capacity: Capacity;
  /** Size of the largest body. */
  readonly maxBytes: number;
  readonly schema: DeliverySchema;
  readonly timer: Timer;
  /** Called once for every delivery, see {@link Delivery}. */
  readonly onEnd: (delivery: Delivery) => void;
}

/**
 * Accepts a delivery of a verified caller by its headers, before its body is read.
 *
 * @throws {Refusal} 415, 413 or 503
 */
export function admit(
  caller: VerifiedCaller,
  exchange: Exchange,
  { capacity, maxBytes, schema, timer, onEnd }: AdmissionDependencies,
): Delivery {
  const mode = contentMode(exchange.headers, schema);
  if (mode === undefined) throw new Refusal(415, "media type or encoding not supported");
  const announced = exchange.announcedLength ?? 0;
  if (announced > maxBytes) throw new Refusal(413, `a body of ${announced} bytes is too large`);
  if (!capacity.tryTake(announced)) throw new Refusal(503, "over capacity");
  return new Delivery(exchange, caller, mode, announced, timer.now(), onEnd);
}
