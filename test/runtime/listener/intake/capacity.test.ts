import { describe, expect, it } from "vitest";
import { gate } from "../../../support/gate.js";
import { exchange } from "../../../support/raw-http.js";
import { anEvent, STRUCTURED, startService } from "../service.js";

describe("the capacity", () => {
  it("is limited in requests: further ones get 503", async () => {
    const slow = gate();
    const started = gate();
    const { deliver } = await startService({
      limits: { concurrentRequests: 1 },
      on: {
        "*": async () => {
          started.open();
          await slow.passed;
        },
      },
    });
    const first = deliver(anEvent());
    await started.passed;
    expect((await deliver(anEvent())).status).toBe(503);
    slow.open();
    expect((await first).status).toBe(200);
    expect((await deliver(anEvent())).status).toBe(200);
  });

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

  it("is not taken by callers without a token", async () => {
    const { deliver, port } = await startService({
      limits: { concurrentRequests: 1, requestBytes: 2000, bufferedBytes: 2000 },
    });
    const head =
      "POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\nContent-Length: 2000\r\n\r\n";
    const many = await Promise.all(Array.from({ length: 10 }, () => exchange(port, [head])));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await deliver(anEvent())).status).toBe(200);
  });

  it("is released when the caller disconnects", async () => {
    const { deliver, issuer, port } = await startService({ limits: { concurrentRequests: 1 } });
    const head = `POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\nAuthorization: Bearer ${await issuer.token()}\r\nContent-Length: 100\r\n\r\n{`;
    await exchange(port, [head], { end: true });
    await expect.poll(async () => (await deliver(anEvent())).status).toBe(200);
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
