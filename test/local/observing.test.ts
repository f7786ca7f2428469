import type { DeliveryAttempt, Handshake } from "cloud-eventgrid-local";
import { expect, it } from "vitest";
import { startShop } from "./support/cloud.js";

it("onHandshake and onDelivery are called after each handshake and delivery", async () => {
  const handshakes: Handshake[] = [];
  const deliveries: DeliveryAttempt[] = [];
  const { cloud, publish } = await startShop({
    onHandshake: (handshake) => handshakes.push(handshake),
    onDelivery: (delivery) => deliveries.push(delivery),
  });
  await publish();
  await cloud.drain();

  expect(handshakes).toEqual(cloud.handshakes());
  expect(deliveries).toEqual(cloud.deliveries());
  expect(deliveries).toMatchObject([{ subscription: "orders-sub", outcome: "delivered" }]);
});
