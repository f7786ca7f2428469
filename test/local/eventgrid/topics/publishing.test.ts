import {
  AzureKeyCredential,
  AzureSASCredential,
  EventGridPublisherClient,
  generateSharedAccessSignature,
} from "@azure/eventgrid";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cloudEvent, startCloud, startShop } from "../../support/cloud.js";

const SINGLE = "application/cloudevents+json";
const BATCH = "application/cloudevents-batch+json; charset=utf-8";

async function startTopic() {
  const cloud = await startCloud();
  const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(topic.endpoint, {
      method: "POST",
      headers: { "aeg-sas-key": topic.accessKey, "content-type": SINGLE, ...headers },
      body,
    });
  return { cloud, topic, post };
}

async function errorOf(response: Response) {
  const { error } = (await response.json()) as {
    error: { code: string; message: string; details: unknown };
  };
  return { status: response.status, ...error };
}

describe("a topic", () => {
  it("has its own endpoint and a resource ID", async () => {
    const { cloud, topic } = await startTopic();
    expect(topic.id).toBe(
      "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders",
    );
    expect(topic.endpoint).toBe(`${cloud.httpOrigin}/orders.westeurope-1/api/events`);
    expect(cloud.topics.get(topic.id.toUpperCase())).toBe(topic);
  });

  it("is refused with an invalid name or one that is taken in its location", async () => {
    const { cloud } = await startTopic();
    const create = (name: string, location?: string) => () =>
      cloud.topics.create({ name, resourceGroupName: "other", location });
    expect(create("Orders")).toThrow("The topic 'Orders' already exists in westeurope");
    expect(create("o_1")).toThrow("Topic name 'o_1' is invalid.");
    expect(create("orders", "northeurope")).not.toThrow();
  });

  it("does not exist after its deletion", async () => {
    const { cloud, topic, post } = await startTopic();
    expect(cloud.topics.delete(topic.id)).toBe(true);
    expect(await errorOf(await post("{}"))).toMatchObject({
      status: 404,
      code: "ResourceNotFound",
    });
  });

  it("keeps the accepted events", async () => {
    const { topic, post } = await startTopic();
    await post(JSON.stringify(cloudEvent({ id: "a", subject: "orders/1" })));
    expect(topic.events()).toMatchObject([
      { id: "a", type: "shop.order.placed", source: "/shop", subject: "orders/1" },
    ]);
  });
});

describe("publishing with a key", () => {
  it("accepts either key", async () => {
    const { topic, post } = await startTopic();
    const { key1, key2 } = topic.keys();
    for (const key of [key1, key2]) {
      const response = await post(JSON.stringify(cloudEvent()), { "aeg-sas-key": key });
      expect(response.status).toBe(200);
    }
  });

  it("refuses a replaced key, a key of another topic and a missing key", async () => {
    const { cloud, topic, post } = await startTopic();
    const other = cloud.topics.create({ name: "other" });
    const old = topic.accessKey;
    cloud.topics.regenerateKey(topic.id, "key1");
    for (const key of [old, other.accessKey, ""]) {
      expect(await errorOf(await post("{}", { "aeg-sas-key": key }))).toMatchObject({
        status: 401,
        code: "Unauthorized",
        message: expect.stringMatching(
          /^The request authorization key is not authorized for this topic\. Report '[-0-9a-f]{36}:0:.* \(UTC\)' to our forums/,
        ),
        details: [],
      });
    }
    const nothing = await fetch(topic.endpoint, { method: "POST", body: "{}" });
    expect((await errorOf(nothing)).message).toContain("aeg-sas-token, aeg-sas-key");
  });

  it("is refused if local authentication is disabled", async () => {
    const { cloud, topic, post } = await startTopic();
    cloud.topics.update(topic.id, { localAuthEnabled: false });
    expect(await errorOf(await post("{}"))).toMatchObject({
      status: 401,
      message: expect.stringContaining("Local authentication is disabled"),
    });
  });
});

