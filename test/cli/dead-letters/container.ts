import { randomUUID } from "node:crypto";
import type { ContainerClient } from "@azure/storage-blob";

export interface Letter {
  readonly id: string;
  readonly type?: string;
  readonly reason?: string;
  /** When Event Grid gave up: ISO 8601. */
  readonly at?: string;
  readonly data?: unknown;
}

/** A dead-letter record as Event Grid writes it for CloudEvents. */
function record({ id, type, reason, at = "2026-01-31T07:00:00.000Z", data }: Letter) {
  return {
    specversion: "1.0",
    id,
    source: "/shop",
    type: type ?? "shop.order.placed",
    subject: `orders/${id}`,
    time: "2026-01-30T07:00:00Z",
    shard: "blue",
    data: data ?? { orderId: id },
    deadletterreason: reason ?? "MaxDeliveryAttemptsExceeded",
    deliveryattempts: 30,
    lastdeliveryoutcome: "GenericError",
    publishtime: "2026-01-30T07:00:00.000Z",
    lastdeliveryattempttime: at,
  };
}

/** Writes a dead-letter blob where and as Event Grid does. Returns its name. */
export async function writeBlob(
  container: ContainerClient,
  letters: readonly Letter[],
  subscription = "ORDERS-WEBHOOK",
): Promise<string> {
  const date = new Date(letters[0]?.at ?? "2026-01-31T07:00:00Z");
  const day = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  const name = [subscription, ...day, date.getUTCHours(), `${randomUUID()}.json`].join("/");
  await writeText(container, name, JSON.stringify(letters.map(record)));
  return name;
}

export async function writeText(container: ContainerClient, name: string, text: string) {
  await container.getBlockBlobClient(name).upload(text, Buffer.byteLength(text));
}
