import { afterEach, expect, it } from "vitest";
import { ExpressStack } from "../../examples/express/stack.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { DeployedExample } from "./deployed-example.js";

describeWithTerraform("the deployed express example", () => {
  let example: DeployedExample | undefined;
  afterEach(() => example?.stop());

  it("serves received orders on its own route, and rejects an invalid order", async () => {
    example = await DeployedExample.deploy({
      service: "express/service.ts",
      stack: (app, place) => new ExpressStack(app, "express", place),
    });
    const order = `http://127.0.0.1:${example.place.handshakePort}/orders/17`;
    expect((await fetch(order)).status).toBe(404);

    await example.publish("shop.order.placed", { orderId: "17", article: "teapot" });
    await example.publish("shop.order.placed", { orderId: 18 });
    await example.cloud.drain();

    expect(await (await fetch(order)).json()).toEqual({ orderId: "17", article: "teapot" });
    expect(example.cloud.deliveries().map(({ outcome }) => outcome)).toEqual([
      "delivered",
      "dropped",
    ]);
  });
});
