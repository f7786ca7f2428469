import { once } from "node:events";
import { createServer, request } from "node:http";
import { networkInterfaces } from "node:os";
import type { Duplex } from "node:stream";
import type { LocalCloudOptions } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { startCloud } from "../support/cloud.js";
import { listen } from "../support/listen.js";
import { runNode } from "../support/run-program.js";

/** Publishes with clients that are not configured for a local Azure. */
const publish = `
import { EventGridManagementClient } from "@azure/arm-eventgrid";
import { ResourceManagementClient } from "@azure/arm-resources";
import { EventGridPublisherClient } from "@azure/eventgrid";
import { DefaultAzureCredential } from "@azure/identity";

const credential = new DefaultAzureCredential();
const resources = new ResourceManagementClient(credential, process.env.AZURE_SUBSCRIPTION_ID);
await resources.resourceGroups.createOrUpdate("shop", { location: "westeurope" });
const management = new EventGridManagementClient(credential, process.env.AZURE_SUBSCRIPTION_ID);
const topic = await management.topics.beginCreateOrUpdateAndWait("shop", "orders", {
  location: "westeurope",
});
const client = new EventGridPublisherClient(topic.endpoint, "EventGrid", credential);
await client.send([{ eventType: "placed", subject: "1", dataVersion: "1", data: {} }]);
console.log(topic.endpoint);
`;

/** Publishes to a namespace at its own host name, and receives from it. */
const receive = `
import { ResourceManagementClient } from "@azure/arm-resources";
import { AzureKeyCredential, EventGridReceiverClient, EventGridSenderClient } from "@azure/eventgrid-namespaces";
import { DefaultAzureCredential } from "@azure/identity";

const { AZURE_SUBSCRIPTION_ID, NAMESPACE_ID, NAMESPACE_KEY } = process.env;
const resources = new ResourceManagementClient(new DefaultAzureCredential(), AZURE_SUBSCRIPTION_ID);
const { properties } = await resources.resources.getById(NAMESPACE_ID, "2025-02-15");
const endpoint = "https://" + properties.topicsConfiguration.hostname;
const key = new AzureKeyCredential(NAMESPACE_KEY);
const sender = new EventGridSenderClient(endpoint, key, "orders");
await sender.sendEvents({ specVersion: "1.0", id: "1", source: "/shop", type: "placed", data: {} });
const receiver = new EventGridReceiverClient(endpoint, key, "orders", "queue");
const { details } = await receiver.receiveEvents({ maxWaitTime: 10 });
await receiver.acknowledgeEvents(details.map(({ brokerProperties }) => brokerProperties.lockToken));
console.log(endpoint);
`;

