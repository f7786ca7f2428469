import { afterEach, expect, it } from "vitest";
import { KubernetesStack } from "../../examples/kubernetes/stack.js";
import { describeWithTerraformAndRedis } from "../terraform/with-terraform.js";
import { DeployedExample, type ExampleSetting } from "./deployed-example.js";

const subscriberEndpoint = "https://shop.example.com/hooks/orders";

describeWithTerraformAndRedis("the deployed kubernetes example", () => {
  let example: DeployedExample | undefined;
  afterEach(() => example?.stop());

  it("receives an event through an ingress that rewrites the path", async () => {
    example = await DeployedExample.deploy(setting());
    await example.publish("shop.order.placed", { orderId: "17" });
    await example.cloud.drain();
    await expect.poll(() => example?.messages()).toEqual(["order taken"]);
    expect(await example.redis?.handled()).toBe(1);
    expect((await example.terraform().plan()).changes).toEqual([]);
  });
});

function setting(): ExampleSetting {
  return {
    subscriberEndpoint,
    rewrite: { "/hooks/orders": "/api/events" },
    service: "kubernetes/service.ts",
    redis: true,
    stack: (app, place) => {
      // Only the local Azure can reach the ingress.
      const webhookProbe = false;
      return new KubernetesStack(app, "kubernetes", { ...place, webhookProbe });
    },
  };
}
