// Receives events of a topic and of uploads, and publishes one when its subscriptions are there.
import { createServer } from "node:http";

const { PORT, TOPIC_ENDPOINT, TOPIC_KEY } = process.env;
let isOrderPlaced = false;

createServer(async (request, response) => {
  if (request.method === "OPTIONS") {
    // The handshake: without this header Event Grid does not deliver.
    response.writeHead(200, { "webhook-allowed-origin": "eventgrid.azure.net" }).end();
    if (!isOrderPlaced) setTimeout(placeOrder, 500);
    isOrderPlaced = true;
    return;
  }
  let body = "";
  for await (const chunk of request) body += chunk;
  const { type, data } = JSON.parse(body);
  const isUpload = type === "Microsoft.Storage.BlobCreated";
  console.log(`${type}: ${isUpload ? data.url : `shipped order ${data.orderId}`}`);
  response.writeHead(200).end();
}).listen(Number(PORT), () => console.log(`The service listens on port ${PORT}.`));

async function placeOrder() {
  const response = await fetch(TOPIC_ENDPOINT, {
    method: "POST",
    headers: { "aeg-sas-key": TOPIC_KEY, "content-type": "application/cloudevents+json" },
    body: JSON.stringify({
      specversion: "1.0",
      id: crypto.randomUUID(),
      source: "/shop",
      type: "shop.order.placed",
      data: { orderId: "17" },
    }),
  });
  console.log(`Published an order: ${response.status}`);
}
