import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../support/draws.js";
import { cloudEvent, post, startCloud } from "../../support/cloud.js";

const contentTypes = fc.constantFrom(
  "application/cloudevents+json",
  "application/cloudevents-batch+json",
  "text/plain",
  "",
);

/** JSON that resembles a CloudEvent more or less. */
const bodies = fc.oneof(
  fc.json(),
  fc.string(),
  fc
    .tuple(
      fc.constantFrom("id", "type", "source", "subject", "time", "data", "Data", "__proto__"),
      fc.jsonValue(),
    )
    .map(([name, value]) => JSON.stringify(cloudEvent({ [name]: value }))),
  fc.array(fc.jsonValue(), { maxLength: 3 }).map((values) => JSON.stringify(values)),
);

describe("random requests to a topic", () => {
  it("are accepted or refused, and never break the topic", async () => {
    const cloud = await startCloud();
    const topic = cloud.topics.create({ name: "orders" });
    await fc.assert(
      fc.asyncProperty(bodies, contentTypes, async (body, contentType) => {
        const response = await post(topic, body, contentType);
        expect([200, 400, 415]).toContain(response.status);
        await response.arrayBuffer();
      }),
      { numRuns: draws(40) },
    );
  });

  it("are refused with random credentials", async () => {
    const cloud = await startCloud();
    const topic = cloud.topics.create({ name: "orders" });
    const words = fc.string({ unit: "grapheme-ascii", maxLength: 60 }).map((text) => text.trim());
    const credentials = fc.oneof(
      fc.record({ "aeg-sas-key": words }),
      fc.record({ "aeg-sas-token": words.map((text) => `r=x&e=9999-01-01&s=${text}`) }),
      fc.record({ authorization: words.map((text) => `SharedAccessSignature ${text}`) }),
      fc.record({ authorization: words.map((text) => `Bearer ${text}`) }),
      fc.record({ authorization: fc.base64String().map((text) => `Bearer ${text}.${text}.`) }),
    );
    await fc.assert(
      fc.asyncProperty(credentials, async (headers) => {
        const response = await fetch(topic.endpoint, { method: "POST", headers, body: "{}" });
        expect(response.status).toBe(401);
        await response.arrayBuffer();
      }),
      { numRuns: draws(40) },
    );
  });

  it("do not break Entra", async () => {
    const { authorityHost, tenantId } = await startCloud();
    const forms = fc.dictionary(
      fc.constantFrom("client_id", "client_secret", "scope", "resource", "grant_type"),
      fc.oneof(fc.string(), fc.constantFrom("client_credentials", "https://x/.default", "%")),
    );
    const basics = fc.oneof(
      fc.constant(""),
      fc.base64String().map((text) => `Basic ${text}`),
    );
    await fc.assert(
      fc.asyncProperty(forms, basics, async (form, authorization) => {
        const response = await fetch(`${authorityHost}/${tenantId}/oauth2/v2.0/token`, {
          method: "POST",
          headers: { authorization },
          body: new URLSearchParams(form),
        });
        const { error } = Object(await response.json());
        expect(error).toEqual(expect.any(String));
        expect(response.status).toBe(error === "invalid_client" ? 401 : 400);
      }),
      { numRuns: draws(40) },
    );
  });
});
