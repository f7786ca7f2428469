import type { Server } from "node:net";
import type {
  NamespaceTopicRuntimeBinding,
  OutputRuntimeBinding,
  Publisher,
  PublisherOptions,
} from "cloud-eventgrid-binding-runtime";
import { Agent, type Dispatcher } from "undici";
import { afterAll, beforeEach } from "vitest";
import { EventPublisher } from "../../../runtime/src/publisher/create-publisher.js";
import { publisherSettings } from "../../../runtime/src/publisher/settings.js";
import { type Clock, systemClock } from "../../../runtime/src/time.js";
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

/**
 * A dispatcher that calls back before each request is handed to undici; a promise holds the request.
 */
export function intercepted(onRequest: () => unknown): Dispatcher {
  return new Agent().compose((dispatch) => (options, handler) => {
    const held = onRequest();
    if (!(held instanceof Promise)) return dispatch(options, handler);
    held.then(() => dispatch(options, handler));
    return true;
  });
}

/** Options of a publisher, and the clock that it runs by. */
export type TimedOptions = PublisherOptions & { readonly clock?: Clock };

/** What a test sets instead of the service, of Node or of chance. */
export interface Replaced {
  readonly random?: () => number;
  readonly newId?: () => string;
  readonly maxEventBytes?: number;
  readonly maxRequestBytes?: number;
}

/** A publisher with a clock, random numbers, event IDs or limits of the test's. */
export function publisherWith(
  { random, newId, maxEventBytes, maxRequestBytes }: Replaced,
  binding: OutputRuntimeBinding | NamespaceTopicRuntimeBinding,
  { clock = systemClock, ...options }: TimedOptions = {},
): Publisher {
  const settings = publisherSettings(binding, options, clock);
  return new EventPublisher({
    ...settings,
    ...(random && { random }),
    envelope: {
      ...settings.envelope,
      ...(newId && { newId }),
      ...(maxEventBytes && { maxEventBytes }),
    },
    topic: { ...settings.topic, ...(maxRequestBytes && { requestBytes: maxRequestBytes }) },
  });
}

/** Lets the server listen, and returns its port. */
export function listen(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve(Object(server.address()).port)),
  );
}