describe("the HTTPS proxy", () => {
  it("lets clients use the cloud without any setting but the proxy", async () => {
    const cloud = await startCloud({ control: { eventGridRegistered: true } });
    const { ARM_CLIENT_ID = "" } = cloud.terraformEnvironment();
    const deployer = cloud.directory
      .tenant(cloud.tenantId)
      ?.servicePrincipals.byClientId(ARM_CLIENT_ID);
    const scope = `/subscriptions/${cloud.subscriptionId}`;
    cloud.control.assignRole("EventGrid Data Sender", deployer?.objectId ?? "", scope);

    const output = await runNode(publish, cloud.proxyEnvironment());

    expect(output).toBe("https://orders.westeurope-1.eventgrid.azure.net/api/events\n");
    expect(cloud.topics.list()[0]?.events()).toMatchObject([{ type: "placed" }]);
  });

  it("leads clients of a namespace's host name to the cloud", async () => {
    const cloud = await startCloud({ control: true });
    const namespace = cloud.namespaces.create({ name: "shop" });
    const queue = await namespace.topics
      .create({ name: "orders" })
      .subscriptions.create({ name: "queue" });
    const output = await runNode(receive, {
      ...cloud.proxyEnvironment(),
      NAMESPACE_ID: namespace.id,
      NAMESPACE_KEY: namespace.accessKey,
    });
    expect(output).toBe("https://shop.westeurope-1.eventgrid.azure.net\n");
    expect(queue.counts).toMatchObject({ waiting: 0, locked: 0, acknowledged: 1 });
  });

  it("forwards connections to all other hosts", async () => {
    const cloud = await startCloud({ control: true });
    const host = await startOtherHost();
    const body = await new Promise<string>((resolve, reject) => {
      request(cloud.httpOrigin, { method: "CONNECT", path: host })
        .on("connect", (response, socket) => {
          expect(response.statusCode).toBe(200);
          socket.end(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
          let text = "";
          socket.on("data", (chunk) => {
            text += chunk;
          });
          socket.on("end", () => resolve(text));
        })
        .on("error", reject)
        .end();
    });
    expect(body).toContain("other host");
  });

  it("answers 502 for a host that cannot be reached", async () => {
    const cloud = await startCloud({ control: true });
    expect(await connectStatus(cloud.httpOrigin, "127.0.0.1:1")).toBe(502);
  });

  it("ends its connections when the cloud stops", async () => {
    const cloud = await startCloud();
    const path = await startOtherHost();
    const socket = await new Promise<Duplex>((resolve, reject) => {
      request(cloud.httpOrigin, { method: "CONNECT", path })
        .on("connect", (_, socket) => resolve(socket))
        .on("error", reject)
        .end();
    });
    const closed = once(socket.resume(), "close");
    await cloud.close();
    await closed;
  });
});

/** An address of this machine that other machines use. */
const external = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

const title = "the HTTPS proxy for clients on other machines";
const reason = external ? "" : " (skipped: this machine has no network address)";

describe.skipIf(external === undefined)(`${title}${reason}`, () => {
  async function start(options: LocalCloudOptions = {}) {
    const cloud = await startCloud({
      host: "0.0.0.0",
      control: true,
      dashboardToken: "to:ken",
      ...options,
    });
    const fromElsewhere = cloud.httpOrigin.replace("127.0.0.1", external ?? "");
    const connect = (host: string, token?: string) => connectStatus(fromElsewhere, host, token);
    return { cloud, connect };
  }

  it("needs the token", async () => {
    const { connect } = await start();
    const host = "management.azure.com:443";
    expect(await connect(host)).toBe(407);
    expect(await connect(host, "wrong")).toBe(407);
    expect(await connect(host, "to:ken")).toBe(200);
  });

  it("reaches Azure's hosts only, unless the options allow all hosts", async () => {
    const host = await startOtherHost();
    expect(await (await start()).connect(host, "to:ken")).toBe(403);
    const { connect } = await start({ proxyForward: true });
    expect(await connect(host)).toBe(407);
    expect(await connect(host, "to:ken")).toBe(200);
  });

  it("needs no token on this machine", async () => {
    const { cloud } = await start();
    expect(await connectStatus(cloud.httpOrigin, await startOtherHost())).toBe(200);
  });

  it("lets clients sign in with the environment alone", async () => {
    const { cloud } = await start({ hostNames: [external ?? ""] });
    const environment = cloud.proxyEnvironment();
    expect(environment.HTTPS_PROXY).toBe(
      cloud.httpOrigin.replace("http://", "http://local:to%3Aken@"),
    );
    const output = await runNode(
      `
      import { ResourceManagementClient } from "@azure/arm-resources";
      import { DefaultAzureCredential } from "@azure/identity";
      const { AZURE_SUBSCRIPTION_ID } = process.env;
      const client = new ResourceManagementClient(new DefaultAzureCredential(), AZURE_SUBSCRIPTION_ID);
      console.log((await client.providers.get("Microsoft.EventGrid")).registrationState);`,
      environment,
    );
    expect(output).toBe("NotRegistered\n");
  });
});

/** A server on this machine that only this machine reaches. */
const startOtherHost = () => listen(createServer((_, response) => response.end("other host")));

function connectStatus(proxy: string, host: string, token?: string): Promise<number | undefined> {
  const credentials = Buffer.from(`local:${token}`).toString("base64");
  const headers = token === undefined ? {} : { "proxy-authorization": `Basic ${credentials}` };
  return new Promise((resolve, reject) => {
    request(proxy, { method: "CONNECT", path: host, headers })
      .on("connect", (response, socket) => {
        socket.destroy();
        resolve(response.statusCode);
      })
      .on("error", reject)
      .end();
  });
}
