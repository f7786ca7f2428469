import { describe, expect, it } from "vitest";
import { heldWork } from "../../../support/gate.js";
import { exchange } from "../../../support/raw-http.js";
import { anEvent, STRUCTURED, startService } from "../service.js";

describe("the capacity", () => {
  it("is limited in bytes: further bodies get 503, announced or in chunks", async () => {
    const handler = heldWork();
    const { deliver, issuer, port } = await startService({
      limits: { requestBytes: 1500, bufferedBytes: 2000 },
      on: { "*": handler.run },
    });
    const first = deliver(anEvent({ data: "x".repeat(1000) }));
    await handler.started;
    const head = `POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\nAuthorization: Bearer ${await issuer.token()}\r\n`;
    expect((await exchange(port, [`${head}Content-Length: 1400\r\n\r\n`])).status).toBe(503);
    const chunk = "x".repeat(1200);
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n4b0\r\n${chunk}\r\n`;
    expect((await exchange(port, [chunked])).status).toBe(503);
    handler.end();
    expect((await first).status).toBe(200);
    expect((await deliver(anEvent({ data: "x".repeat(1000) }))).status).toBe(200);
  });

  it.each([
    ["with Content-Length", (body: string) => body],
    ["in chunks", (body: string) => ReadableStream.from([new TextEncoder().encode(body)])],
  ])("has room for one body of exactly the limit after another, sent %s", async (_, sent) => {
    const event = JSON.stringify(anEvent());
    const limits = { requestBytes: event.length, bufferedBytes: event.length };
    const { url, issuer } = await startService({ limits, deduplication: false });
    const headers = {
      "content-type": STRUCTURED,
      authorization: `Bearer ${await issuer.token()}`,
    };
    const send = async (body: string) =>
      (await fetch(url, { method: "POST", headers, body: sent(body), duplex: "half" })).status;
    expect(await send(`${event} `)).toBe(413);
    expect([await send(event), await send(event)]).toEqual([200, 200]);
  });
});
