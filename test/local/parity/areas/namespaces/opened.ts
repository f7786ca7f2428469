import type { NewNamespaceSubscription } from "cloud-eventgrid-local";
import {
  type NamespaceRequest,
  namespaceClient,
  type Reply,
} from "../../../support/namespace-client.js";
import { type Row, rowsThat, type Source } from "../../row.js";
import { cloudEvent, type Stage, statusOf } from "../../stage.js";

/** A page of Microsoft's documentation as a whole. */
export function page(path: string, section: string): Source {
  return { page: `https://learn.microsoft.com/azure/event-grid/${path}`, section };
}

/** Requests and responses of the real service, which Microsoft's SDKs replay in their tests. */
export const RECORDINGS: Source = {
  page: "https://github.com/Azure/azure-sdk-assets",
  section: "Recordings of the SDKs' tests",
};
export const SPECIFICATION: Source = {
  page: "https://github.com/Azure/azure-rest-api-specs",
  section: "Specification of the data plane",
};
export const MODEL: Source = {
  page: "https://github.com/Azure/azure-rest-api-specs",
  section: "Specification of Resource Manager",
};
export const OPERATIONS = page("subscriber-operations", "Subscriber operations");
export const LIMITS = page("quotas-limits", "Quotas and limits");
export const CONCEPTS = page("concepts-event-grid-namespaces", "Namespace concepts");
export const DEAD_LETTERS = page(
  "dead-letter-event-subscriptions-namespace-topics",
  "Dead letters of namespace topics",
);
export const RETRIES = page("namespace-delivery-retry", "Namespace delivery and retry");

type Settings = Partial<NewNamespaceSubscription>;

/** A namespace with a topic and its event subscription, and requests to them. */
export async function open(stage: Stage, settings: Settings = {}) {
  const { namespace, topic, queue } = await stage.newQueue(settings);
  const client = namespaceClient(namespace, topic.name);
  const publish = (attributes: object = {}) =>
    client.publishOne(cloudEvent({ data: {}, ...attributes }));
  const first = async () => (await queue.receive())[0];
  return {
    ...client,
    ...{ stage, namespace, topic, queue, publish, first },
    /** Publishes an event and receives it. */
    locked: async () => {
      await publish();
      return (await first())?.lockToken ?? "";
    },
    advance: (seconds: number) => stage.cloud.clock.advance({ seconds }),
    deadLetters: () =>
      stage.cloud.deadLetters().filter(({ blob }) => blob.startsWith(`${namespace.name}/`)),
  };
}

export type Opened = Awaited<ReturnType<typeof open>>;

/** A row about a namespace with a topic and a queue. */
export const queue = rowsThat((stage, settings?: Settings) => open(stage, settings));

/** A row about the settings of an event subscription: `undefined` if they are accepted, or 400. */
export const setting = rowsThat((stage, settings?: Settings) =>
  open(stage, settings).then(() => undefined, statusOf),
);

/** A row about the reply to one request. */
export const request = rowsThat(async (stage, of: NamespaceRequest = {}) =>
  (await open(stage)).send(of),
);

export const statusIn = ({ status }: Reply) => status;
export const codeIn = ({ code }: Reply) => code;

/** A row about a request that is refused, with its status, code and message. */
export const refusal = (
  input: string,
  of: NamespaceRequest,
  status: number,
  code: string,
  message: string,
): Row =>
  request(RECORDINGS, input)
    .documented(`${status} \`${code}\`, “${message}”`)
    .with(of)
    .gives([status, code, message], (reply) => [reply.status, reply.code, reply.error.message]);
