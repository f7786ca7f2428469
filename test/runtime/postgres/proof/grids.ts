import type { LocalCloud } from "cloud-eventgrid-local";
import { deadLettersTo } from "../../../local/support/dead-letters.js";
import { type Replica, RoundRobin } from "../../handling/store/replicas.js";
import { LosingProxy } from "./losing-proxy.js";
import type { ShippingSetting } from "./shipping-service.js";

/** Where the services publish to and receive from. */
export interface Grid {
  /** The binding of the publisher. */
  readonly output: object;
  readonly listen?: NonNullable<ShippingSetting["listen"]>;
  readonly pull?: NonNullable<ShippingSetting["pull"]>;
  /** Called when the shipping services run. */
  subscribe(replicas: readonly Replica[]): Promise<void>;
  breakSomething(turn: number): void;
  /** Lets waiting events be delivered; returns how many there are. */
  hurry(): number;
  counts(): {
    /** The orders of the accepted events. */
    readonly accepted: readonly number[];
    readonly redeliveries: number;
    /** Responses to publishers that were lost. */
    readonly lost: number;
  };
  stop(): void;
}

type Breakage = (faults: LocalCloud["faults"]) => unknown;

const publishing: readonly Breakage[] = [
  (faults) => faults.publishing({ status: 500, times: 2 }),
  (faults) => faults.publishing({ status: 429, retryAfterSeconds: 1, times: 1 }),
];

const deliveries: readonly Breakage[] = [
  (faults) => faults.deliveries({ loseResponse: true, times: 10 }),
  (faults) => faults.duplicates({ times: 10 }),
  (faults) => faults.deliveries({ status: 500, times: 3 }),
  (faults) => faults.deliveries({ unreachable: true, times: 3 }),
];

const receiving: readonly Breakage[] = [
  (faults) => faults.receiving({ operation: "acknowledge", loseResponse: true, times: 2 }),
  (faults) => faults.receiving({ operation: "receive", loseResponse: true, times: 1 }),
  (faults) => faults.receiving({ status: 429, times: 2 }),
  (faults) => faults.receiving({ status: 500, times: 2 }),
];

function breaking(cloud: LocalCloud, breakages: readonly Breakage[]) {
  return (turn: number) => void breakages[turn % breakages.length]?.(cloud.faults);
}

/** A topic, and a webhook behind a load balancer. */
export async function webhookGrid(cloud: LocalCloud): Promise<Grid> {
  const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
  const { clientId } = cloud.applications.create({ displayName: "shipping webhook" });
  const proxy = new LosingProxy(topic.endpoint);
  const topicEndpoint = (await proxy.start()) + new URL(topic.endpoint).pathname;
  let balancer: RoundRobin | undefined;
  return {
    output: { topicEndpoint, accessKey: topic.accessKey },
    listen: {
      cloudTenantId: cloud.tenantId,
      cloudClientId: clientId,
      cloudAuthorityHost: cloud.authorityHost,
      handshakePort: "0",
      path: "/api/events",
    },
    async subscribe(replicas) {
      balancer = new RoundRobin(replicas);
      cloud.ingress.route("https://shipping.example.com", await balancer.start());
      await cloud.eventSubscriptions.create({
        name: "shipping",
        scope: topic.id,
        clientId,
        endpointUrl: "https://shipping.example.com/api/events",
        maxEventsPerBatch: 5,
        ...deadLettersTo("dead"),
      });
    },
    breakSomething: breaking(cloud, [...deliveries, ...publishing]),
    hurry() {
      cloud.retryNow();
      return cloud.pendingEvents;
    },
    counts() {
      const accepted = topic.events().map(orderOf);
      const delivered = cloud.deliveries().reduce((sum, { events }) => sum + events.length, 0);
      return { accepted, redeliveries: delivered - new Set(accepted).size, lost: proxy.lost };
    },
    stop() {
      proxy.stop();
      balancer?.stop();
    },
  };
}

/** A topic of a namespace, and a queue that receivers empty. */
export async function namespaceGrid(cloud: LocalCloud): Promise<Grid> {
  const namespace = cloud.namespaces.create({ name: "shop" });
  const { endpoint, accessKey } = namespace;
  const topic = namespace.topics.create({ name: "orders" });
  const queue = await topic.subscriptions.create({
    name: "shipping",
    maxDeliveryCount: 10,
    ...deadLettersTo("dead"),
  });
  const proxy = new LosingProxy(endpoint);
  const namespaceEndpoint = (await proxy.start()) + new URL(endpoint).pathname.replace(/\/$/, "");
  return {
    output: { namespaceEndpoint, topicName: "orders", publishWith: "accessKey", accessKey },
    pull: {
      namespaceEndpoint: endpoint,
      topicName: "orders",
      eventSubscriptionName: "shipping",
      receiveWith: "accessKey",
      accessKey,
    },
    subscribe: async () => {},
    breakSomething: breaking(cloud, [...receiving, ...publishing]),
    hurry() {
      const { waiting, locked, delayed } = queue.counts ?? { waiting: 0, locked: 0, delayed: 0 };
      return waiting + locked + delayed;
    },
    counts() {
      const { released, lockExpired } = queue.counts ?? { released: 0, lockExpired: 0 };
      const accepted = topic.events().map(orderOf);
      return { accepted, redeliveries: released + lockExpired, lost: proxy.lost };
    },
    stop: () => proxy.stop(),
  };
}

function orderOf({ json }: { readonly json: string }): number {
  return JSON.parse(json).data.orderId;
}
