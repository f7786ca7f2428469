import { generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, type JWK, SignJWT } from "jose";

export const TENANT = "11111111-1111-1111-1111-111111111111";
export const CLIENT = "22222222-2222-2222-2222-222222222222";
/** Event Grid's own application in the public cloud. */
export const EVENT_GRID = "4962773b-9cdb-44cf-a8bf-237846a00ab7";
export const ROLE = "AzureEventGridSecureWebhookSubscriber";

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: JWK;
}

export type Claims = Record<string, unknown>;

/** Generating RSA keys is slow, so the issuers of a process share a few. */
const prepared: ReturnType<typeof keyPair>[] = [];

function keyPair() {
  return generateKeyPairSync("rsa", { modulusLength: 2048 });
}

async function signingKey(pair = keyPair(), kid: string = randomUUID()): Promise<SigningKey> {
  const jwk = { ...(await exportJWK(pair.publicKey)), kid, use: "sig", kty: "RSA" };
  return { kid, ...pair, jwk };
}

/** An issuer like Entra: serves metadata and keys over HTTP, and signs tokens. */
export class TestIssuer {
  /** If false, every request gets a 503. */
  reachable = true;
  /** Paths of the requests that arrived. */
  readonly requests: string[] = [];
  /** Additional members of the JWKS. */
  extraKeys: unknown[] = [];
  /** Delays responses until it resolves. */
  gate: Promise<void> = Promise.resolve();
  #keys: SigningKey[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      this.requests.push(request.url ?? "");
      await this.gate;
      const document = this.reachable ? this.#document(request.url ?? "") : undefined;
      response.writeHead(this.reachable ? (document ? 200 : 404) : 503, {
        "content-type": "application/json",
      });
      response.end(JSON.stringify(document ?? {}));
    });
  }

  static async start(): Promise<TestIssuer> {
    const issuer = new TestIssuer();
    prepared[0] ??= keyPair();
    issuer.#keys = [await signingKey(prepared[0])];
    await new Promise<void>((resolve) => issuer.#server.listen(0, "127.0.0.1", resolve));
    return issuer;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The `cloudAuthorityHost` of a binding. */
  get authorityHost(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  get v1Issuer(): string {
    return `${this.authorityHost}/${TENANT}/`;
  }

  get v2Issuer(): string {
    return `${this.authorityHost}/${TENANT}/v2.0`;
  }

  /** The key that currently signs. */
  get key(): SigningKey {
    const [key] = this.#keys;
    if (key === undefined) throw new Error("the issuer has no key");
    return key;
  }

  /** Signs with a new key from now on. */
  async rotate({ keepOld = true, kid = randomUUID() as string } = {}): Promise<SigningKey> {
    prepared[1] ??= keyPair();
    const used = this.#keys[0]?.publicKey;
    const pair = prepared.find((one) => used === undefined || !one.publicKey.equals(used));
    const fresh = await signingKey(pair, kid);
    this.#keys = keepOld ? [fresh, ...this.#keys] : [fresh];
    return fresh;
  }

  /** The claims in the token of a delivery. */
  claims(version: "v1" | "v2" = "v1"): Claims {
    const now = Math.floor(Date.now() / 1000);
    return {
      aud: CLIENT,
      iss: version === "v1" ? this.v1Issuer : this.v2Issuer,
      iat: now - 10,
      nbf: now - 10,
      exp: now + 3600,
      ...(version === "v1" ? { appid: EVENT_GRID, ver: "1.0" } : { azp: EVENT_GRID, ver: "2.0" }),
      oid: "33333333-3333-3333-3333-333333333333",
      roles: [ROLE],
      tid: TENANT,
    };
  }

  /** A signed token; a claim that is `undefined` is omitted. */
  async token(
    claims: Claims = {},
    { version = "v1" as "v1" | "v2", key = this.key, header = {} as Record<string, unknown> } = {},
  ): Promise<string> {
    return new SignJWT({ ...this.claims(version), ...claims })
      .setProtectedHeader({ typ: "JWT", alg: "RS256", kid: key.kid, ...header })
      .sign(key.privateKey);
  }

  /** A key that the issuer does not publish. */
  async foreignKey(kid = this.key.kid): Promise<SigningKey> {
    prepared[2] ??= keyPair();
    return signingKey(prepared[2], kid);
  }

  #document(path: string): object | undefined {
    switch (path) {
      case `/${TENANT}/.well-known/openid-configuration`:
        return { issuer: this.v1Issuer, jwks_uri: `${this.authorityHost}/${TENANT}/keys` };
      case `/${TENANT}/v2.0/.well-known/openid-configuration`:
        return { issuer: this.v2Issuer, jwks_uri: `${this.authorityHost}/${TENANT}/keys` };
      case `/${TENANT}/keys`:
        return { keys: [...this.#keys.map(({ jwk }) => jwk), ...this.extraKeys] };
      default:
        return undefined;
    }
  }
}
