import { expect, it } from "vitest";
import { topicOf } from "../../../runtime/src/publisher/topic.js";

it.each([
  ["https://shop-1.westeurope-1.eventgrid.azure.net/api/events", "shop-1"],
  ["http://127.0.0.1:7071/orders.westeurope-1/api/events", "orders"],
  ["https://gateway.example.com/api/events", "gateway.example.com"],
  [
    "https://events.shop.westeurope-1.example.com/api/events",
    "events.shop.westeurope-1.example.com",
  ],
])("the topic at %s has the name %s", (topicEndpoint, name) => {
  const binding = { topicEndpoint, publishWith: "accessKey", accessKey: "k" } as const;
  expect(topicOf({ ...binding, cloudEnvironment: "public" }).name).toBe(name);
});
