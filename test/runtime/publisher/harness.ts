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

type Policy = NonNullable<ClientOptions["additionalPolicies"]>[number];
type SendRequest = Policy["policy"]["sendRequest"];

/** The client of a user who adds one policy. */
export function withPolicy(position: Policy["position"], sendRequest: SendRequest): ClientOptions {
  return { additionalPolicies: [{ position, policy: { name: "own", sendRequest } }] };
}
