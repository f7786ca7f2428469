import { cloudEnvironments } from "cloud-eventgrid-binding-runtime/internal";
import { describe, expect, it, onTestFinished } from "vitest";
import { createListenerWith } from "../../../../runtime/src/listener/create-listener.js";
import { systemDependencies } from "../../../../runtime/src/listener/dependencies.js";
import { EVENT_GRID, TENANT, TestIssuer } from "../../../support/issuer.js";
import { anEvent, bindingFor, STRUCTURED } from "../service.js";

const OTHER = "99999999-9999-9999-9999-999999999999";
const MANAGED_IDENTITY = "88888888-8888-8888-8888-888888888888";

/** A listener in a cloud of Azure, whose Entra is a stand-in behind `fetch`. */
async function startIn(cloudEnvironment: "public" | "usgovernment" | "china") {
  const issuer = await TestIssuer.start();
  const asked: string[] = [];
  const { cloudAuthorityHost: _, ...binding } = bindingFor(issuer);
  const listener = createListenerWith(
    { ...binding, cloudEnvironment },
    {
      on: { "*": () => {} },
      ...(cloudEnvironment === "china" && { authentication: { callers: [MANAGED_IDENTITY] } }),
      logger: false,
      port: 0,
      host: "127.0.0.1",
      drainLagMs: 0,
    },
    {
      ...systemDependencies,
      fetch: async (input) => {
        const url = new URL(String(input));
        asked.push(url.href);
        const keys = { keys: [issuer.key.jwk] };
        const metadata = {
          issuer: `https://renamed.example/${TENANT}${url.pathname.includes("v2.0") ? "/v2.0" : "/"}`,
          jwks_uri: `${url.origin}/keys`,
        };
        return Response.json(url.pathname === "/keys" ? keys : metadata);
      },
    },
  );
  const { url } = await listener.listen();
  onTestFinished(async () => {
    await listener.close();
    await issuer.stop();
  });
  const statusOf = async (...token: Parameters<typeof issuer.token>) => {
    const authorization = `Bearer ${await issuer.token(...token)}`;
    const headers = { "content-type": STRUCTURED, authorization };
    const body = JSON.stringify(anEvent());
    return (await fetch(url, { method: "POST", headers, body })).status;
  };
  const consentTo = async (origin: string) => {
    const headers = { "webhook-request-origin": origin };
    const { headers: given } = await fetch(url, { method: "OPTIONS", headers });
    return given.get("webhook-allowed-origin");
  };
  return { statusOf, consentTo, asked };
}

describe.each([
  [
    "public",
    "https://login.microsoftonline.com",
    "https://sts.windows.net",
    EVENT_GRID,
    "eventgrid.azure.net",
  ],
  [
    "usgovernment",
    "https://login.microsoftonline.us",
    "https://sts.windows.net",
    cloudEnvironments.usgovernment.eventGridApplicationId,
    "eventgrid.azure.us",
  ],
  [
    "china",
    "https://login.partner.microsoftonline.cn",
    "https://sts.chinacloudapi.cn",
    MANAGED_IDENTITY,
    "eventgrid.azure.cn",
  ],
] as const)("in the %s cloud", (cloud, authority, v1Base, caller, origin) => {
  it("fetches keys from the cloud's Entra, and knows its issuers, Event Grid and its origin", async () => {
    const { statusOf, consentTo, asked } = await startIn(cloud);
    expect(asked.toSorted()).toEqual([
      `${authority}/${TENANT}/.well-known/openid-configuration`,
      `${authority}/${TENANT}/v2.0/.well-known/openid-configuration`,
      `${authority}/keys`,
      `${authority}/keys`,
    ]);
    const v1 = { iss: `${v1Base}/${TENANT}/`, appid: caller };
    const v2 = { iss: `${authority}/${TENANT}/v2.0`, azp: caller };
    expect(await statusOf(v1)).toBe(200);
    expect(await statusOf(v2, { version: "v2" })).toBe(200);
    expect(await statusOf({ ...v1, iss: `https://renamed.example/${TENANT}/` })).toBe(200);
    expect(await statusOf({ ...v1, iss: `https://sts.example/${TENANT}/` })).toBe(401);
    const others = [OTHER, cloud === "public" ? MANAGED_IDENTITY : EVENT_GRID];
    for (const appid of others) expect(await statusOf({ ...v1, appid })).toBe(403);
    expect(await consentTo(origin)).toBe(origin);
    expect(await consentTo("eventgrid.azure.example")).toBeNull();
  });
});
