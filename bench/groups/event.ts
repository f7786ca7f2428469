import { randomUUID } from "node:crypto";

export const KEY = "the+access+key+of+the+bench=";

/** A payload for an event of slightly less than 1 KB. */
export const payload = {
  orderId: "17",
  customer: { id: "c-4711", name: "Ada Lovelace", address: "12 St James's Square, London" },
  lines: Array.from({ length: 8 }, (_, index) => ({
    article: `teapot-${index}`,
    quantity: index + 1,
    price: 17.5 + index,
    note: "handle with care",
  })),
};

/** A CloudEvent with a payload. */
export function cloudEvent(data: unknown = payload) {
  return {
    specversion: "1.0",
    id: randomUUID(),
    source: "bench",
    type: "bench.order.placed",
    subject: "orders/17",
    time: new Date().toISOString(),
    datacontenttype: "application/json",
    data,
  };
}
