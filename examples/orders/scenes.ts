import { readFileSync } from "node:fs";
import { bindingFromEnvironment, createPublisher } from "cloud-eventgrid-binding-runtime";
import type { LocalCloud } from "cloud-eventgrid-local";
import { Agent } from "undici";
import type { Timeline } from "../start/timeline.js";
import { type Order, orders } from "./events.js";

const basket: readonly Order[] = [
  { orderId: "17", article: "teapot" },
  { orderId: "18", article: "glass" },
  { orderId: "19", article: "kettle" },
];

/** Publishes a few orders; the carrier refuses the glass at first. */
export async function placeOrders(
  cloud: LocalCloud,
  environment: Record<string, string>,
  timeline: Timeline,
): Promise<number> {
  const binding = bindingFromEnvironment("ORDERS", { direction: "output", env: environment });
  // This process trusts the local Azure here; the service does by NODE_EXTRA_CA_CERTS.
  const { NODE_EXTRA_CA_CERTS: authority = "" } = cloud.terraformEnvironment();
  const publisher = createPublisher(binding, {
    events: orders,
    source: "/shop/counter",
    dispatcher: new Agent({ connect: { ca: readFileSync(authority) } }),
  });
  for (const order of basket) {
    const subject = `orders/${order.orderId}`;
    const ids = await publisher.create({ type: "shop.order.placed", subject, data: order });
    timeline.line("publish", `shop.order.placed ${subject} (${order.article}), accepted as ${ids}`);
  }
  await publisher.close();
  return basket.length;
}

/** Sends deliveries without a valid token; returns how many were rejected. */
export async function sendForgedDeliveries(
  cloud: LocalCloud,
  webhook: string,
  environment: Record<string, string>,
  timeline: Timeline,
): Promise<number> {
  const clientId = environment.ORDERS_CLIENT_ID ?? "";
  const good = await cloud.tokens.delivery({ clientId });
  const anHourAgo = Math.floor(Date.now() / 1000) - 3600;
  const intruders = {
    "no token": undefined,
    "a forged token": forged(good),
    "an expired token": await cloud.tokens.delivery({ clientId, claims: { exp: anHourAgo } }),
  };
  let refused = 0;
  for (const [what, token] of Object.entries(intruders)) {
    const { status } = await fetch(webhook, {
      method: "POST",
      headers: {
        "content-type": "application/cloudevents+json",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({
        specversion: "1.0",
        id: "1",
        source: "/x",
        type: "shop.order.placed",
      }),
    });
    if (status === 401) refused += 1;
    timeline.line("intruder", `${what} → ${status}`, "refused");
  }
  return refused;
}

/** A token whose claims were changed after it was signed. */
function forged(token: string): string {
  const [header, claims = "", signature] = token.split(".");
  const changed = { ...JSON.parse(Buffer.from(claims, "base64url").toString()), roles: ["Owner"] };
  return [header, Buffer.from(JSON.stringify(changed)).toString("base64url"), signature].join(".");
}
