import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { fetchIssuerDocument } from "../../../../runtime/src/listener/authentication/issuer-document.js";
import { TokenCache } from "../../../../runtime/src/listener/authentication/token-cache.js";
import { serverApp } from "../../../../runtime/src/listener/server/app.js";
import { LogLines } from "../../../support/log-lines.js";
import { anEvent, STRUCTURED, startService } from "../harness.js";

const TENANT = "11111111-1111-4111-8111-111111111111";
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Fetches the document of an issuer that answers as told. */
async function fetchFrom(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  closing.push(() => server.close());
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return fetchIssuerDocument({
    metadataUrl: `http://127.0.0.1:${port}/${TENANT}/.well-known/openid-configuration`,
    tenantId: TENANT,
    fetch,
    timeoutMs: 5_000,
    signal: new AbortController().signal,
  });
}

describe("what the issuer may send", () => {
  it("ends at 512 KiB", async () => {
    const padding = " ".repeat(600 * 1024);
    const fetched = fetchFrom((_, response) => response.end(`{}${padding}`));
    await expect(fetched).rejects.toThrow("answered with too much");
  });

  it("does not come from where a redirect leads", async () => {
    const asked: string[] = [];
    const fetched = fetchFrom((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    await expect(fetched).rejects.toThrow();
    expect(asked).toEqual([`/${TENANT}/.well-known/openid-configuration`]);
  });
});

describe("what the issuer says of itself", () => {
  const issuer = `https://sts.example/${TENANT}/`;

  it.each([
    [
      "another tenant's",
      { issuer: "https://sts.example/common/", jwks_uri: "https://sts.example/keys" },
    ],
    ["none", { jwks_uri: "https://sts.example/keys" }],
  ])("is not believed where its name is %s", async (_, metadata) => {
    const fetched = fetchFrom((_, response) => response.end(JSON.stringify(metadata)));
    await expect(fetched).rejects.toThrow(`names no issuer of tenant ${TENANT}`);
  });

  it.each(["http://sts.example/keys", "ftp://sts.example/keys", "keys", undefined])(
    "is not believed where its keys are at %j",
    async (jwks_uri) => {
      const metadata = JSON.stringify({ issuer, jwks_uri });
      const fetched = fetchFrom((_, response) => response.end(metadata));
      await expect(fetched).rejects.toThrow("has no https jwks_uri");
    },
  );

  it.each([[{}], [{ keys: [] }], [{ keys: "x" }], [{ keys: [null, { kty: "EC", kid: "1" }] }]])(
    "is no reason to forget the keys that are there where it is %j",
    async (published) => {
      const fetched = fetchFrom((request, response) => {
        const jwks_uri = `http://${request.headers.host}/keys`;
        response.end(JSON.stringify(request.url === "/keys" ? published : { issuer, jwks_uri }));
      });
      await expect(fetched).rejects.toThrow("has no usable signing key");
    },
  );
});

describe("what a line of the log shows of an anonymous caller", () => {
  it("is 100 characters of an origin or a claim", async () => {
    const log = new LogLines();
    const { url, issuer, deliver } = await startService({ logger: { level: "info", stream: log } });
    const long = "x".repeat(500);
    await fetch(url, { method: "OPTIONS", headers: { "webhook-request-origin": long } });
    await deliver(anEvent(), { token: await issuer.token({ aud: long }) });
    const shown = log.lines.filter(({ msg }) => /origin not allowed|request denied/.test(msg));
    expect(shown).toHaveLength(2);
    for (const line of shown) expect(JSON.stringify(line)).toMatch(/[^x]x{90,100}[^x]/);
  });
});

describe("verified tokens", () => {
  it("are forgotten, the oldest first, beyond a bound", () => {
    const caller = { applicationId: "a", objectId: undefined, tenantId: TENANT, roles: [] };
    const tokens = new TokenCache(2);
    for (const token of ["first", "second", "third"]) tokens.add(token, caller, 1_000);
    expect(tokens.get("first", 0)).toBeUndefined();
    expect(tokens.get("second", 0)).toBe(caller);
    expect(tokens.get("third", 0)).toBe(caller);
  });
});

describe("time that an anonymous caller can hold a connection", () => {
  it("is 10 s for the headers, 30 s for the request", async () => {
    const app = serverApp(false);
    await app.ready();
    expect(app.server.headersTimeout).toBe(10_000);
    expect(app.server.requestTimeout).toBe(30_000);
    await app.close();
  });
});

describe("the bytes of a body that does not announce its length", () => {
  it("are given back when the delivery is over", async () => {
    const { listener, issuer } = await startService({
      limits: { requestBytes: 2_000, bufferedBytes: 2_000 },
    });
    const body = JSON.stringify(anEvent({ data: "x".repeat(1_200) }));
    const deliver = async () => {
      const response = await fetch(listener.address?.url ?? "", {
        method: "POST",
        headers: {
          "content-type": STRUCTURED,
          authorization: `Bearer ${await issuer.token()}`,
        },
        body: new Blob([body]).stream(),
        duplex: "half",
      });
      return response.status;
    };
    expect([await deliver(), await deliver(), await deliver()]).toEqual([200, 200, 200]);
  });
});