describe("publishing with a shared access signature", () => {
  const HOUR = 3_600_000;
  const signed = (topic: { endpoint: string; accessKey: string }, expiresAt: number) =>
    generateSharedAccessSignature(
      topic.endpoint,
      new AzureKeyCredential(topic.accessKey),
      new Date(expiresAt),
    );

  it("accepts one that the client library made, in either header", async () => {
    const { topic } = await startTopic();
    const token = await signed(topic, Date.now() + HOUR);
    const publish = (headers: Record<string, string>) =>
      fetch(topic.endpoint, {
        method: "POST",
        headers: { "content-type": SINGLE, ...headers },
        body: JSON.stringify(cloudEvent()),
      });
    expect((await publish({ "aeg-sas-token": token })).status).toBe(200);
    const authorization = `SharedAccessSignature ${token}`;
    expect((await publish({ authorization })).status).toBe(200);
  });

  it.each([
    "https://localhost:8443/orders.westeurope-1/api/events",
    "https://127.0.0.1:8443/orders.westeurope-1/api/events",
    "https://orders.westeurope-1.eventgrid.azure.net/api/events",
  ])("accepts one for the endpoint %s of the same topic", async (endpoint) => {
    const { topic } = await startTopic();
    const token = await signed({ endpoint, accessKey: topic.accessKey }, Date.now() + HOUR);
    const headers = { "aeg-sas-token": token, "content-type": SINGLE };
    const body = JSON.stringify(cloudEvent());
    expect((await fetch(topic.endpoint, { method: "POST", headers, body })).status).toBe(200);
  });

  it("refuses one that has expired, was changed or is for another topic", async () => {
    const { cloud, topic } = await startTopic();
    const other = cloud.topics.create({ name: "other", accessKey: topic.accessKey });
    const good = await signed(topic, Date.now() + HOUR);
    const cases: [string, string][] = [
      [await signed(topic, Date.now() - HOUR), "The request authorization signature has expired."],
      [good.replace("orders", "orderz"), "The request authorization signature is not valid."],
      ["nonsense", "The request authorization signature is not valid."],
      [`${good}%`, "The request authorization signature is not valid."],
      [await signed(other, Date.now() + HOUR), "is for another topic"],
    ];
    for (const [token, message] of cases) {
      const headers = { "aeg-sas-token": token, "content-type": SINGLE };
      const response = await fetch(topic.endpoint, { method: "POST", headers, body: "{}" });
      const error = await errorOf(response);
      expect(error.status).toBe(401);
      expect(error.message).toContain(message);
    }
  });
});

