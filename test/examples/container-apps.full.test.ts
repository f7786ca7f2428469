import { afterEach, expect, it } from "vitest";
import { describeWithTerraformAndRedis } from "../terraform/with-terraform.js";
import { DeployedContainerApp } from "./deployed-container-app.js";

describeWithTerraformAndRedis("the deployed container-apps example", () => {
  let app: DeployedContainerApp | undefined;
  afterEach(() => app?.stop());

  it("receives an order and publishes that it is packed", async () => {
    app = await DeployedContainerApp.deploy();
    const { example } = app;
    await example.publish("shop.order.placed", { orderId: "17", article: "teapot" });
    await example.cloud.drain();
    await expect.poll(() => example.messages()).toEqual(["packing", "packed"]);
    expect(await example.redis?.handled()).toBe(2);
    expect((await example.terraform().plan()).changes).toEqual([]);
  });
});
