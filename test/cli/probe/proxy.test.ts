import { describe, expect, it, onTestFinished } from "vitest";
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

  it.each(["socks5://proxy:1080", "http://"])("cannot be %j", (HTTPS_PROXY) => {
    expect(() => proxyFor(new URL(`https://${HOST}/`), { HTTPS_PROXY })).toThrow(
      "HTTPS_PROXY must be the URL of a proxy",
    );
  });

  it("may be set in lower case", () => {
    const env = { https_proxy: HTTPS_PROXY };
    expect(proxyFor(new URL(`https://${HOST}/`), env)?.host).toBe("proxy:3128");
  });
});
