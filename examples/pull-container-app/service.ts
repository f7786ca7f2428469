import { DefaultAzureCredential } from "@azure/identity";
import { createReceiver, pullBindingFromEnvironment } from "cloud-eventgrid-binding-runtime";
import { warehouse } from "./events.js";

const receiver = createReceiver(pullBindingFromEnvironment("WAREHOUSE"), {
  events: warehouse,
  on: {
    "shop.order.placed": async ({ data: { orderId, article } }, { attempt, log }) => {
      // Throwing gives the event back: it is delivered again, here after ten seconds.
      if (article === "glass" && attempt === 1) throw new Error("no bubble wrap");
      log.info({ orderId, article }, "packed");
    },
  },
  credential: new DefaultAzureCredential(),
  health: { port: Number(process.env.HEALTH_PORT ?? "8080") },
  signals: ["SIGTERM"],
});
await receiver.start();
