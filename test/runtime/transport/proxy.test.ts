import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { createListener, createPublisher, createReceiver } from "cloud-eventgrid-binding-runtime";
import fc from "fast-check";
import { Agent } from "undici";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TopicServer } from "../../support/topic-server.js";
import { rejection } from "../publisher/rejection.js";

const order = { type: "shop.order.placed", id: "a", source: "/s", data: { orderId: "17" } };
const remote = { topicEndpoint: "https://t.invalid/api/events", accessKey: "key" };
const queue = {
  namespaceEndpoint: "https://t.invalid",
  topicName: "orders",
  eventSubscriptionName: "shop",
  receiveWith: "accessKey",
  accessKey: "key",
} as const;
const deliveries = {
  cloudTenantId: "11111111-1111-4111-8111-111111111111",
  cloudClientId: "33333333-3333-4333-8333-333333333333",
  handshakePort: "9000",
  path: "/api/events",
};
const once = { retry: { attempts: 1 } };

/** A proxy that tunnels to loopback addresses and refuses all others. */
let proxy: Server;
/** Its response to those it refuses; when empty, it only closes the connection. */
let refusal: string;
let address: string;
const asked: string[] = [];
beforeEach(async () => {
  asked.length = 0;
  refusal = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
  proxy = createServer();
  proxy.on("connect", ({ url = "" }, socket) => {
    asked.push(url);
    const [host, port] = url.split(":");
    if (host !== "127.0.0.1") {
      socket.end(refusal);
      return;
    }
    const target = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    for (const end of [target, socket]) end.on("error", () => {});
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterEach(() => {
  vi.unstubAllEnvs();
  proxy.closeAllConnections();
  proxy.close();
});

describe("a proxy of the environment", () => {
  beforeEach(() => vi.stubEnv("HTTPS_PROXY", `http://user:hush@${address}`));

  it("is not used for a topic on this machine", async () => {
    const topic = await TopicServer.start();
    expect(await createPublisher(topic.binding).create(order)).toEqual(["a"]);
    expect(asked).toEqual([]);
    await topic.stop();
  });

  const starts = {
    createPublisher: () => createPublisher(remote),
    createReceiver: () => createReceiver(queue, { on: { "*": () => {} } }),
    createListener: () => createListener(deliveries, { on: { "*": () => {} } }),
  };
  it.each(Object.keys(starts))("is refused by %s if it cannot be one, by its variable", (start) => {
    const given = fc.constantFrom(
      "ftp://hush@p",
      "socks5://p",
      "http://",
      "hush@:::",
      "http://hush%@p",
    );
    const variables = fc.constantFrom("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy");
    fc.assert(
      fc.property(given, variables, (proxy, variable) => {
        vi.unstubAllEnvs();
        vi.stubEnv(variable, proxy);
        let thrown: unknown;
        try {
          starts[start as keyof typeof starts]();
        } catch (error) {
          thrown = error;
        }
        expect(thrown).toMatchObject({
          code: "ERR_CONFIGURATION",
          problems: [{ field: variable, rule: "proxy" }],
        });
        expect(String(thrown)).not.toContain("hush");
      }),
    );
  });

  it("is not used for the hosts of NO_PROXY", async () => {
    vi.stubEnv("NO_PROXY", ".invalid");
    await rejection(createPublisher(remote, { ...once, attemptTimeoutMs: 2_000 }).create(order));
    expect(asked).toEqual([]);
  });

  it("is not used with a dispatcher of the user's", async () => {
    const options = { ...once, attemptTimeoutMs: 2_000, dispatcher: new Agent() };
    const error = await rejection(createPublisher(remote, options).create(order));
    expect(asked).toEqual([]);
    expect(error.message).not.toContain("proxy");
  });

  it("appears in the error without its password when it refuses the connection", async () => {
    const error = await rejection(createPublisher(remote, once).create(order));
    expect(asked).toEqual(["t.invalid:443"]);
    expect(error.message).toContain(
      `the proxy answers 403 instead of opening a tunnel (proxy: http://${address}; NO_PROXY lists`,
    );
    expect(error.message).not.toContain("hush");
  });

  it("appears in the error when it cannot be reached", async () => {
    proxy.close();
    const error = await rejection(createPublisher(remote, once).create(order));
    expect(error).toMatchObject({ code: "ERR_PUBLISH_UNAVAILABLE", retryable: true });
    expect(error.message).toContain(`connect ECONNREFUSED ${address}: no server listens there`);
    expect(error.message).toContain(` (proxy: http://${address};`);
    expect(error.events).toMatchObject([{ id: "a", mayHaveArrived: false }]);
  });
});

describe("a proxy of the environment that opens no tunnel", () => {
  const publisher = () => {
    vi.stubEnv("HTTPS_PROXY", `http://${address}`);
    return createPublisher(remote, { retry: { attempts: 3, firstDelayMs: 1 } });
  };

  it("gets one connection for each attempt when it closes them, and the error says so", async () => {
    refusal = "";
    const error = await rejection(publisher().create(order));

    expect(asked).toEqual(Array(3).fill("t.invalid:443"));
    expect(error).toMatchObject({
      code: "ERR_PUBLISH_UNAVAILABLE",
      retryable: true,
      events: [{ mayHaveArrived: false }],
      cause: { cause: { code: "UND_ERR_SOCKET" } },
    });
    expect(error.message).toContain(
      `the proxy closed the connection instead of opening a tunnel (proxy: http://${address};`,
    );
  });

  it("is not asked again after 407", async () => {
    refusal = "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n";
    const error = await rejection(publisher().create(order));

    expect(asked).toEqual(["t.invalid:443"]);
    expect(error).toMatchObject({ code: "ERR_PUBLISH_UNAVAILABLE", retryable: false });
    expect(error.message).toContain("the proxy answers 407: check user and password in its URL");
  });
});
