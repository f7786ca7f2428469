import { createServer, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../support/manual-clock.js";
import { listen, publisherWith, type TimedOptions } from "../publisher/harness.js";
import { rejection } from "../publisher/rejection.js";

const order = { type: "shop.order.placed", id: "a", data: 1 };
const clock = new ManualClock();
const once = { clock, retry: { attempts: 1 } };

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A topic that answers every request with these bytes, and counts the requests. */
async function topicAnswering(answer: (socket: Socket) => void) {
  const state = { requests: 0, closed: Promise.resolve() };
  const server = createServer((socket) => {
    state.closed = new Promise((resolve) => socket.once("close", () => resolve()));
    socket.on("error", () => {});
    socket.on("data", () => {
      state.requests += 1;
      answer(socket);
    });
  });
  servers.push(server);
  const port = await listen(server);
  const binding = {
    topicEndpoint: `http://127.0.0.1:${port}/api/events`,
    accessKey: "key",
    name: "orders",
  };
  const publisher = (options: TimedOptions = once) => publisherWith({}, binding, options);
  return { state, publisher };
}

describe("a status of 200", () => {
  it("does not occupy a connection for longer than an attempt takes when the body never ends", async () => {
    const { state, publisher } = await topicAnswering((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
    });
    // undici keeps the time of a body.
    expect(await publisher({ ...once, attemptTimeoutMs: 1_000 }).create(order)).toEqual(["a"]);
    await state.closed;
  });
});

describe("an error status", () => {
  it("decides although the connection breaks in the middle of the body", async () => {
    const { publisher } = await topicAnswering((socket) => {
      socket.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 100\r\n\r\n{");
      socket.destroySoon();
    });
    expect(await rejection(publisher().create(order))).toMatchObject({
      code: "ERR_PUBLISH_UNAUTHORIZED",
      status: 403,
      events: [{ mayHaveArrived: false }],
    });
  });

  it("decides at the end of the attempt's time although the body never ends", async () => {
    const { publisher } = await topicAnswering((socket) => {
      socket.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 100\r\n\r\n{", () =>
        setImmediate(() => setImmediate(() => clock.advance(20_000))),
      );
    });
    expect(await rejection(publisher().create(order))).toMatchObject({ status: 400 });
  });

  it("is reported with no more of a long body than an error message takes", async () => {
    const body = JSON.stringify({ error: { code: "No", message: "x".repeat(50_000) } });
    const { publisher } = await topicAnswering((socket) => {
      socket.write(`HTTP/1.1 400 Bad Request\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    const error = await rejection(publisher().create(order));
    expect(error).toMatchObject({ status: 400, serviceCode: "No" });
    expect(error.message.length).toBeLessThan(3_000);
  });

  it("ends the connection when the body is longer than any topic's", async () => {
    const { state, publisher } = await topicAnswering((socket) => {
      socket.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 9000000\r\n\r\n");
      socket.write("x".repeat(100_000));
    });
    expect(await rejection(publisher().create(order))).toMatchObject({ status: 400 });
    await state.closed;
  });
});

describe("a request that ends in some other way", () => {
  it.each([
    ["200 and a body that breaks off", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", "end"],
    ["200 and a body that stalls", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", "nothing"],
    [
      "an informational status and 200",
      "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
      "nothing",
    ],
    ["a response in pieces", "HTTP/1.1 2|00 OK\r\nContent-|Length: 0\r\n\r\n", "nothing"],
    ["200 and a closed connection", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "end"],
  ] as const)("has its event accepted by %s", async (_name, answer, then) => {
    const { state, publisher } = await topicAnswering(answering(answer, then));
    expect(await publisher().create(order)).toEqual(["a"]);
    expect(state.requests).toBe(1);
  });

  it.each([
    ["an error whose body stalls", "HTTP/1.1 503 X\r\nContent-Length: 9\r\n\r\n{", "time out"],
    ["a reset", "", "reset"],
    ["a closed connection", "", "end"],
    ["headers that break off", "HTTP/1.1 200", "reset"],
    ["headers that stall", "HTTP/1.1 2", "time out"],
    ["an informational status alone", "HTTP/1.1 103 Early Hints\r\n\r\n", "reset"],
    ["no HTTP", "hello\r\n\r\n", "nothing"],
    [
      "a protocol switch",
      "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
      "nothing",
    ],
  ] as const)("leaves open whether its event arrived after %s", async (_name, answer, then) => {
    const { publisher } = await topicAnswering(answering(answer, then));
    expect(await rejection(publisher().create(order))).toMatchObject({
      retryable: true,
      events: [{ mayHaveArrived: true }],
    });
  });
});

/** Writes a response in its pieces, which `|` separates, and then does this. */
function answering(answer: string, then: "nothing" | "end" | "reset" | "time out") {
  return async (socket: Socket) => {
    for (const piece of answer.split("|")) {
      socket.write(piece);
      await new Promise(setImmediate);
    }
    if (then === "end") socket.end();
    if (then === "reset") socket.resetAndDestroy();
    if (then === "time out") clock.advance(20_000);
  };
}