describe("publishing with a token", () => {
  const publishWith = async (cloud: Awaited<ReturnType<typeof startCloud>>, token: string) => {
    const topic = cloud.topics.create({ name: "orders" });
    return fetch(topic.endpoint, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": SINGLE },
      body: JSON.stringify(cloudEvent()),
    });
  };

  it("accepts a token for Event Grid", async () => {
    const cloud = await startCloud();
    const { clientId } = cloud.applications.create({ displayName: "shop", secret: "s3cret" });
    const response = await fetch(`${cloud.authorityHost}/${cloud.tenantId}/oauth2/v2.0/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: clientId,
        client_secret: "s3cret",
        scope: "https://eventgrid.azure.net/.default",
      }),
    });
    const { access_token } = (await response.json()) as { access_token: string };
    expect((await publishWith(cloud, access_token)).status).toBe(200);
  });

  it("refuses a token for another audience, an expired one and an unsigned one", async () => {
    const cloud = await startCloud();
    const { clientId } = cloud.applications.create({ displayName: "shop" });
    const aud = "https://eventgrid.azure.net";
    const tokens = [
      await cloud.tokens.delivery({ clientId }),
      await cloud.tokens.delivery({ clientId, claims: { aud, exp: 1 } }),
      "eyJhbGciOiJub25lIn0.eyJhdWQiOiJodHRwczovL2V2ZW50Z3JpZC5henVyZS5uZXQifQ.",
    ];
    for (const token of tokens) {
      const error = await errorOf(await publishWith(await restarted(cloud), token));
      expect(error).toMatchObject({ status: 401, code: "Unauthorized" });
    }
  });

  /** The topic's name is free again, while Entra stays. */
  const restarted = async (cloud: Awaited<ReturnType<typeof startCloud>>) => {
    for (const topic of cloud.topics.list()) cloud.topics.delete(topic.id);
    return cloud;
  };

  it("requires the role of a data sender if there is a control plane", async () => {
    const cloud = await startCloud({ control: true });
    const { clientId, servicePrincipal } = cloud.applications.create({ displayName: "shop" });
    const claims = { aud: "https://eventgrid.azure.net", oid: servicePrincipal.objectId };
    const token = await cloud.tokens.delivery({ clientId, claims });
    expect(await errorOf(await publishWith(cloud, token))).toMatchObject({
      status: 403,
      code: "Forbidden",
    });
    const scope = `/subscriptions/${cloud.subscriptionId}`;
    cloud.control.assignRole("EventGrid Data Sender", servicePrincipal.objectId, scope);
    expect((await publishWith(await restarted(cloud), token)).status).toBe(200);
  });
});

describe("size limits of publishing", () => {
  const eventOf = (bytes: number) => {
    const frame = JSON.stringify(cloudEvent({ data: "" })).length;
    return JSON.stringify(cloudEvent({ data: "x".repeat(bytes - frame) }));
  };

  it("allow an event of 1,049,600 bytes", async () => {
    const { post } = await startTopic();
    expect((await post(eventOf(1_049_600))).status).toBe(200);
    expect(await errorOf(await post(eventOf(1_049_601)))).toMatchObject({
      status: 413,
      code: "PayloadTooLarge",
      message: expect.stringContaining(
        "The maximum size (1049600) has been exceeded for the event",
      ),
    });
  });

  it("allow a request of 1,536,000 bytes", async () => {
    const { post } = await startTopic();
    const batch = (bytes: number) => `[${eventOf(1_000_000)},${eventOf(bytes - 1_000_003)}]`;
    expect((await post(batch(1_536_000), { "content-type": BATCH })).status).toBe(200);
    const tooLarge = await post(batch(1_536_001), { "content-type": BATCH });
    expect(await errorOf(tooLarge)).toMatchObject({
      status: 413,
      message: expect.stringContaining("The maximum size (1536000) has been exceeded."),
    });
  });
});

describe("an invalid CloudEvent", () => {
  it.each<[string, unknown, string]>([
    ["null for an id", { id: null }, "'id' is missing or empty"],
    ["no id", { id: undefined }, "'id' is missing or empty"],
    ["an empty source", { source: "" }, "'source' is missing or empty"],
    ["no type", { type: undefined }, "'type' is missing or empty"],
    ["another specversion", { specversion: "0.3" }, "specversion must be '1.0', not '0.3'"],
    ["a number for a subject", { subject: 1 }, "'subject' must be a string"],
    [
      "a time that is not a timestamp",
      { time: "yesterday" },
      "RFC 3339 timestamp, not 'yesterday'",
    ],
    ["a day that does not exist", { time: "2026-13-41T00:00:00Z" }, "RFC 3339 timestamp"],
    ["a capital in an extension", { traceParent: "x" }, "the attribute name 'traceParent' must"],
    ["both payloads", { data: 1, data_base64: "AA==" }, "both data and data_base64"],
  ])("with %s is answered with 400", async (_, attributes, message) => {
    const { topic, post } = await startTopic();
    const error = await errorOf(await post(JSON.stringify(cloudEvent(Object(attributes)))));
    expect(error).toMatchObject({
      status: 400,
      code: "BadRequest",
      message: expect.stringMatching(/^This resource is configured .* 'CloudEventV10' schema\./),
    });
    expect(error.message).toContain(message);
    expect(topic.events()).toEqual([]);
  });

  it.each<[string, string, string | Uint8Array<ArrayBuffer>]>([
    ["text that is no JSON", SINGLE, "{"],
    ["bytes that are no UTF-8", SINGLE, new Uint8Array([0x22, 0xff, 0x22])],
    ["an array announced as one event", SINGLE, "[]"],
    ["one event announced as an array", BATCH, JSON.stringify(cloudEvent())],
    ["an array of something else", BATCH, "[1]"],
  ])("with %s is answered with 400", async (_, contentType, body) => {
    const { post } = await startTopic();
    const error = await errorOf(await post(body, { "content-type": contentType }));
    expect(error).toMatchObject({ status: 400, code: "BadRequest" });
  });

  it.each(["application/json", "text/plain", ""])(
    "with the content type '%s' is answered with 415",
    async (contentType) => {
      const { post } = await startTopic();
      const response = await post(JSON.stringify(cloudEvent()), { "content-type": contentType });
      expect(await errorOf(response)).toMatchObject({
        status: 415,
        message: expect.stringMatching(
          /^The Content-Type header is either missing or it doesn't have a valid value\./,
        ),
      });
    },
  );

  it("makes the topic refuse the whole array", async () => {
    const { topic, post } = await startTopic();
    const body = JSON.stringify([cloudEvent(), cloudEvent({ id: "" })]);
    const error = await errorOf(await post(body, { "content-type": BATCH }));
    expect(error.message).toContain("The event at index 1 is invalid");
    expect(topic.events()).toEqual([]);
  });

  it("includes any CloudEvent for a topic with another schema", async () => {
    const cloud = await startCloud();
    const topic = cloud.topics.create({ name: "older", inputSchema: "EventGridSchema" });
    const response = await fetch(topic.endpoint, {
      method: "POST",
      headers: { "aeg-sas-key": topic.accessKey, "content-type": SINGLE },
      body: JSON.stringify(cloudEvent()),
    });
    expect(await errorOf(response)).toMatchObject({
      status: 400,
      message: expect.stringContaining("configured to receive event in 'EventGridEvent' schema"),
    });
  });

  it("does not include an empty array", async () => {
    const { post } = await startTopic();
    expect((await post("[]", { "content-type": BATCH })).status).toBe(200);
  });
});

describe("the texts of published events", () => {
  it("are delivered unchanged, with any content and white space", async () => {
    const { cloud, webhook, topic } = await startShop();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.json(), { minLength: 1, maxLength: 4 }),
        fc.constantFrom("", " ", "\n\t"),
        async (payloads, space) => {
          await cloud.reset();
          webhook.requests.length = 0;
          const texts = payloads.map(
            (data, index) =>
              `{${space}"specversion":"1.0","id":"${index}","source":"[{,","type":"a\\"]}",${space}"data":${data}}`,
          );
          const response = await fetch(topic.endpoint, {
            method: "POST",
            headers: { "aeg-sas-key": topic.accessKey, "content-type": BATCH },
            body: `${space}[${space}${texts.join(`${space},${space}`)}${space}]${space}`,
          });
          expect(response.status).toBe(200);
          await cloud.drain();
          expect(webhook.deliveries.map(({ body }) => body).sort()).toEqual(texts.sort());
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("EventGridPublisherClient of @azure/eventgrid", () => {
  const events = [
    { type: "placed", source: "/shop", id: "1", data: { article: "teapot" } },
    { type: "placed", source: "/shop", id: "2", data: { article: "cup" } },
  ];

  it("publishes with a key", async () => {
    const { cloud, webhook, topic } = await startShop();
    const client = new EventGridPublisherClient(
      topic.endpoint,
      "CloudEvent",
      new AzureKeyCredential(topic.accessKey),
      { allowInsecureConnection: true },
    );
    await client.send(events);
    await cloud.drain();
    expect(webhook.deliveries.map(({ body }) => JSON.parse(body).data.article).sort()).toEqual([
      "cup",
      "teapot",
    ]);
  });

  it("publishes with a shared access signature", async () => {
    const { topic } = await startTopic();
    const signature = await generateSharedAccessSignature(
      topic.endpoint,
      new AzureKeyCredential(topic.accessKey),
      new Date(Date.now() + 60_000),
    );
    const client = new EventGridPublisherClient(
      topic.endpoint,
      "CloudEvent",
      new AzureSASCredential(signature),
      { allowInsecureConnection: true },
    );
    await client.send(events);
    expect(topic.events().map(({ id }) => id)).toEqual(["1", "2"]);
  });

  it("reports the error for a wrong key", async () => {
    const { topic } = await startTopic();
    const client = new EventGridPublisherClient(
      topic.endpoint,
      "CloudEvent",
      new AzureKeyCredential("bm8ga2V5"),
      { allowInsecureConnection: true },
    );
    await expect(client.send(events)).rejects.toMatchObject({
      statusCode: 401,
      code: "Unauthorized",
    });
  });
});
