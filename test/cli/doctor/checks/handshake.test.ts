import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  checkHandshake,
  type HandshakeSettings,
  judgeAddress,
} from "../../../../cli/src/doctor/checks/handshake.js";
import { deliveryOf } from "../../../../cli/src/rules/index.js";
import { consent } from "../../probe/probing.js";

const NOW = Date.parse("2026-01-31T12:00:00Z");
const LOCAL = { ARM_METADATA_HOSTNAME: "127.0.0.1:1" };

/** A webhook that consents after these answers, and whose clock shows that it is ahead. */
async function startWebhook(aheadMs = 0, answers: number[] = []) {
  const date = new Date(NOW + aheadMs).toUTCString();
  const calls: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    calls.push(request.method);
    const restricted = { "x-ms-forbidden-ip": "20.1.2.3" };
    const status = answers.shift() ?? 200;
    response.writeHead(status, { ...consent, date, ...(status === 403 && restricted) }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x?code=hush`, calls };
}

/** What the check says of a webhook, or of the one that an event subscription names. */
async function says(
  webhook: { endpoint?: string; registered?: string } | undefined,
  settings: Partial<HandshakeSettings> = {},
) {
  const properties = { endpointBaseUrl: webhook?.registered };
  const delivery = deliveryOf({ destination: { endpointType: "WebHook", properties } }, false);
  const subscription = { id: "", name: "", scope: "", properties: {}, delivery };
  const found = await checkHandshake(
    { endpoint: webhook?.endpoint } as Parameters<typeof checkHandshake>[0],
    webhook && subscription,
    { probe: { origin: "eventgrid.azure.net" }, env: {}, now: () => NOW, ...settings },
  );
  return [found].flat().map(({ status, message }) => `${status}: ${message}`);
}

describe("the host of a webhook", () => {
  const cannot = (host: string) => [
    `failed: Event Grid cannot reach ${host}, which is a private address: it calls from the internet`,
  ];

  it.each(["10.1.2.3", "localhost", "orders.local", "a.internal", "x.home.arpa", "fd00::1"])(
    "%s cannot be reached",
    async (host) => {
      const endpoint = `https://${host.includes(":") ? `[${host}]` : host}/x`;
      expect(await says({ endpoint })).toEqual(cannot(host));
      expect(await says({ registered: endpoint })).toEqual(cannot(host));
      expect(await says({ endpoint, registered: "https://8.8.8.8/" })).toEqual(cannot(host));
    },
  );

  it("may be another one for the probe, which says nothing of the way from Azure", async () => {
    const { url, calls } = await startWebhook();
    const endpoint = "https://10.1.2.3/x";
    expect(await says({ endpoint }, { probeUrl: url })).toEqual(cannot("10.1.2.3"));
    const shown = url.replace("code=hush", "…");
    expect(await says({ endpoint: "https://a.example" }, { probeUrl: url })).toEqual([
      `ok: ${shown} consents`,
    ]);
    expect(await says({ endpoint: "https://notlocalhost.x" }, { probeUrl: url })).toHaveLength(1);
    expect(calls).toEqual(["OPTIONS", "OPTIONS", "OPTIONS"]);
  });

  it("may be this machine beside a local Azure", async () => {
    const { url } = await startWebhook();
    const shown = url.replace("code=hush", "…");
    expect(await says({ endpoint: url }, { env: LOCAL })).toEqual([`ok: ${shown} consents`]);
    expect(await says({ endpoint: "https://10.1.2.3/x" }, { env: LOCAL })).toEqual(
      cannot("10.1.2.3"),
    );
  });

  it("is not known, or no URL", async () => {
    expect(await says(undefined)).toEqual([]);
    expect(await says({})).toEqual(["unknown: Azure does not show its URL"]);
    expect(await says({ endpoint: "odd" })).toEqual(['failed: "odd" is no URL']);
  });
});

it("tries once more while the webhook is unavailable", async () => {
  const once = await startWebhook(0, [503]);
  expect(await says({}, { probeUrl: once.url })).toEqual([expect.stringContaining("ok: ")]);
  const twice = await startWebhook(0, [503, 503]);
  expect(await says({}, { probeUrl: twice.url })).toEqual([
    expect.stringMatching(/^failed: .*does not answer the handshake/),
  ]);
  expect([once.calls.length, twice.calls.length]).toEqual([2, 2]);
  const refusing = await startWebhook(0, [404]);
  await says({}, { probeUrl: refusing.url });
  expect(refusing.calls).toHaveLength(1);
});

it("does not know whether restrictions that refuse this machine admit Event Grid", async () => {
  const { url } = await startWebhook(0, [403]);
  expect(await says({}, { probeUrl: url })).toEqual([
    expect.stringMatching(/^unknown: .*App Service's access restrictions/),
  ]);
});

it("goes through the proxy of HTTPS_PROXY", async () => {
  const env = { HTTPS_PROXY: "http://127.0.0.1:1" };
  expect(await says({ endpoint: "https://a.example/x" }, { env })).toEqual([
    expect.stringMatching(/^failed: .*: the proxy 127.0.0.1:1 does not answer/),
  ]);
});

it.each([
  [5, undefined],
  [-5, undefined],
  [6, "6 minutes ahead of"],
  [-119, "119 minutes behind"],
  [120, "2 hours ahead of"],
])("judges a clock that is off by %i minutes", async (minutes, expected) => {
  const { url } = await startWebhook(minutes * 60_000);
  const [said = ""] = await says({}, { probeUrl: url });
  if (expected === undefined) expect(said).toMatch(/^ok: /);
  else expect(said).toMatch(new RegExp(`^failed: the clock of .* is ${expected} that of this`));
});

it("does not know whether Event Grid reaches a name that leads to a private address from here", () => {
  const judged = (address: string | undefined, env = {}) =>
    judgeAddress(new URL("https://a.example/x"), address, env).map(({ status }) => status);
  expect(judged("10.1.2.3")).toEqual(["unknown"]);
  expect(judged("10.1.2.3", LOCAL)).toEqual(["unknown"]);
  expect([judged("20.1.2.3"), judged(undefined)]).toEqual([[], []]);
  for (const address of ["127.0.0.1", "::1"]) {
    expect([judged(address), judged(address, LOCAL)]).toEqual([["unknown"], []]);
  }
  expect(judged("10.127.0.1", LOCAL)).toEqual(["unknown"]);
});
