import { createServer } from "node:https";
import { isIPv6 } from "node:net";
import type { IngressTarget } from "cloud-eventgrid-local";
import { describe, expect, it, onTestFinished } from "vitest";
import { CertificateAuthority } from "../../../local/src/tls/index.js";
import { publishTo, startCloud, startWebhook } from "../support/cloud.js";
import { listen } from "../support/listen.js";

/** The path of the request that a local server gets for a public URL. */
async function pathBehind(
  table: (server: string) => Record<string, IngressTarget>,
  publicUrl: string,
) {
  const webhook = await startWebhook();
  const cloud = await startCloud({ ingress: table(webhook.url) });
  const scope = `/subscriptions/${cloud.subscriptionId}`;
  await cloud.eventSubscriptions
    .create({ name: "sub", scope, endpointUrl: publicUrl })
    .catch(() => undefined);
  return webhook.requests[0]?.path;
}

const A = "https://a.invalid";

describe("the ingress table", () => {
  it.each<[string, (server: string) => Record<string, IngressTarget>, string, string | undefined]>([
    ["passes the path and the query through", (to) => ({ [A]: to }), "/x/y?z=1", "/x/y?z=1"],
    ["minds the port", (to) => ({ [`${A}:8443`]: to }), "/x", undefined],
    ["replaces a path", (to) => ({ [`${A}/shop`]: `${to}/api` }), "/shop/events", "/api/events"],
    ["drops a path", (to) => ({ [`${A}/shop`]: to }), "/shop/events", "/events"],
    ["puts a path before", (to) => ({ [A]: `${to}/api` }), "/events", "/api/events"],
    ["has nothing for half a name", (to) => ({ [`${A}/shop`]: to }), "/shopping", undefined],
    [
      "takes the longest path that fits",
      (to) => ({ [A]: "http://127.0.0.1:9", [`${A}/shop`]: `${to}/right` }),
      "/shop",
      "/right",
    ],
    [
      "rewrites the beginning of paths, the longest first",
      (to) => ({ [A]: { target: to, rewrite: { "/public": "/in", "/public/hook": "/api" } } }),
      "/public/hook/events",
      "/api/events",
    ],
  ])("%s", async (_, table, path, expected) => {
    expect(await pathBehind(table, `${A}${path}`)).toBe(expected);
  });

  it("is recommended when the server at an https address speaks plain http", async () => {
    const webhook = await startWebhook();
    const cloud = await startCloud();
    const scope = `/subscriptions/${cloud.subscriptionId}`;
    const endpointUrl = webhook.url.replace("http:", "https:");
    await expect(cloud.eventSubscriptions.put({ name: "sub", scope, endpointUrl })).rejects.toThrow(
      `${endpointUrl} does not speak https; route a public address to its http address in the ingress table`,
    );
  });

  it("can be changed in a running cloud", async () => {
    const webhook = await startWebhook();
    const cloud = await startCloud();
    const scope = `/subscriptions/${cloud.subscriptionId}`;
    cloud.ingress.route(A, webhook.url);
    const props = { name: "sub", scope, endpointUrl: `${A}/hook` };
    await cloud.eventSubscriptions.put(props);
    cloud.ingress.remove(A);
    await expect(cloud.eventSubscriptions.put(props)).rejects.toThrow(
      /response code Unknown \(.+; the ingress table has no entry for https:\/\/a\.invalid\)/,
    );
  });
});

describe("endpoints over TLS", () => {
  const authority = () => {
    const made = new CertificateAuthority();
    onTestFinished(() => made.remove());
    return made;
  };

  async function startTlsWebhook(certificate: { cert: string; key: string }, host = "localhost") {
    const methods: string[] = [];
    const server = createServer(certificate, (request, response) => {
      methods.push(request.method ?? "");
      response.writeHead(200, { "webhook-allowed-origin": "eventgrid.azure.net" }).end();
    });
    const address = await listen(server, host);
    return {
      methods,
      url: `https://${address.replace(host, isIPv6(host) ? `[${host}]` : host)}/events`,
    };
  }

  it("can be targets of the ingress with a certificate for the local name", async () => {
    const ca = authority();
    const { url, methods } = await startTlsWebhook(ca.issue(["localhost"]));
    const cloud = await startCloud({ endpointCa: ca.certificate, ingress: { [A]: url } });
    const scope = `/subscriptions/${cloud.subscriptionId}`;
    await cloud.eventSubscriptions.create({ name: "sub", scope, endpointUrl: A });
    expect(methods).toEqual(["OPTIONS"]);
  });

  it.each(["localhost", "127.0.0.1", "::1"])(
    "are called at %s if their certificate comes from a trusted authority",
    async (host) => {
      const ca = authority();
      const { url, methods } = await startTlsWebhook(ca.issue([host]), host);
      const cloud = await startCloud({ endpointCa: ca.certificate });
      const topic = cloud.topics.create({ name: "orders" });
      await cloud.eventSubscriptions.create({ name: "sub", scope: topic.id, endpointUrl: url });
      await publishTo(topic);
      await cloud.drain();
      expect(methods).toEqual(["OPTIONS", "POST"]);
    },
  );

  it.each([
    ["of an authority that nobody knows", "localhost"],
    ["for another name", "other.example"],
  ])("are not called with a certificate %s", async (_, host) => {
    const ca = authority();
    const { url, methods } = await startTlsWebhook(ca.issue([host]));
    const cloud = await startCloud(host === "localhost" ? {} : { endpointCa: ca.certificate });
    const scope = `/subscriptions/${cloud.subscriptionId}`;
    await expect(
      cloud.eventSubscriptions.create({ name: "sub", scope, endpointUrl: url }),
    ).rejects.toMatchObject({
      serviceCode: "Url validation",
      message: expect.stringContaining("Http OPTIONS request failed with response code Unknown"),
    });
    expect(methods).toEqual([]);
  });
});
