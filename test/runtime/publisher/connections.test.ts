import { createServer } from "node:http";
import { Agent } from "node:https";
import {
  type ClientOptions,
  createPublisher,
  type PublisherOptions,
} from "cloud-eventgrid-binding-runtime/publisher";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CertificateAuthority } from "../../../local/src/tls/index.js";
import { ManualClock } from "../../support/manual-clock.js";
import { refused, TopicServer } from "../../support/topic-server.js";
import { rejection } from "./rejection.js";

const order = { type: "shop.order.placed", id: "a", data: 1 };
let authority: CertificateAuthority;
let topic: TopicServer;
beforeAll(() => {
  authority = new CertificateAuthority();
});
afterAll(() => authority.remove());
afterEach(() => topic.stop());

const startTls = async () => {
  topic = await TopicServer.start(undefined, authority.issue(["127.0.0.1"]));
};
const publisher = (options?: PublisherOptions) => createPublisher(topic.binding, options);

describe("connections", () => {
  it("are kept and used again", async () => {
    topic = await TopicServer.start();
    const shared = publisher();
    for (let index = 0; index < 5; index += 1) await shared.create(order);

    expect(topic.requests).toHaveLength(5);
    expect(topic.connections).toBe(1);
  });

  it("are closed with the publisher", async () => {
    topic = await TopicServer.start();
    const ended = new Promise((resolve) =>
      topic.onConnection((socket) => socket.once("close", resolve)),
    );
    const shared = publisher();
    await shared.create(order);
    await shared.close();
    await ended;
  });

  it("are so with an authority of one's own, too", async () => {
    await startTls();
    const ended = new Promise((resolve) =>
      topic.onConnection((socket) => socket.once("close", resolve)),
    );
    const shared = publisher({ client: { tlsOptions: { ca: authority.certificate } } });
    await shared.create(order);
    await shared.create(order);
    expect(topic.connections).toBe(1);
    await shared.close();
    await ended;
  });

  it("reach an IPv6 address", async () => {
    topic = await TopicServer.start();
    const server = createServer((request, response) => {
      request.resume();
      request.once("end", () => response.end());
    });
    const listening = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(0, "::1", () => resolve(true));
    });
    // Some containers have no IPv6 at all; then there is nothing to reach.
    if (listening) {
      const { port } = Object(server.address());
      const binding = { ...topic.binding, topicEndpoint: `http://[::1]:${port}/api/events` };
      expect(await createPublisher(binding).create(order)).toEqual(["a"]);
      server.close();
      server.closeAllConnections();
    }
  });
});

describe("TLS", () => {
  it("a certificate that nobody vouches for is refused, and not tried again", async () => {
    await startTls();
    const error = await rejection(publisher().create(order));

    expect(error).toMatchObject({
      code: "ERR_PUBLISH_UNAVAILABLE",
      retryable: false,
      events: [{ mayHaveArrived: false }],
    });
    expect(error.message).toMatch(/certificate/);
    expect(topic.connections).toBe(1);
    expect(topic.requests).toEqual([]);
  });

  it("an authority of one's own is named in the client's options", async () => {
    await startTls();
    const shared = publisher({ client: { tlsOptions: { ca: authority.certificate } } });

    expect(await shared.create(order)).toEqual(["a"]);
    expect(topic.requests[0]?.body).toContain('"id":"a"');
  });

  it.each<[string, () => ClientOptions]>([
    ["with it", () => ({ tlsOptions: { ca: authority.certificate } })],
    ["with an agent of one's own", () => ({ agent: new Agent({ ca: authority.certificate }) })],
  ])("also %s a request can be given up", async (_name, client) => {
    await startTls();
    topic.answer = () => "hang";
    const clock = new ManualClock();
    const shared = publisher({
      client: client(),
      clock,
      retry: { attempts: 1 },
    });
    const failed = rejection(shared.create(order));
    await topic.arrivals(1);
    clock.advance(20_000);

    expect(await failed).toMatchObject({ code: "ERR_PUBLISH_TIMEOUT" });
    await topic.requests[0]?.closed;
  });
});

describe("an answer", () => {
  it("that never ends is given up with the attempt", async () => {
    topic = await TopicServer.start(() => ({
      status: 400,
      headers: { "content-length": "100" },
      body: "{",
    }));
    const clock = new ManualClock();
    const failed = rejection(publisher({ clock, retry: { attempts: 1 } }).create(order));
    await topic.arrivals(1);
    await clock.whenScheduled(20_000);
    clock.advance(20_000);

    expect(await failed).toMatchObject({ code: "ERR_PUBLISH_TIMEOUT" });
  });

  it("that is endless is read no further than an error's text goes", async () => {
    topic = await TopicServer.start(() => refused(400, "BadRequest", "x".repeat(5_000_000)));
    const error = await rejection(publisher().create(order));

    expect(error.status).toBe(400);
    expect(error.message.length).toBeLessThan(3_000);
  });
});

describe("an HTTP client of one's own", () => {
  it("gets the exact bytes, and a signal that says when to stop", async () => {
    topic = await TopicServer.start();
    const clock = new ManualClock();
    const seen: unknown[] = [];
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const shared = publisher({
      clock,
      retry: { attempts: 1 },
      client: {
        httpClient: {
          sendRequest: ({ body, abortSignal }) =>
            new Promise((_, reject) => {
              seen.push(String(body));
              arrived();
              abortSignal?.addEventListener("abort", () => reject(new Error("stopped")));
            }),
        },
      },
    });
    const failed = rejection(shared.create({ ...order, specversion: "1.0", source: "s" }));
    await arrival;
    clock.advance(20_000);

    expect(await failed).toMatchObject({ code: "ERR_PUBLISH_TIMEOUT" });
    expect(seen).toEqual([
      '[{"type":"shop.order.placed","id":"a","specversion":"1.0","source":"s","data":1}]',
    ]);
  });
});
