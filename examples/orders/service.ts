import {
  bindingFromEnvironment,
  createPublisher,
  defineHandlers,
} from "cloud-eventgrid-binding-runtime";
import { eventGridWebhook } from "cloud-eventgrid-binding-runtime/fastify";
import fastify from "fastify";
import { orders } from "./events.js";
import { bookParcel } from "./shipping.js";

const binding = bindingFromEnvironment("ORDERS");
const publisher = createPublisher(binding, { events: orders, source: "/shop/shipping" });
const parcels = new Map<string, string>();

const app = fastify({ logger: true, http: { maxHeaderSize: 65_536 } });

// A route of the app's own. The webhook's body parser and error handler do not affect it.
app.get<{ Params: { orderId: string } }>("/parcels/:orderId", ({ params }, reply) => {
  const parcel = parcels.get(params.orderId);
  if (parcel === undefined) return reply.code(404).send({ error: "no such parcel" });
  return reply.send({ parcel });
});

app.register(eventGridWebhook, {
  binding,
  events: orders,
  on: defineHandlers(orders, {
    "shop.order.placed": async (event, { signal, log, caller }) => {
      const parcel = await bookParcel(event.data, signal);
      parcels.set(event.data.orderId, parcel);
      await publisher.create({
        type: "shop.order.shipped",
        subject: event.subject,
        data: { ...event.data, parcel },
      });
      log.info({ caller: caller?.applicationId }, `shipped order ${event.data.orderId}`);
    },
    "shop.order.shipped": async (event, { log, caller }) => {
      log.info({ caller: caller?.applicationId }, `notified the customer of ${event.data.parcel}`);
    },
  }),
});
app.get("/readyz", (_, reply) => reply.code(app.eventGrid.isReady() ? 200 : 503).send());

await app.listen({ host: "0.0.0.0", port: Number(binding.handshakePort) });

// The webhook first: handlers in flight may still need the publisher.
process.once("SIGTERM", async () => {
  await app.close();
  await publisher.close();
});
