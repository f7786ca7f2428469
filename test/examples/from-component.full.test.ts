import { readFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { FromComponentStack } from "../../examples/from-component/stack.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { DeployedExample } from "./deployed-example.js";

const clientId = "44444444-4444-4444-8444-444444444444";
const scope =
  "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders";

describeWithTerraform("the deployed from-component example", () => {
  let example: DeployedExample | undefined;
  afterEach(() => example?.stop());

  it("takes over the subscription with one more handshake", async () => {
    const document = readFileSync("examples/from-component/components/orders.yaml", "utf8");
    const running = await DeployedExample.prepare({
      clientId,
      service: "from-component/service.ts",
      stack: (app, { handshakePort, cloudAuthorityHost }) =>
        new FromComponentStack(app, "from-component", {
          document: document.replace('"9000"', `"${handshakePort}"`),
          existingSubscription: adopted ? "adopted" : "adopt",
          ...(cloudAuthorityHost !== undefined && { cloudAuthorityHost }),
        }),
    });
    example = running;
    let adopted = false;
    const { cloud, place } = running;
    const { environment } = running.synthesize();
    await running.serve(environment as Record<string, string>);
    cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
    await cloud.eventSubscriptions.create({
      name: "orders-events",
      scope,
      endpointUrl: place.subscriberEndpoint,
      clientId,
    });
    expect(cloud.handshakes()).toHaveLength(1);

    const terraform = running.terraform();
    await terraform.init();
    await terraform.apply();
    expect(cloud.handshakes()).toHaveLength(2);
    expect(cloud.eventSubscriptions.list()).toMatchObject([{ name: "orders-events" }]);

    adopted = true;
    running.synthesize();
    expect((await terraform.plan()).changes).toEqual([]);

    await running.publish("shop.order.placed", { orderId: "17" });
    await cloud.drain();
    await expect.poll(() => running.messages()).toEqual(["order taken"]);
  });
});
