import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:https";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { CertificateAuthority } from "../../../../local/src/tls/index.js";
import { startProxy } from "../../../support/connect-proxy.js";
import { TENANT, TestIssuer } from "../../../support/issuer.js";
import { root } from "../../../support/project.js";
import { bindingFor } from "../service.js";

describe("the signing keys behind a proxy", () => {
  /** What a service logs that has only a proxy to reach its issuer, and whether it is ready. */
  async function serve(status: number, environment: Record<string, string> = {}) {
    const issuer = await TestIssuer.start();
    const authority = new CertificateAuthority();
    const server = createServer(authority.issue(["login.invalid"]), ({ url }, response) => {
      const metadata = {
        issuer: `https://login.invalid/${TENANT}/`,
        jwks_uri: "https://login.invalid/keys",
      };
      response.end(JSON.stringify(url === "/keys" ? { keys: [issuer.key.jwk] } : metadata));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const proxy = await startProxy(typeof address === "object" ? (address?.port ?? 0) : 0, status);
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
      authority.remove();
      await issuer.stop();
    });
    const binding = { ...bindingFor(issuer), cloudAuthorityHost: "https://login.invalid" };
    const code = `
      const { createWebhook } = require("./runtime/dist/listener/index.js");
      const webhook = createWebhook(${JSON.stringify(binding)}, { on: { "*": () => {} } });
      process.on("exit", () => console.log("ready", webhook.isReady()));
    `;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["-e", code], {
      cwd: root,
      env: {
        NODE_EXTRA_CA_CERTS: authority.certificateFile,
        HTTPS_PROXY: `http://user:hush@127.0.0.1:${proxy.port}`,
        ...environment,
      },
    });
    return { log: stdout + stderr, proxy, isReady: stdout.trim().endsWith("ready true") };
  }

  it("are fetched through it, and keep no process alive", async () => {
    const { isReady, proxy } = await serve(200);
    expect(isReady).toBe(true);
    const authorization = `Basic ${Buffer.from("user:hush").toString("base64")}`;
    const request = { target: "login.invalid:443", authorization };
    expect(proxy.requests).toEqual(proxy.requests.map(() => request));
  });

  it("are fetched without it if NO_PROXY lists their host", async () => {
    const { isReady, proxy } = await serve(200, { NO_PROXY: ".invalid" });
    expect([isReady, proxy.requests]).toEqual([false, []]);
  });

  it("cannot be fetched while it refuses, and the log names it without its password", async () => {
    const { isReady, proxy, log } = await serve(407);
    expect(isReady).toBe(false);
    expect(log).toContain(
      `the proxy answers 407: check user and password in its URL (proxy: http://127.0.0.1:${proxy.port};`,
    );
    expect(log).not.toContain("hush");
  });
});
