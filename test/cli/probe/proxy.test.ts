import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { proxyFor } from "../../../cli/src/proxy.js";
import { startProxy } from "../../support/connect-proxy.js";
import { command } from "../command.js";
import { answering, consent } from "./probing.js";
import { ca, serveHttps, trusted, type Webhook } from "./webhooks.js";

const HOST = "hooks.example.com";

async function startWebhook(): Promise<Webhook> {
  const webhook = await serveHttps(answering(200, consent), trusted([HOST]));
  onTestFinished(() => webhook.stop());
  return webhook;
}

const probe = (env: Record<string, string>) =>
  command(["probe", `https://${HOST}/hook`], { env, replacements: { probe: { ca } } });

describe("a probe through a proxy", () => {
  it("goes through the proxy of HTTPS_PROXY, with its credentials", async () => {
    const proxy = await startProxy((await startWebhook()).port);
    const { exitCode, out } = await probe({
      HTTPS_PROXY: `http://user:pass%20word@127.0.0.1:${proxy.port}`,
    });
    expect([exitCode, out]).toEqual([0, expect.any(String)]);
    const authorization = `Basic ${Buffer.from("user:pass word").toString("base64")}`;
    expect(proxy.requests).toEqual([{ target: `${HOST}:443`, authorization }]);
  });

  it("reports the answer of a proxy that refuses, without its credentials", async () => {
    const proxy = await startProxy((await startWebhook()).port, 403);
    const { exitCode, out } = await probe({
      HTTPS_PROXY: `http://user:secret@127.0.0.1:${proxy.port}`,
    });
    expect(exitCode).toBe(16);
    expect(out).toContain(`the proxy 127.0.0.1:${proxy.port} answers 403`);
    expect(out).not.toContain("secret");
  });
});

describe("the proxy for a webhook", () => {
  const HTTPS_PROXY = "http://proxy:3128";

  it.each(["*", HOST, "example.com", ".example.com", "*.example.com", `a, ${HOST}:443`])(
    "is not used for the hosts of NO_PROXY %j",
    (NO_PROXY) => {
      const env = { HTTPS_PROXY, NO_PROXY };
      expect(proxyFor(new URL(`https://${HOST}/hook`), env)).toBeUndefined();
    },
  );

  it.each(["", "ample.com", "other.com", `${HOST}:8443`])(
    "is used for hosts that NO_PROXY %j does not name",
    (NO_PROXY) => {
      const env = { HTTPS_PROXY, NO_PROXY };
      expect(proxyFor(new URL(`https://${HOST}/hook`), env)?.host).toBe("proxy:3128");
    },
  );

  it("is not used for webhooks of this machine", () => {
    expect(proxyFor(new URL("https://localhost:8443/"), { HTTPS_PROXY })).toBeUndefined();
  });

  it("may be given without a scheme", () => {
    const url = proxyFor(new URL(`https://${HOST}/`), { HTTPS_PROXY: "proxy:3128" });
    expect(url?.href).toBe("http://proxy:3128/");
  });

  it("may be set in lower case", () => {
    const env = { https_proxy: HTTPS_PROXY };
    expect(proxyFor(new URL(`https://${HOST}/`), env)?.host).toBe("proxy:3128");
  });
});

describe("a proxy that cannot be one", () => {
  afterEach(() => vi.unstubAllEnvs());
  const subscription = "/subscriptions/22222222-2222-4222-8222-222222222222";
  const SHOP = {
    SHOP_TENANT_ID: "11111111-1111-4111-8111-111111111111",
    SHOP_CLIENT_ID: "33333333-3333-4333-8333-333333333333",
    SHOP_HANDSHAKE_PORT: "9000",
    SHOP_WEBHOOK_PATH: "/api/events",
    SHOP_SUBSCRIPTION_NAME: "shop",
    SHOP_SCOPE: subscription,
  };
  const topic = "publish --type a --topic https://t.invalid/api/events";
  const container = "https://a.blob.core.windows.net/c";
  it.each([
    `probe https://${HOST}/hook`,
    `${topic} --access-key-env KEY`,
    `${topic} --entra`,
    `doctor --env SHOP --scope ${subscription}`,
    "dead-letters replay --container c --webhook https://t.invalid --token-env KEY",
    `dead-letters list --container ${container}`,
    `dead-letters list --container ${container}?sig=a`,
  ])("is refused by %s with a message that names the variable", async (line) => {
    for (const proxy of ["ftp://hush@proxy", "http://hush%@proxy", "hush@:::"]) {
      vi.stubEnv("HTTPS_PROXY", proxy);
      const env = { ...SHOP, HTTPS_PROXY: proxy, KEY: "key" };
      const { exitCode, out, error } = await command([...line.split(" "), "--json"], { env });
      expect([exitCode, out + error]).toEqual([
        expect.any(Number),
        expect.stringContaining("HTTPS_PROXY must be the URL of an http or https proxy"),
      ]);
      expect(exitCode).not.toBe(0);
      expect(out + error).not.toContain("hush");
    }
  });
});
