import { expect, it } from "vitest";
import { Deployment } from "../doctor/deployment.js";

const SCHEMAS = ["CloudEventSchemaV1_0", "EventGridSchema"] as const;

/** Where events come from, their schema there, and the one in which a webhook gets them. */
const routes = ["topics", "domains", "systemTopics"].flatMap((from) =>
  SCHEMAS.flatMap((input) =>
    [undefined, ...SCHEMAS].map((delivery) => ({ from, input, delivery })),
  ),
);

it("tells whether topics, domains and system topics deliver CloudEvents, as the local Azure does", async () => {
  await using deployment = await Deployment.start();
  deployment.allowDeployer();
  const { cloud } = deployment;
  const account = await deployment.createAccount();
  const group = account.replace(/\/providers.*/, "");
  let round = 0;
  const sourceOf = async ({ from, input }: { from: string; input: (typeof SCHEMAS)[number] }) => {
    const name = `source-${++round}`;
    const settings = { name, resourceGroupName: "shop", inputSchema: input };
    if (from === "systemTopics") {
      // Azure allows one for each source.
      const id = `${group}/providers/Microsoft.EventGrid/systemTopics/files`;
      const properties = { source: account, topicType: "Microsoft.Storage.StorageAccounts" };
      await deployment.put(id, "2025-02-15", { location: "westeurope", properties });
      const raise = () => cloud.emit("Microsoft.Storage.BlobCreated", { scope: account });
      return { scope: id, inner: `${id}/eventSubscriptions/orders`, raise };
    }
    const source =
      from === "topics" ? cloud.topics.create(settings) : cloud.domains.create(settings);
    const inner = `${source.id}/providers/Microsoft.EventGrid/eventSubscriptions/orders`;
    const place = from === "topics" ? undefined : "shop";
    return { scope: source.id, inner, raise: () => deployment.publishTo(source, input, place) };
  };
  for (const route of routes) {
    const { scope, inner, raise } = await sourceOf(route);
    const properties = {
      eventDeliverySchema: route.delivery,
      retryPolicy: { maxDeliveryAttempts: 1 },
      destination: deployment.destination,
    };
    // Event Grid does not turn CloudEvents into events of its own schema.
    const isImpossible =
      route.from !== "systemTopics" &&
      route.input === "CloudEventSchemaV1_0" &&
      route.delivery === "EventGridSchema";
    const written = deployment.put(inner, "2025-02-15", { properties });
    if (isImpossible) {
      await expect(written).rejects.toThrow("400");
      continue;
    }
    await written;
    const statusOf = async (check: string) =>
      (await deployment.finding(check, ["--no-handshake"], { scope })).status;
    await expect.poll(() => statusOf("event-subscription"), { timeout: 30_000 }).toBe("ok");
    deployment.deliveredAs = undefined;
    await raise();
    await cloud.drain();
    const status = await statusOf("destination");
    const isCloudEvent = /^application\/cloudevents\+json/.test(deployment.deliveredAs ?? "");
    expect({ route, status }).toEqual({ route, status: isCloudEvent ? "ok" : "failed" });
    expect({ route, type: deployment.deliveredAs }).toEqual({ route, type: expect.any(String) });
    if (route.from === "systemTopics") cloud.eventSubscriptions.delete(account, "orders");
  }
});
