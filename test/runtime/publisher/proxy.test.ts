import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { createPublisher } from "cloud-eventgrid-binding-runtime/publisher";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TopicServer } from "../../support/topic-server.js";
import { rejection } from "./rejection.js";

const order = { type: "shop.order.placed", id: "a", source: "/s", data: { orderId: "17" } };
const once = { retry: { attempts: 1 } };

/** A proxy that lets nobody through. */
let proxy: Server;
let address: string;
const asked: string[] = [];
beforeEach(async () => {
  asked.length = 0;
  proxy = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(403).end();
  });
  proxy.on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  vi.stubEnv("HTTPS_PROXY", `http://user:hush@${address}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  proxy.closeAllConnections();
  proxy.close();
});

describe("a proxy of the environment", () => {
  it("is not used for a topic on this machine", async () => {
    const topic = await TopicServer.start();
    expect(await createPublisher(topic.binding).create(order)).toEqual(["a"]);
    expect(asked).toEqual([]);
    await topic.stop();
  });

  it.each(["HTTPS_PROXY", "ALL_PROXY", "HTTP_PROXY"])("may stand in %s", async (name) => {
    vi.stubEnv("HTTPS_PROXY", undefined);
    vi.stubEnv(name, `http://${address}`);
    const binding = { topicEndpoint: "https://t.invalid/api/events", accessKey: "key" };
    await rejection(createPublisher(binding, once).create(order));
    expect(asked).toEqual(["t.invalid:443"]);
  });

  it("is not used for the hosts that NO_PROXY names", async () => {
    // It is read once in a process.
    const script = `
      const { createPublisher } = require("cloud-eventgrid-binding-runtime/publisher");
      const topicEndpoint = "https://t.invalid/api/events";
      createPublisher({ topicEndpoint, accessKey: "key" }, { attemptTimeoutMs: 2000, retry: { attempts: 1 } })
        .create({ type: "t", source: "/s" })
        // A name service that hangs would keep the process.
        .catch(({ message }) => console.log(message) ?? process.exit());`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], {
      env: { ...process.env, NO_PROXY: ".invalid" },
      timeout: 20_000,
    });
    expect(stdout).toContain("t.invalid");
    expect(stdout).not.toContain("proxy");
    expect(asked).toEqual([]);
  });

  it("is used for any other, and named by the error, without its password", async () => {
    const binding = { topicEndpoint: "https://t.invalid/api/events", accessKey: "key" };
    const error = await rejection(createPublisher(binding, once).create(order));
    expect(asked).toEqual(["t.invalid:443"]);
    expect(error.message).toContain(`(through the proxy http://${address}; NO_PROXY names`);
    expect(error.message).not.toContain("hush");
  });

  it("that is down is named as well", async () => {
    proxy.close();
    const binding = { topicEndpoint: "https://t.invalid/api/events", accessKey: "key" };
    const error = await rejection(createPublisher(binding, once).create(order));
    expect(error).toMatchObject({ code: "ERR_PUBLISH_UNAVAILABLE", retryable: true });
    expect(error.message).toContain(
      `connect ECONNREFUSED ${address} (through the proxy http://${address}; NO_PROXY names`,
    );
    expect(error.events).toMatchObject([{ id: "a", mayHaveArrived: false }]);
  });
});

describe("a proxy that the publisher is given", () => {
  it("is used for a topic on this machine, too", async () => {
    const topic = await TopicServer.start();
    const proxyOptions = { host: "http://127.0.0.1", port: Number(address.split(":")[1]) };
    const error = await rejection(
      createPublisher(topic.binding, { ...once, client: { proxyOptions } }).create(order),
    );
    expect(error).toMatchObject({ status: 403 });
    expect(error.message).toContain(`through the proxy http://${address}`);
    await topic.stop();
  });
});
