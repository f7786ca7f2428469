import { createServer } from "node:net";
import { createPublisher } from "cloud-eventgrid-binding-runtime/publisher";
import { beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../support/manual-clock.js";
import { listen, startTopic } from "./harness.js";
import { rejection } from "./rejection.js";

const topic = await startTopic();
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
});

const order = (id: string) => ({ type: "shop.order.placed", id, data: 1 });

describe("an answer of 101", () => {
  /** A server that switches protocols, whatever that may mean to it. */
  async function switching(headers: string) {
    const server = createServer((socket) => {
      socket.once("data", () => socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`));
      socket.on("error", () => {});
    });
    const port = await listen(server);
    return { server, topicEndpoint: `http://127.0.0.1:${port}/api/events` };
  }

  it("is an answer that is not 200", async () => {
    const { server, topicEndpoint } = await switching("Connection: Upgrade\r\nUpgrade: other\r\n");
    const publisher = createPublisher({ ...topic.binding, topicEndpoint }, { clock });

    expect(await rejection(publisher.create(order("a")))).toMatchObject({
      code: "ERR_PUBLISH_REFUSED",
      status: 101,
      retryable: false,
    });
    server.close();
  });

  it("that is only said on the way is none", async () => {
    const { server, topicEndpoint } = await switching("");
    const publisher = createPublisher(
      { ...topic.binding, topicEndpoint },
      { clock, retry: { attempts: 1 } },
    );
    const sent = new Promise((resolve) =>
      server.on("connection", (socket) => socket.once("data", resolve)),
    );
    const failed = rejection(publisher.create(order("a")));
    await sent;
    clock.advance(20_000);

    expect(await failed).toMatchObject({
      code: "ERR_PUBLISH_TIMEOUT",
      events: [{ mayHaveArrived: true }],
    });
    server.close();
  });
});
