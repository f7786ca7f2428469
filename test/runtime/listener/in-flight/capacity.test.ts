import { describe, expect, it } from "vitest";
import { gate } from "../../../support/gate.js";
import { exchange } from "../../../support/raw-http.js";
import { anEvent, STRUCTURED, startService } from "../service.js";

describe("the capacity", () => {
  it("is limited in bytes: further bodies get 503, announced or in chunks", async () => {
    const slow = gate();
    const started = gate();
    const { deliver, issuer, port } = await startService({
      limits: { requestBytes: 1500, bufferedBytes: 2000 },
      on: {
        "*": async () => {
          started.open();
          await slow.passed;
        },
      },
    });
    const first = deliver(anEvent({ data: "x".repeat(1000) }));
    await started.passed;
    const head = `POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\nAuthorization: Bearer ${await issuer.token()}\r\n`;
    expect((await exchange(port, [`${head}Content-Length: 1400\r\n\r\n`])).status).toBe(503);
    const chunk = "x".repeat(1200);
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n4b0\r\n${chunk}\r\n`;
    expect((await exchange(port, [chunked])).status).toBe(503);
    slow.open();
    expect((await first).status).toBe(200);
    expect((await deliver(anEvent({ data: "x".repeat(1000) }))).status).toBe(200);
  });

  it.each([
    ["with Content-Length", (body: string) => body],
    ["in chunks", (body: string) => ReadableStream.from([new TextEncoder().encode(body)])],
  ])("has room for a body of exactly the limit, sent %s", async (_, sent) => {
    const event = JSON.stringify(anEvent());
    const { url, issuer, ids } = await startService({ limits: { requestBytes: event.length } });
    const headers = {
      "content-type": STRUCTURED,
      authorization: `Bearer ${await issuer.token()}`,
    };
    const send = (body: string) =>
      fetch(url, { method: "POST", headers, body: sent(body), duplex: "half" });
    expect((await send(`${event} `)).status).toBe(413);
    expect((await send(event)).status).toBe(200);
    expect(ids()).toHaveLength(1);
  });

  it("releases the bytes of a chunked body when the delivery has ended", async () => {
    const { listener, issuer } = await startService({
      limits: { requestBytes: 2_000, bufferedBytes: 2_000 },
    });
    const body = JSON.stringify(anEvent({ data: "x".repeat(1_200) }));
    const deliver = async () => {
      const response = await fetch(listener.address?.url ?? "", {
        method: "POST",
        headers: {
          "content-type": STRUCTURED,
          authorization: `Bearer ${await issuer.token()}`,
        },
        body: new Blob([body]).stream(),
        duplex: "half",
      });
      return response.status;
    };
    expect([await deliver(), await deliver(), await deliver()]).toEqual([200, 200, 200]);
  });
});
