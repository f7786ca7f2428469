import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createListener } from "cloud-eventgrid-binding-runtime";
import { afterAll, describe, expect, it } from "vitest";
import { inputProps } from "../../runtime/binding/example-props.js";
import { TENANT, TestIssuer } from "../../support/issuer.js";
import { cloudEventgrid } from "../built-program.js";
import { ca, serveHttps } from "./webhooks.js";

const folder = mkdtempSync(join(tmpdir(), "probe-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the built program", () => {
  it("exits with the outcome's code, and trusts the authorities in NODE_EXTRA_CA_CERTS", async () => {
    const certificates = join(folder, "ca.pem");
    writeFileSync(certificates, ca);
    const webhook = await serveHttps((_, response) => response.writeHead(503).end());
    const url = `https://localhost:${webhook.port}/api/events`;
    const distrusting = await cloudEventgrid(["probe", url, "--json"]);
    const trusting = await cloudEventgrid(["probe", "--url-env", "WEBHOOK", "--json"], {
      WEBHOOK: url,
      NODE_EXTRA_CA_CERTS: certificates,
    });
    await webhook.stop();
    expect(distrusting.exitCode).toBe(13);
    expect(JSON.parse(distrusting.out)).toMatchObject({ outcome: "certificate-not-trusted" });
    expect(trusting.exitCode).toBe(20);
    expect(JSON.parse(trusting.out)).toMatchObject({ outcome: "unavailable" });
  });

  it("gets consent from the runtime's listener", async () => {
    const issuer = await TestIssuer.start();
    const binding = {
      ...inputProps,
      cloudTenantId: TENANT,
      cloudAuthorityHost: issuer.authorityHost,
    };
    const listener = createListener(binding, {
      on: { "shop.order.placed": async () => undefined },
      host: "127.0.0.1",
      port: 0,
      logger: false,
      drainLagMs: 0,
    });
    const { url } = await listener.listen();
    const { exitCode, out } = await cloudEventgrid(["probe", url, "--json"]);
    await listener.close();
    await issuer.stop();
    expect(JSON.parse(out)).toMatchObject({ outcome: "consent" });
    expect(exitCode).toBe(0);
  });
});
