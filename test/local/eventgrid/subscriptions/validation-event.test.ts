import { describe, expect, it } from "vitest";
import type { EventSubscription } from "../../../../local/src/index.js";
import { PUBLIC_URL, startHooked } from "../../support/cloud.js";

async function startEventGridSchema(
  onAwaitingManualAction: (subscription: EventSubscription) => void = () => {},
) {
  const { cloud, webhook } = await startHooked({
    clock: "stepped",
    onAwaitingManualAction,
  });
  const topic = cloud.topics.create({ name: "orders", inputSchema: "EventGridSchema" });
  const create = () =>
    cloud.eventSubscriptions.create({
      name: "orders-sub",
      scope: topic.id,
      endpointUrl: `${PUBLIC_URL}?code=1`,
    });
  const state = () => cloud.eventSubscriptions.get(topic.id, "orders-sub")?.provisioningState;
  return { cloud, webhook, create, state };
}

describe("the validation event of the Event Grid schema", () => {
  it("reports the validation URL while it awaits manual action", async () => {
    const reported: (string | undefined)[] = [];
    const { webhook, create, cloud } = await startEventGridSchema(({ validationUrl }) =>
      reported.push(validationUrl),
    );
    const creation = create();
    await expect.poll(() => reported.length).toBe(1);
    expect(webhook.requests[0]?.path).toBe("/api/events?code=1");
    const [event] = JSON.parse(webhook.requests[0]?.body ?? "");
    expect(event.data.validationUrl).toContain("/eventsubscriptions/orders-sub/validate?id=");
    expect(reported).toEqual([event.data.validationUrl]);
    expect(cloud.eventSubscriptions.list()).toMatchObject([{ validationUrl: reported[0] }]);
    await fetch(event.data.validationUrl);
    const { scope, validationUrl } = await creation;
    expect([event.topic, validationUrl]).toEqual([scope, undefined]);
    expect((await fetch(event.data.validationUrl)).status).toBe(404);
  });

  it("does not delay the stop of the cloud", async () => {
    const { cloud, create, state } = await startEventGridSchema();
    const creation = create().catch(() => "failed");
    await expect.poll(state).toBe("AwaitingManualAction");
    await cloud.close();
    expect(await creation).toBe("failed");
  });
});
