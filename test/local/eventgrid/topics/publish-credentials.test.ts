import { AzureKeyCredential, generateSharedAccessSignature } from "@azure/eventgrid";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { cloudEvent } from "../../support/cloud.js";
import { errorOf, SINGLE, startTopic } from "./start-topic.js";

/** Publishes an event with these credentials only. */
const publish = ({ endpoint }: { endpoint: string }, credentials: Record<string, string>) =>
  fetch(endpoint, {
    method: "POST",
    headers: { "content-type": SINGLE, ...credentials },
    body: JSON.stringify(cloudEvent()),
  });

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
  ])("accepts one for the endpoint %s of the same topic", async (endpoint) => {
    const { topic } = await startTopic();
    const token = await signed({ endpoint, accessKey: topic.accessKey }, Date.now() + HOUR);
    expect((await publish(topic, { "aeg-sas-token": token })).status).toBe(200);
  });

  it("refuses one that has expired in UTC, whatever the time zone of this machine", async () => {
    vi.stubEnv("TZ", "America/New_York");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { topic } = await startTopic();
    const token = await signed(topic, Date.now() - HOUR);
    expect((await publish(topic, { "aeg-sas-token": token })).status).toBe(401);
  });

  it("accepts one with a signature that is not encoded", async () => {
    const { topic } = await startTopic();
    let token = "";
    for (let hours = 1; !token.includes("%2B"); hours++) {
      token = await signed(topic, Date.now() + hours * HOUR);
    }
    const plain = token.replace(/[^=&]+$/, decodeURIComponent);
    expect(plain).toMatch(/&s=.*[+]/);
    expect((await publish(topic, { "aeg-sas-token": plain })).status).toBe(200);
  });
});

describe("publishing with a token", () => {
  it("needs one for Event Grid that is signed and has not expired", async () => {
    const aud = "https://eventgrid.azure.net";
    const { cloud, topic } = await startTopic();
    const { clientId } = cloud.applications.create({ displayName: "shop" });
    const issue = (claims: object) => cloud.tokens.delivery({ clientId, claims: { ...claims } });
    for (const cloud of ["net", "us", "cn/"]) {
      const token = await issue({ aud: `https://eventgrid.azure.${cloud}` });
      const { status } = await publish(topic, { authorization: `Bearer ${token}` });
      expect(status, cloud).toBe(200);
    }
    for (const token of [
      await issue({}),
      await issue({ aud: "https://eventgrid.azure.com" }),
      await issue({ aud, exp: 1 }),
      "eyJhbGciOiJub25lIn0.eyJhdWQiOiJodHRwczovL2V2ZW50Z3JpZC5henVyZS5uZXQifQ.",
    ]) {
      const error = await errorOf(await publish(topic, { authorization: `Bearer ${token}` }));
      expect(error).toMatchObject({ status: 401, code: "Unauthorized" });
    }
  });
});
