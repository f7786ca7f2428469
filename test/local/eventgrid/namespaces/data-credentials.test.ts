import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { cloudEvent } from "../../support/cloud.js";
import { PUBLISH, RECEIVE } from "../../support/namespace-client.js";
import { startNamespace } from "./start-namespace.js";

/* What keys, signatures and tokens allow is in test/local/parity. */

describe("a shared access signature for the data plane", () => {
  it.each([
    ["for the beginning of the topic's name", "/topics/order", undefined],
    [
      "for the beginning of the event subscription's name",
      "/topics/orders/eventsubscriptions/que",
      undefined,
    ],
    ["made with another key", "", "b3RoZXI="],
  ])("is refused when it is %s", async (_, path, otherKey) => {
    const { namespace, send } = await startNamespace();
    const fields = `r=${encodeURIComponent(namespace.endpoint + path)}&e=1%2F31%2F2999+10%3A00%3A00+PM`;
    const key = Buffer.from(otherKey ?? namespace.accessKey, "base64");
    const s = encodeURIComponent(createHmac("sha256", key).update(fields).digest("base64"));
    const headers = { authorization: `SharedAccessSignature ${fields}&s=${s}` };
    for (const path of [PUBLISH, RECEIVE]) {
      expect((await send({ path, body: cloudEvent({ data: 1 }), headers })).status).toBe(401);
    }
  });
});
