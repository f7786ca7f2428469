import { AzureKeyCredential, AzureSASCredential, EventGridPublisherClient } from "@azure/eventgrid";
import { createPublisher } from "cloud-eventgrid-binding-runtime";
import { Agent } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CertificateAuthority } from "../../../local/src/tls/index.js";
import { TopicServer } from "../../support/topic-server.js";

/** Credentials of the Azure SDK, used by both clients. */
const credentials = {
  AzureKeyCredential: new AzureKeyCredential("key-1"),
  AzureSASCredential: new AzureSASCredential("r=https%3A%2F%2Ft&e=1%2F2%2F2026&s=a%2Bb%3D"),
  TokenCredential: {
    getToken: async () => ({ token: "token-1", expiresOnTimestamp: Date.now() + 3_600_000 }),
  },
};

/** The events in the SDK's form. */
const events = [
  {
    id: "a",
    source: "/shop/counter?desk=1",
    type: "shop.order.placed",
    subject: "orders/17",
    time: new Date(Date.UTC(2026, 0, 2, 12, 0, 0, 123)),
    datacontenttype: "application/json",
    dataschema: "https://shop.example/schema#v1",
    extensionAttributes: { tenant: "north", priority: 3, urgent: false },
    data: { orderId: "17", lines: [{ price: 17.5, note: null }], total: 0, text: "größte 😀" },
  },
  {
    id: "b",
    source: "/shop",
    type: "shop.order.placed",
    time: new Date(Date.UTC(2026, 0, 2)),
    datacontenttype: "application/json",
    data: {},
  },
  {
    id: "c",
    source: "/shop",
    type: "shop.label.printed",
    time: new Date(Date.UTC(2026, 0, 2)),
    datacontenttype: "application/octet-stream",
    data: new Uint8Array([0, 127, 128, 255]),
  },
];

let authority: CertificateAuthority;
let topic: TopicServer;
beforeAll(async () => {
  authority = new CertificateAuthority();
  // The SDK sends tokens over https only.
  topic = await TopicServer.start(undefined, authority.issue(["127.0.0.1"]));
});
afterAll(async () => {
  await topic.stop();
  authority.remove();
});
beforeEach(() => {
  topic.requests.length = 0;
});

/** The headers that mean something to Event Grid. */
function shown(headers: Readonly<Record<string, unknown>> = {}) {
  const names = ["content-type", "content-length", "aeg-sas-key", "aeg-sas-token", "authorization"];
  return Object.fromEntries(names.map((name) => [name, headers[name]]));
}

describe.each(Object.entries(credentials))("an %s", (_name, credential) => {
  it("the topic receives the same request from create as from the client of the SDK", async () => {
    const ca = authority.certificate;
    const sdk = new EventGridPublisherClient(topic.endpoint, "CloudEvent", credential, {
      tlsOptions: { ca },
    });
    await sdk.send(events);
    const publisher = createPublisher(
      {
        topicEndpoint: topic.endpoint,
        publishWith: "getToken" in credential ? "entra" : "accessKey",
      },
      { credential, dispatcher: new Agent({ connect: { ca } }) },
    );
    await publisher.create(
      events.map(({ extensionAttributes, ...event }) => ({ ...event, ...extensionAttributes })),
    );
    await publisher.close();

    const [fromSdk, ours] = topic.requests;
    expect(ours?.events).toEqual(fromSdk?.events);
    expect(ours?.events).toHaveLength(3);
    expect(ours?.method).toBe(fromSdk?.method);
    expect(ours?.url).toBe(fromSdk?.url);
    expect(shown(ours?.headers)).toEqual(shown(fromSdk?.headers));
  });
});
