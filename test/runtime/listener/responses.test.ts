import { describe, expect, it } from "vitest";
import { ROLE } from "../../support/issuer.js";
import { anEvent, STRUCTURED, startService } from "./service.js";

describe("the webhook", () => {
  it("answers 503 to Event Grid's token without the role", async () => {
    const { deliver, issuer, handled } = await startService();
    for (const roles of [undefined, [], ["Other"], ROLE]) {
      const token = await issuer.token({ roles });
      expect((await deliver(anEvent(), { token })).status).toBe(503);
    }
    expect(handled).toEqual([]);
  });

  it.each([
    ["with Content-Length", (body: string) => body],
    ["in chunks", (body: string) => ReadableStream.from([new TextEncoder().encode(body)])],
  ])("accepts a body of exactly the limit, sent %s", async (_, sent) => {
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
});
