import { expect, it } from "vitest";
import {
  isLoopback,
  isPublicHost,
  reachableName,
  ServerNames,
  topicEndpointAt,
  topicHostOf,
  topicPathOf,
} from "../../../local/src/network/index.js";

const names = new ServerNames(["Shop.Test"]);
const TOPIC = "orders.westeurope-1.eventgrid.azure.net";

it.each<[string, (name: string) => boolean, string, string]>([
  [
    "this server's",
    (name) => names.includes(name),
    "127.0.0.1 [::1] eventgrid app.localhost host.docker.internal SHOP.test",
    "attacker.example localhost.example 127.0.0.1.example [::1].example",
  ],
  [
    "for this machine only",
    isLoopback,
    "localhost 127.0.0.1 127.8.0.1 ::1 ::ffff:127.0.0.1",
    "0.0.0.0 :: 10.127.0.1 ::ffff:10.0.0.1 a.localhost",
  ],
  [
    "one of Azure's public cloud",
    isPublicHost,
    `login.microsoftonline.com login.windows.net sts.windows.net Management.Azure.com management.core.windows.net graph.microsoft.com ${TOPIC} orders.westeurope-1.eventgrid.localhost`,
    `eventgrid.azure.net orders.westeurope.eventgrid.azure.net a.${TOPIC} ${TOPIC}.example example.com`,
  ],
])("a host name is %s", (_, is, right, wrong) => {
  for (const name of right.split(" ")) expect(is(name), name).toBe(true);
  for (const name of wrong.split(" ")) expect(is(name), name).toBe(false);
});

it("a server that listens on all addresses is reached on one, and IPv6 has brackets", () => {
  const hosts = ["0.0.0.0", "::", "::1", "shop"].map(reachableName);
  expect(hosts).toEqual(["127.0.0.1", "127.0.0.1", "[::1]", "shop"]);
});

it("a topic has a path on this server, which each of its endpoints means, and hosts of its own", () => {
  const path = "/orders.westeurope-1/api/events";
  const publicUrl = `https://${TOPIC}/api/events`;
  expect(topicEndpointAt("https://management.azure.com", path)).toBe(publicUrl);
  expect(topicEndpointAt("http://127.0.0.1:1", path)).toBe(`http://127.0.0.1:1${path}`);
  expect(topicHostOf(path)).toBe("orders.westeurope-1.eventgrid.localhost");
  for (const url of [
    publicUrl,
    `https://${topicHostOf(path)}/API/events`,
    `http://Shop.test${path}`,
  ])
    expect(topicPathOf(url, names), url).toBe(path);
  for (const url of [path, `http://example.com${path}`])
    expect(topicPathOf(url, names), url).toBeUndefined();
});
