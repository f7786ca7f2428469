import { createHmac } from "node:crypto";
import { AzureKeyCredential, generateSharedAccessSignature } from "@azure/eventgrid";
import { describe, expect, it } from "vitest";
import { cloudEvent, startCloud } from "../../support/cloud.js";
import { errorOf, SINGLE, startTopic } from "./start-topic.js";

describe("publishing with a key", () => {
  it("refuses a replaced key, a key of another topic and a missing key", async () => {
    const { cloud, topic, post } = await startTopic();
    const other = cloud.topics.create({ name: "other" });
    const old = topic.accessKey;
    cloud.topics.regenerateKey(topic.id, "key1");
    const message = expect.stringMatching(
      /^The request authorization key is not authorized for [\w-]+\.WESTEUROPE-1\.EVENTGRID\.AZURE\.NET\. Report '[-0-9a-f]{36}:0:\d+\/\d+\/\d{4} \d+:\d\d:\d\d [AP]M \(UTC\)' to our forums/,
    );
    for (const key of [old, other.accessKey, ""]) {
      expect(await errorOf(await post("{}", { "aeg-sas-key": key }))).toMatchObject({
        status: 401,
        code: "Unauthorized",
        message,
        details: [{ code: "Unauthorized", message }],
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
    // Azure has no such key: it is for tests, and for the tools of the local Azure.
    const tool = { "aeg-sas-key": topic.publishKey };
    expect((await post(JSON.stringify(cloudEvent()), tool)).status).toBe(200);
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

  it.each([
    ["1/31/2999 10:00:00 PM", "2999+10"],
    ["2999-01-31T22:00:00", "T22%3A00"],
  ])(
    "accepts one for the time %s in a form's encoding, as .NET and Java write it",
    async (...time) => {
      const { topic } = await startTopic();
      const [e, encoded] = time;
      const fields = new URLSearchParams({ r: topic.endpoint, e }).toString();
      const key = Buffer.from(topic.accessKey, "base64");
      const s = createHmac("sha256", key).update(fields).digest("base64");
      expect(fields).toContain(encoded);
      for (const token of [`${fields}&s=${encodeURIComponent(s)}`, `${fields}&s=${s}`]) {
        const headers = { "aeg-sas-token": token, "content-type": SINGLE };
        const body = JSON.stringify(cloudEvent());
        expect((await fetch(topic.endpoint, { method: "POST", headers, body })).status).toBe(200);
      }
    },
  );

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
});
