import type { FastifyReply } from "fastify";
import type { VerifiedCaller } from "../authentication/index.js";
import type { Capacity } from "./capacity.js";
import { Delivery, type DeliveryHost } from "./delivery.js";
import { announcedLength, contentMode } from "./request.js";
import { Refusal } from "./responses.js";

/**
 * Accepts a delivery of a verified caller by its headers, before its body is read.
 *
 * @throws {Refusal} 415, 413 or 503
 */
export function admit(
  caller: VerifiedCaller,
  reply: FastifyReply,
  host: DeliveryHost,
  capacity: Capacity,
  maxBytes: number,
): Delivery {
  const request = reply.request.raw;
  const mode = contentMode(request);
  if (mode === undefined) throw new Refusal(415, "media type or encoding not supported");
  const announced = announcedLength(request) ?? 0;
  if (announced > maxBytes) throw new Refusal(413, `a body of ${announced} bytes is too large`);
  if (!capacity.tryTake(announced)) throw new Refusal(503, "over capacity");
  return new Delivery(host, reply, caller, mode, announced);
}
