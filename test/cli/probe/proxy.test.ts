import { createServer } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { proxyFor } from "../../../cli/src/probe/index.js";
import { command } from "../command.js";
import { answering, consent } from "./probing.js";
import { ca, serveHttps, trusted, type Webhook } from "./webhooks.js";

const HOST = "hooks.example.com";
const running: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
});

/** A proxy that resolves every host name to one webhook, and records the requests. */
async function startProxy(webhook: Webhook, status = 200) {
  const requests: { target: string | undefined; authorization: string | undefined }[] = [];
  const server = createServer();
  server.on("connect", ({ url, headers }, socket) => {
    requests.push({ target: url, authorization: headers["proxy-authorization"] });
    socket.on("error", () => socket.destroy());
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const upstream = connect(webhook.port, "localhost", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  running.push({
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return { requests, port: address.port };
}

async function startWebhook(): Promise<Webhook> {
  const webhook = await serveHttps(answering(200, consent), trusted([HOST]));
  running.push(webhook);
  return webhook;
}

const probe = (env: Record<string, string>) =>
  command(["probe", `https://${HOST}/hook`], { env, replacements: { probe: { ca } } });

describe("a probe through a proxy", () => {
  it("goes through the proxy of HTTPS_PROXY, with its credentials", async () => {
    const proxy = await startProxy(await startWebhook());
    const { exitCode, out } = await probe({
      HTTPS_PROXY: `http://user:pass%20word@127.0.0.1:${proxy.port}`,
    });
    expect([exitCode, out]).toEqual([0, expect.any(String)]);
    const authorization = `Basic ${Buffer.from("user:pass word").toString("base64")}`;
    expect(proxy.requests).toEqual([{ target: `${HOST}:443`, authorization }]);
  });

  it("reports the answer of a proxy that refuses, without its credentials", async () => {
    const proxy = await startProxy(await startWebhook(), 403);
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
