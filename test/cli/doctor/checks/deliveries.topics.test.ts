import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Deployment } from "../deployment.js";

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
  deployment.allowWriter();
});
afterEach(() => deployment[Symbol.asyncDispose]());

describe("cloud-eventgrid doctor on deliveries and topics", () => {
  it("reports events of the last two hours that were dropped", async () => {
    await deployment.subscribe();
    deployment.deliveryStatus = 400;
    await deployment.publish("1", "2", "3", "4");
    const { status, message } = await deployment.finding("deliveries");
    expect(status).toBe("failed");
    expect(message).toContain(
      "4 events dropped, 0 dead-lettered; in the last 2 hours 4 events matched",
    );
  });

  it("reports a missing topic, one that expects another schema, and a wrong access key", async () => {
    await deployment.subscribe();
    const { endpoint } = deployment.topic;
    const missing = { topicEndpoint: `${endpoint}x`, accessKey: "hush" };
    expect((await deployment.finding("topic", [], missing)).message).toContain(
      "no topic has the endpoint",
    );

    const wrong = { topicEndpoint: endpoint, accessKey: "hush" };
    expect((await deployment.finding("publisher", [], wrong)).message).toContain(
      "is not one of the topic's",
    );

    const old = deployment.cloud.topics.create({ name: "old", inputSchema: "EventGridSchema" });
    const schema = { topicEndpoint: old.endpoint, accessKey: old.accessKey };
    const { bad } = await deployment.finding("topic", [], schema);
    const message = 'the topic "old" expects EventGridSchema, not CloudEvents';
    expect(bad).toMatchObject([{ check: "topic", message }]);
  });

  it("finds the domain that events are published to", async () => {
    await deployment.subscribe();
    const { endpoint, accessKey } = deployment.cloud.domains.create({ name: "shop-domain" });
    const { out } = await deployment.doctor([], { topicEndpoint: endpoint, accessKey });
    expect(out).toMatch(/ok +topic +the domain "shop-domain" exists/);
    expect(out).toMatch(/ok +publisher +the access key is one of/);
  });

  it("judges the state of a topic, and whom it admits", async () => {
    await deployment.subscribe();
    const { id, endpoint, accessKey } = deployment.topic;
    const properties = {
      endpoint,
      inputSchema: "CloudEventSchemaV1_0",
      provisioningState: "Failed",
      inboundIpRules: [{ ipMask: "20.1.2.3/32" }],
    };
    deployment.canned = ({ pathname }) =>
      pathname === id ? { status: 200, body: { id, name: "orders", properties } } : undefined;
    const { out } = await deployment.doctor([], { topicEndpoint: endpoint, accessKey });
    expect(out).toMatch(/failed +topic .*ended in Failed/);
    expect(out).toMatch(/note +topic .*only these .* may publish/);
  });
});
