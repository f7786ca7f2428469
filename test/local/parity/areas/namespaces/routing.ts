import { finished } from "../../../support/management-client.js";
import type { Area } from "../../row.js";
import { cloudEvent, GROUP, SINGLE, type Stage, statusOf } from "../../stage.js";
import { Opened, PROVIDER, page } from "./opened.js";

const ROUTING = page("handler-event-grid-namespace-topic", "Namespace topics as destinations");

/** An event subscription of a topic that sends an event to the queue of a namespace. */
async function routed(stage: Stage, attributes: object, identity?: object) {
  const { cloud } = stage;
  const { namespace, queue } = await Opened.open(stage);
  const source = cloud.topics.create({ name: stage.newName() });
  const name = stage.newName();
  const resourceId = `${namespace.id}/topics/orders`;
  const destination = { endpointType: "NamespaceTopic", properties: { resourceId } };
  const properties = identity
    ? { deliveryWithResourceIdentity: { identity, destination } }
    : { destination };
  await stage.call("POST", `${PROVIDER}/register?api-version=2022-09-01`);
  const path = `${source.id}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`;
  const written = await stage.call("PUT", path, { properties });
  await finished((...request) => stage.call(...request), written);
  await fetch(source.endpoint, {
    method: "POST",
    headers: { "aeg-sas-key": source.accessKey, "content-type": SINGLE },
    body: JSON.stringify(cloudEvent(attributes)),
  });
  await cloud.drain();
  const attempt = cloud.deliveries().find(({ subscription }) => subscription === name);
  return { attempt, received: await queue.receive() };
}

export const routing: Area = {
  title: "Namespaces: events of topics and Azure services",
  rows: [
    {
      source: ROUTING,
      input: "An event of a custom topic with a namespace topic as the destination",
      documented: "received there as a CloudEvent",
      run: async (stage) => {
        const { received } = await routed(stage, { data: {} });
        return received.map(({ event, deliveryCount }) => [event.schema, deliveryCount]);
      },
      result: [["CloudEventSchemaV1_0", 1]],
    },
    {
      source: ROUTING,
      input:
        "A namespace topic as the destination of a subscription to events of Azure services, in the Event Grid schema",
      documented: "only CloudEvents are supported",
      run: async (stage) => {
        const { namespace } = await Opened.open(stage);
        return stage.cloud.eventSubscriptions
          .create({
            name: stage.newName(),
            scope: `${GROUP}/providers/Microsoft.Storage/storageAccounts/shop`,
            destination: { type: "NamespaceTopic", resourceId: `${namespace.id}/topics/orders` },
            deliverySchema: "EventGridSchema",
          })
          .then(() => undefined, statusOf);
      },
      result: 400,
    },
    {
      source: ROUTING,
      input: "A namespace topic as the destination, with an identity that has no role",
      documented: "open",
      unknown: "received: the roles of delivery identities are not checked",
      run: async (stage) =>
        (await routed(stage, { data: {} }, { type: "SystemAssigned" })).received.length,
      result: 1,
    },
    {
      source: ROUTING,
      input: "An event without `data`, with a namespace topic as the destination",
      documented: "open",
      unknown: "refused by the namespace with 400, and dropped or dead-lettered",
      run: async (stage) => {
        const { attempt, received } = await routed(stage, {});
        return [attempt?.status, attempt?.outcome, received.length];
      },
      result: [400, "dropped", 0],
    },
  ],
};
