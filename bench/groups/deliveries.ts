import { randomBytes } from "node:crypto";
import { sendAll } from "../harness/http-load.js";
import type { Column, Sample } from "../harness/scenario.js";
import type { ServerProcess } from "../harness/server-process.js";
import { cloudEvent, payload } from "./event.js";

export const RATE: Column = { key: "rate", title: "events/s", better: "more" };
export const CPU: Column = { key: "cpu", title: "CPU µs/event", better: "less" };
export const CONNECTIONS = 64;

/** A placeholder for the ID of an event, as long as a GUID. */
export const ID = "%".repeat(36);
/** Random bytes for the beginnings of IDs; their ends count. */
const random = randomBytes(4096).toString("hex");
let ids = 0;

/**
 * The bytes of a delivery. Its events get new IDs each time, because a listener with deduplication
 * would otherwise not handle them again.
 */
export class DeliveryTemplate {
  readonly #bytes: Buffer;
  readonly #places: number[] = [];

  constructor(token: string, { contentType, body }: ReturnType<typeof single>, port: number) {
    const length = Buffer.byteLength(body);
    const head = [
      "POST /api/events HTTP/1.1",
      `host: 127.0.0.1:${port}`,
      `content-length: ${length}`,
      ...Object.entries(headers(token, contentType)).map(([name, value]) => `${name}: ${value}`),
    ];
    this.#bytes = Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
    let place = this.#bytes.indexOf(ID);
    while (place >= 0) {
      this.#places.push(place);
      place = this.#bytes.indexOf(ID, place + ID.length);
    }
  }

  /** Returns the bytes, which are valid until the next call. */
  next(): Buffer {
    for (const place of this.#places) {
      ids += 1;
      this.#bytes.write(guid(ids), place, "latin1");
    }
    return this.#bytes;
  }
}

/** The form of a GUID, as different from its predecessor as one. */
function guid(number: number): string {
  const from = (number * 37) % (random.length - 20);
  const part = random.slice(from, from + 20);
  const end = String(number).padStart(12, "0");
  return `${part.slice(0, 8)}-${part.slice(8, 12)}-${part.slice(12, 16)}-${part.slice(16)}-${end}`;
}

/** The headers of a delivery. */
export function headers(token: string, contentType: string) {
  return {
    authorization: `Bearer ${token}`,
    "content-type": contentType,
    "aeg-subscription-name": "ORDERS",
    "aeg-delivery-count": "0",
    "aeg-data-version": "",
    "aeg-metadata-version": "0",
    "aeg-event-type": "Notification",
    "accept-encoding": "gzip, deflate, br",
  };
}

export function single(data: unknown = payload) {
  const body = JSON.stringify({ ...cloudEvent(data), id: ID });
  return { contentType: "application/cloudevents+json; charset=utf-8", body };
}

export function batch(events: number) {
  const body = JSON.stringify(Array.from({ length: events }, () => ({ ...cloudEvent(), id: ID })));
  return { contentType: "application/cloudevents-batch+json; charset=utf-8", body };
}

/** An event of about this size, with a typical payload. */
export function large(bytes: number) {
  const parts = Math.ceil(bytes / JSON.stringify(payload).length);
  return single({ parts: Array.from({ length: parts }, () => payload) });
}

/** Sends deliveries for a while, as fast as the server takes them, and returns their number. */
export function sendDeliveries(
  { port }: ServerProcess,
  token: string,
  content: ReturnType<typeof single>,
  milliseconds: number,
  connections = CONNECTIONS,
): Promise<number> {
  const templates = Array.from(
    { length: connections },
    () => new DeliveryTemplate(token, content, port),
  );
  const end = performance.now() + milliseconds;
  const next = (connection: number) =>
    performance.now() < end ? templates[connection]?.next() : undefined;
  return sendAll({ port, connections, status: 200, next });
}

/** Measures the server while it is under load. */
export async function measured(
  server: ServerProcess,
  send: () => Promise<number>,
  eventsPerRequest: number,
): Promise<Sample> {
  const cpu = await server.cpuMicros();
  const started = performance.now();
  const events = (await send()) * eventsPerRequest;
  const seconds = (performance.now() - started) / 1000;
  return { rate: events / seconds, cpu: ((await server.cpuMicros()) - cpu) / events };
}
