import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { fetchIssuerDocument } from "../../../../runtime/src/listener/authentication/issuer-document.js";
import { monotonicClock } from "../../../../runtime/src/time.js";

const TENANT = "11111111-1111-4111-8111-111111111111";
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Fetches the document of an issuer that answers like this. */
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
    timer: monotonicClock,
    signal: new AbortController().signal,
  });
}

describe("an issuer's response", () => {
  it("is limited to 512 KiB", async () => {
    const padding = " ".repeat(600 * 1024);
    const fetched = fetchFrom((_, response) => response.end(`{}${padding}`));
    await expect(fetched).rejects.toThrow("is too large");
  });

  it("is not followed if it is a redirect", async () => {
    const asked: string[] = [];
    const fetched = fetchFrom((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    await expect(fetched).rejects.toThrow();
    expect(asked).toEqual([`/${TENANT}/.well-known/openid-configuration`]);
  });
});

describe("an issuer's document", () => {
  const issuer = `https://sts.example/${TENANT}/`;

  it.each([
    [
      "of another tenant",
      { issuer: "https://sts.example/common/", jwks_uri: "https://sts.example/keys" },
    ],
    ["missing", { jwks_uri: "https://sts.example/keys" }],
  ])("is rejected if its issuer is %s", async (_, metadata) => {
    const fetched = fetchFrom((_, response) => response.end(JSON.stringify(metadata)));
    await expect(fetched).rejects.toThrow(`does not name an issuer of tenant ${TENANT}`);
  });

  it.each(["http://sts.example/keys", "ftp://sts.example/keys", "keys", undefined])(
    "is rejected if its jwks_uri is %j",
    async (jwks_uri) => {
      const metadata = JSON.stringify({ issuer, jwks_uri });
      const fetched = fetchFrom((_, response) => response.end(metadata));
      await expect(fetched).rejects.toThrow("has no https jwks_uri");
    },
  );

  it.each([[{}], [{ keys: [] }], [{ keys: "x" }], [{ keys: [null, { kty: "EC", kid: "1" }] }]])(
    "is rejected if its keys are %j",
    async (published) => {
      const fetched = fetchFrom((request, response) => {
        const jwks_uri = `http://${request.headers.host}/keys`;
        response.end(JSON.stringify(request.url === "/keys" ? published : { issuer, jwks_uri }));
      });
      await expect(fetched).rejects.toThrow("has no usable signing key");
    },
  );
});
