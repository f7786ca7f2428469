import { app } from "@azure/functions";
import { bindingFromEnvironment } from "cloud-eventgrid-binding-runtime";
import { ordersWebhook } from "./webhook.js";

const binding = bindingFromEnvironment("ORDERS", { direction: "input" });
const webhook = ordersWebhook(binding, async (orderId, article) => {
  console.log(`${article} of order ${orderId} leaves the warehouse`);
});

app.http("events", {
  methods: ["POST", "OPTIONS"],
  authLevel: "anonymous", // the webhook accepts only Event Grid's tokens
  handler: webhook.fetch,
});
app.hook.appTerminate(() => webhook.close());
