import type { Server } from "node:net";
import type { ClientOptions } from "cloud-eventgrid-binding-runtime/publisher";
import { afterAll, beforeEach } from "vitest";
import { ACCEPTED, type TopicAnswer, TopicServer } from "../../support/topic-server.js";

/** One topic for the tests of a file: each test finds it empty, and accepting everything. */
export async function startTopic(): Promise<TopicServer> {
  const topic = await TopicServer.start();
  afterAll(() => topic.stop());
  beforeEach(() => {
    topic.requests.length = 0;
    topic.accepted.length = 0;
    topic.answer = () => ACCEPTED;
  });
  return topic;
}

/** Lets the topic answer in this order, and accept from then on. */
export function answersInOrder(topic: TopicServer, ...list: TopicAnswer[]): void {
  topic.answer = () => list.shift() ?? ACCEPTED;
}

/** The topic's binding without its key. */
export function keyless({ binding }: TopicServer) {
  const { accessKey: _, ...rest } = binding;
  return rest;
}

type Policy = NonNullable<ClientOptions["additionalPolicies"]>[number];
export type SendRequest = Policy["policy"]["sendRequest"];

/** The client of a user who adds one policy. */
export function withPolicy(position: Policy["position"], sendRequest: SendRequest): ClientOptions {
  return { additionalPolicies: [{ position, policy: { name: "own", sendRequest } }] };
}

/** Lets the server listen, and returns its port. */
export function listen(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve(Object(server.address()).port)),
  );
}
