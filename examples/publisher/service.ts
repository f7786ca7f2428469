/** `POST /orders` places an order: the response comes once the topic has accepted the event. */
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { DefaultAzureCredential } from "@azure/identity";
import {
  bindingFromEnvironment,
  createPublisher,
  PublishError,
} from "cloud-eventgrid-binding-runtime";
import { z } from "zod";
import { orders } from "./events.js";

const publisher = createPublisher(bindingFromEnvironment("ORDERS", { direction: "output" }), {
  events: orders,
  source: "/shop",
  credential: new DefaultAzureCredential(),
});
const orderSchema = z.object({ orderId: z.string(), article: z.string() });

const server = createServer(async (request, response) => {
  if (request.method !== "POST") return void response.writeHead(200).end();
  const body: unknown = await json(request).catch(() => undefined);
  const { data } = orderSchema.safeParse(body);
  if (data === undefined) return void response.writeHead(400).end("not an order\n");
  try {
    // The order's own ID: a caller who repeats the request causes a duplicate that receivers recognise.
    await publisher.create({ type: "shop.order.placed", id: `order-${data.orderId}`, data });
    response.writeHead(202).end("placed\n");
  } catch (error) {
    if (!(error instanceof PublishError)) throw error;
    console.error(error.message);
    response.writeHead(error.retryable ? 503 : 500).end();
  }
});
server.listen(Number(process.env.PORT ?? 8080));
process.once("SIGTERM", () => {
  server.close(() => void publisher.close());
});
