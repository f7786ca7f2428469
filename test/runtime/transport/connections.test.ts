import { once } from "node:events";
import { createServer } from "node:net";
import { createPublisher } from "cloud-eventgrid-binding-runtime";
import { Agent, MockAgent } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CertificateAuthority } from "../../../local/src/tls/index.js";
import { ManualClock } from "../../support/manual-clock.js";
import { TopicServer } from "../../support/topic-server.js";
import { listen, publisherWith, type TimedOptions } from "../publisher/harness.js";
import { rejection } from "../publisher/rejection.js";

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
const publisher = (options?: TimedOptions) => publisherWith({}, topic.binding, options);
const trusting = () => ({
  dispatcher: new Agent({ connect: { ca: authority.certificate } }),
});
const connectionClosed = () =>
  new Promise((resolve) => topic.onConnection((socket) => socket.once("close", resolve)));

describe("connections", () => {
  it("are reused by later requests", async () => {
    topic = await TopicServer.start();
    const shared = publisher();
    for (let index = 0; index < 5; index += 1) await shared.create(order);

    expect(topic.requests).toHaveLength(5);
    expect(topic.connections).toBe(1);
    await shared.close();
  });

  it("are closed with the publisher", async () => {
    topic = await TopicServer.start();
    const closed = connectionClosed();
    const shared = publisher();
    await shared.create(order);
    await shared.close();
    await closed;
  });
});

describe("TLS", () => {
  it("refuses an untrusted certificate without retrying", async () => {
    await startTls();
    const error = await rejection(publisher().create(order));

    expect(error).toMatchObject({
      code: "ERR_PUBLISH_UNAVAILABLE",
      retryable: false,
      events: [{ mayHaveArrived: false }],
    });
    expect(error.message).toMatch(/certificate.*: name its certificate authority in NODE_EXTRA_CA/);
    expect(topic.connections).toBe(1);
    expect(topic.requests).toEqual([]);
  });

  it("reports a server that does not speak TLS", async () => {
    topic = await TopicServer.start();
    const topicEndpoint = topic.binding.topicEndpoint.replace("http:", "https:");
    const error = await rejection(
      createPublisher({ ...topic.binding, topicEndpoint }).create(order),
    );
    expect(error.message).toContain(
      "the server does not speak TLS: check the protocol and the port",
    );
  });

  it("trusts the certificate authority of a dispatcher", async () => {
    await startTls();
    expect(await publisher(trusting()).create(order)).toEqual(["a"]);
    expect(topic.requests[0]?.body).toContain('"id":"a"');
  });

  it("does not keep a request from being cancelled", async () => {
    await startTls();
    topic.answer = () => "hang";
    const clock = new ManualClock();
    const shared = publisher({ ...trusting(), clock, retry: { attempts: 1 } });
    const failed = rejection(shared.create(order));
    await topic.arrivals(1);
    clock.advance(20_000);

    expect(await failed).toMatchObject({ code: "ERR_PUBLISH_TIMEOUT" });
    await topic.requests[0]?.closed;
  });

  it("fails with the attempt if it is never established, and the event is certainly not sent", async () => {
    topic = await TopicServer.start();
    // Accepts the connection and never begins TLS.
    const server = createServer();
    const port = await listen(server);
    const connected = once(server, "connection");
    const clock = new ManualClock();
    const topicEndpoint = `https://127.0.0.1:${port}/api/events`;
    const failed = rejection(
      publisherWith(
        {},
        { ...topic.binding, topicEndpoint },
        { clock, retry: { attempts: 1 } },
      ).create(order),
    );
    const [socket] = await connected;
    await once(socket, "data");
    clock.advance(20_000);

    expect(await failed).toMatchObject({
      code: "ERR_PUBLISH_TIMEOUT",
      message: `[POST] "${topicEndpoint}": no connection within 20000 ms`,
      events: [{ mayHaveArrived: false }],
    });
    socket.destroy();
    server.close();
  });
});

describe("a dispatcher of the user's", () => {
  it("sends all requests and is not closed with the publisher", async () => {
    topic = await TopicServer.start();
    const agent = new MockAgent();
    agent.disableNetConnect();
    const pool = agent.get("https://t.example.com");
    pool.intercept({ method: "POST", path: /^\/api\/events\?/ }).reply(200, "");
    const binding = { ...topic.binding, topicEndpoint: "https://t.example.com/api/events" };
    const shared = createPublisher(binding, { dispatcher: agent });

    expect(await shared.create(order)).toEqual(["a"]);
    agent.assertNoPendingInterceptors();
    await shared.close();
    pool.intercept({ method: "POST", path: /^\/api\/events\?/ }).reply(200, "");
    expect(await createPublisher(binding, { dispatcher: agent }).create(order)).toEqual(["a"]);
  });
});
