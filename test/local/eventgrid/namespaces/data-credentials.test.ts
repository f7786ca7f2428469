import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { cloudEvent } from "../../support/cloud.js";
import { refusal, SINGLE, startNamespace, VERSION } from "./start-namespace.js";

type Started = Awaited<ReturnType<typeof startNamespace>>;

const publishWith = ({ namespace }: Started, headers: Record<string, string>, query = "") =>
  fetch(`${namespace.endpoint}/topics/orders:publish?${VERSION}${query}`, {
    method: "POST",
    headers: { "content-type": SINGLE, ...headers },
    body: JSON.stringify(cloudEvent({ data: 1 })),
  });

/** A wrong query is the answer to accepted credentials: the request does not wait. */
const receiveWith = ({ namespace }: Started, headers: Record<string, string>) =>
  fetch(
    `${namespace.endpoint}/topics/orders/eventsubscriptions/shop:receive?${VERSION}&maxEvents=0`,
    { method: "POST", headers },
  );

describe("the data plane", () => {
  it("accepts keys of the namespace and of the topic in every documented place", async () => {
    const started = await startNamespace();
    const { namespace, topic } = started;
    const { key1, key2 } = topic.keys();
    for (const key of [namespace.keys().key1, namespace.keys().key2, key1, key2]) {
      const places = [
        await publishWith(started, { authorization: `SharedAccessKey ${key}` }),
        await publishWith(started, { "aeg-sas-key": key }),
        await publishWith(started, {}, `&aeg-sas-key=${encodeURIComponent(key)}`),
      ];
      expect(places.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
  });

  it("refuses keys of another topic, replaced and missing keys", async () => {
    const started = await startNamespace();
    const { namespace, topic } = started;
    const other = namespace.topics.create({ name: "other" });
    const old = topic.accessKey;
    topic.regenerateKey("key1");
    for (const key of [other.accessKey, old]) {
      const refused = await publishWith(started, { authorization: `SharedAccessKey ${key}` });
      expect(await refusal(refused)).toMatchObject({ status: 401, header: "Unauthorized" });
    }
    expect((await publishWith(started, {})).status).toBe(401);
  });
});

describe("a shared access signature", () => {
  const sign = (resource: string, key: string, expiry = "1/31/2999 10:00:00 PM") => {
    const signed = `r=${encodeURIComponent(resource)}&e=${encodeURIComponent(expiry)}`;
    const hmac = createHmac("sha256", Buffer.from(key, "base64")).update(signed).digest("base64");
    return `SharedAccessSignature ${signed}&s=${encodeURIComponent(hmac)}`;
  };

  it.each([
    ["", 200, 400],
    ["/topics/orders", 200, 400],
    ["/topics/orders/eventsubscriptions/shop", 401, 400],
    ["/topics/order", 401, 401],
    ["/topics/orders/eventsubscriptions/sho", 401, 401],
  ])(
    "signed for '%s' gets %i to publishing, %i to receiving",
    async (path, published, received) => {
      const started = await startNamespace();
      const { namespace } = started;
      const authorization = sign(`${namespace.endpoint}${path}`, namespace.accessKey);
      expect((await publishWith(started, { authorization })).status).toBe(published);
      expect((await receiveWith(started, { authorization })).status).toBe(received);
    },
  );

  it("is refused with another key and after its expiry", async () => {
    const started = await startNamespace();
    const { namespace } = started;
    for (const authorization of [
      sign(namespace.endpoint, Buffer.from("other").toString("base64")),
      sign(namespace.endpoint, namespace.accessKey, "2020-01-31T22:00:00Z"),
    ]) {
      expect((await publishWith(started, { authorization })).status).toBe(401);
    }
  });
});

describe("a token of Entra", () => {
  it.each([
    ["EventGrid Data Sender", 200, 401],
    ["EventGrid Data Receiver", 401, 400],
    ["EventGrid Data Contributor", 200, 400],
    ["EventGrid Contributor", 401, 401],
  ])("publishes and receives as the role %s allows", async (role, published, received) => {
    const started = await startNamespace({}, { control: true });
    const { cloud, namespace } = started;
    const { clientId, servicePrincipal } = cloud.applications.create({ displayName: "shop" });
    const claims = { aud: "https://eventgrid.azure.net", oid: servicePrincipal.objectId };
    const authorization = `Bearer ${await cloud.tokens.delivery({ clientId, claims })}`;
    expect((await publishWith(started, { authorization })).status).toBe(401);
    cloud.control.assignRole(role, servicePrincipal.objectId, namespace.id);
    expect((await publishWith(started, { authorization })).status).toBe(published);
    expect((await receiveWith(started, { authorization })).status).toBe(received);
  });
});
