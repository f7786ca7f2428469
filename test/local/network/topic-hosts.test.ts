import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import type { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { BATCH, cloudEvent, startCloud } from "../support/cloud.js";

const HOSTS = [
  "orders.westeurope-1.eventgrid.localhost",
  "orders.westeurope-1.eventgrid.azure.net",
] as const;

/** Sends a request to a host of a topic, as a client with a hosts entry and port 443 would. */
function post(cloud: LocalCloud, host: string, headers: Record<string, string>, body: unknown) {
  const { port } = new URL(cloud.control.origin);
  return new Promise<number | undefined>((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port,
      method: "POST",
      path: "/api/events?api-version=2018-01-01",
      headers: { host, ...headers },
      servername: host,
      ca: readFileSync(cloud.control.certificates.certificateFile),
    };
    request(options, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end(JSON.stringify(body));
  });
}

/** As .NET's and Java's builders write it: https://github.com/Azure/azure-sdk-for-net, EventGridPublisherClient.cs. */
function sharedAccessSignature(host: string, key: string): string {
  const form = (text: string) => new URLSearchParams({ x: text }).toString().slice(2);
  const resource = form(`https://${host}/api/events?api-version=2018-01-01`);
  const unsigned = `r=${resource}&e=${form("1/31/2099 10:00:00 PM")}`;
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(unsigned);
  return `${unsigned}&s=${form(signature.digest("base64"))}`;
}

/*
 * Some publishers only keep the host of an endpoint (Java, older .NET), others take it as it is (Go,
 * .NET), as their sources write them.
 */
describe.each(HOSTS)("the topic's host %s", (host) => {
  it("takes events", async () => {
    const cloud = await startCloud({ control: true });
    const topic = cloud.topics.create({ name: "orders" });
    const headers = { "aeg-sas-key": topic.accessKey, "content-type": BATCH };
    expect(await post(cloud, host, headers, [cloudEvent()])).toBe(200);
    expect(topic.events()).toHaveLength(1);
  });

  it("takes a signature for it, and refuses one for another topic", async () => {
    const cloud = await startCloud({ control: true });
    const topic = cloud.topics.create({ name: "orders" });
    const signed = (name: string) => ({
      "aeg-sas-token": sharedAccessSignature(name, topic.accessKey),
      "content-type": BATCH,
    });
    expect(await post(cloud, host, signed(host), [cloudEvent()])).toBe(200);
    const other = signed(host.replace("orders", "payments"));
    expect(await post(cloud, host, other, [cloudEvent()])).toBe(401);
  });
});
