import { type Area, rowsThat } from "../../row.js";
import { cloudEvent, ended, GROUP, prepared, publishEvents, statusOf } from "../../stage.js";
import { open, page, queue } from "./opened.js";

const ROUTING = page("handler-event-grid-namespace-topic", "Namespace topics as destinations");

interface Routed {
  readonly attributes?: object;
  /** Of the event subscription. */
  readonly identity?: object;
}

/** A row about an event of a topic whose event subscription sends it to the queue of a namespace. */
const routed = rowsThat(async (stage, { attributes = { data: {} }, identity }: Routed = {}) => {
  const { cloud } = stage;
  const { namespace, queue } = await open(stage);
  const source = cloud.topics.create({ name: stage.newName() });
  const name = stage.newName();
  const resourceId = `${namespace.id}/topics/orders`;
  const destination = { endpointType: "NamespaceTopic", properties: { resourceId } };
  const properties = identity
    ? { deliveryWithResourceIdentity: { identity, destination } }
    : { destination };
  await prepared(stage);
  const path = `${source.id}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`;
  const written = await stage.call("PUT", path, { properties });
  await ended(stage, written);
  await publishEvents(source, [cloudEvent(attributes)]);
  await cloud.drain();
  const attempt = cloud.deliveries().find(({ subscription }) => subscription === name);
  return { attempt, received: await queue.receive() };
});

export const routing: Area = {
  title: "Namespaces: events of topics and Azure services",
  rows: [
    routed(ROUTING, "An event of a custom topic with a namespace topic as the destination")
      .documented("received there as a CloudEvent")
      .gives([["CloudEventSchemaV1_0", 1]], ({ received }) =>
        received.map(({ event, deliveryCount }) => [event.schema, deliveryCount]),
      ),
    queue(
      ROUTING,
      "A namespace topic as the destination of a subscription to events of Azure services, in the Event Grid schema",
    )
      .documented("only CloudEvents are supported")
      .gives(400, ({ stage, namespace }) =>
        stage.cloud.eventSubscriptions
          .create({
            name: stage.newName(),
            scope: `${GROUP}/providers/Microsoft.Storage/storageAccounts/shop`,
            destination: {
              endpointType: "NamespaceTopic",
              properties: { resourceId: `${namespace.id}/topics/orders` },
            },
            eventDeliverySchema: "EventGridSchema",
          })
          .then(() => undefined, statusOf),
      ),
    routed(
      ROUTING,
      "A namespace topic as the destination, with an identity of the topic, which has none",
    )
      .open("refused when the event subscription is created")
      .with({ identity: { type: "SystemAssigned" } })
      .gives(0, ({ received }) => received.length),
    routed(ROUTING, "An event without `data`, with a namespace topic as the destination")
      .open("refused by the namespace with 400, and dropped or dead-lettered")
      .with({ attributes: {} })
      .gives([400, "dropped", 0], ({ attempt, received }) => [
        attempt?.status,
        attempt?.outcome,
        received.length,
      ]),
  ],
};
