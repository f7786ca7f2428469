import { finished, type ManagementAnswer } from "../../../support/management-client.js";
import { type Recording, rowsThat } from "../../row.js";
import { GROUP, prepared, type Stage } from "../../stage.js";

export const RECORDINGS: Recording = {
  repository: "Azure/azure-sdk-assets",
  file: "net/EventGridNamespaceTests",
  year: 2024,
  version: "2024-06-01-preview",
};

interface Managed {
  readonly stage: Stage;
  readonly namespace: string;
  readonly topic: string;
  readonly subscription: string;
  readonly call: Stage["call"];
  /** Writes a resource and waits for the operation. */
  readonly put: (id: string, body: object) => Promise<ManagementAnswer>;
}

export const NAMESPACE = { location: "westeurope", properties: {} };

/** The body of an event subscription whose events wait for receivers. */
export const QUEUE = {
  properties: {
    eventDeliverySchema: "CloudEventSchemaV1_0",
    deliveryConfiguration: {
      deliveryMode: "Queue",
      queue: { receiveLockDurationInSeconds: 120, maxDeliveryCount: 5, eventTimeToLive: "P1D" },
    },
  },
};

/** A namespace with a topic, written through Resource Manager. */
export async function manage(stage: Stage): Promise<Managed> {
  const call: Stage["call"] = (...request) => stage.call(...request);
  await prepared(stage);
  const put: Managed["put"] = async (id, body) => {
    const answer = await call("PUT", id, body);
    if (answer.status < 300) await finished(call, answer);
    return answer;
  };
  const namespace = `${GROUP}/providers/Microsoft.EventGrid/namespaces/${stage.newName()}`;
  const topic = `${namespace}/topics/orders`;
  await put(namespace, NAMESPACE);
  await put(topic, { properties: {} });
  const subscription = `${topic}/eventSubscriptions/orders`;
  return { stage, namespace, topic, subscription, call, put };
}

/** A row about a namespace that was written through Resource Manager. */
export const managed = rowsThat(manage);

export const properties = ({ body }: ManagementAnswer) => Object(body).properties;
