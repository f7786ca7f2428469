import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export const TENANT = "11111111-1111-1111-1111-111111111111";
export const CLIENT = "22222222-2222-2222-2222-222222222222";
/** Event Grid's own application in the public cloud. */
const EVENT_GRID = "4962773b-9cdb-44cf-a8bf-237846a00ab7";
const KEY_ID = "the-key-of-the-bench";

/** An issuer like Entra over HTTP, with tokens like those of deliveries. */
export class Issuer {
  readonly #keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  readonly #server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(this.#document(request.url ?? "")));
  });
  #made = 0;

  static async start(): Promise<Issuer> {
    const issuer = new Issuer();
    issuer.#server.listen(0, "127.0.0.1");
    await once(issuer.#server, "listening");
    return issuer;
  }

  /** The `cloudAuthorityHost` of a binding. */
  get authorityHost(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  get #issuer(): string {
    return `${this.authorityHost}/${TENANT}/`;
  }

  /** Returns a new valid token. */
  token(): string {
    this.#made += 1;
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      aud: CLIENT,
      iss: this.#issuer,
      iat: now - 10,
      nbf: now - 10,
      exp: now + 24 * 3600,
      aio: "k2RgYFiVnLqMjWNNtd6KqZ9FPJzfq0xlvVm1xV8m",
      appid: EVENT_GRID,
      appidacr: "2",
      idp: this.#issuer,
      oid: "33333333-3333-3333-3333-333333333333",
      rh: "1.AXkAm-ByF6d3L0iAvwKGyhEDEQ3QZUx0UuqX7D",
      roles: ["AzureEventGridSecureWebhookSubscriber"],
      sub: "33333333-3333-3333-3333-333333333333",
      tid: TENANT,
      uti: String(this.#made).padStart(22, "A"),
      ver: "1.0",
    };
    const signed = `${encoded({ typ: "JWT", alg: "RS256", kid: KEY_ID })}.${encoded(claims)}`;
    const signature = sign("RSA-SHA256", Buffer.from(signed), this.#keys.privateKey);
    return `${signed}.${signature.toString("base64url")}`;
  }

  /** Stops the server. Tokens remain valid for servers that know the keys. */
  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  #document(path: string): object {
    if (path === `/${TENANT}/keys`) {
      const key = this.#keys.publicKey.export({ format: "jwk" });
      return { keys: [{ ...key, kid: KEY_ID, use: "sig" }] };
    }
    const issuer = path.includes("v2.0") ? `${this.#issuer}v2.0` : this.#issuer;
    return { issuer, jwks_uri: `${this.authorityHost}/${TENANT}/keys` };
  }
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

/** Returns a token with an invalid signature; a different one for each number. */
export function forged(token: string, number: number): string {
  const end = token.lastIndexOf(".") + 1;
  const mark = Buffer.from(String(number).padStart(12, "0")).toString("base64url");
  return `${token.slice(0, end)}${mark}${token.slice(end + mark.length)}`;
}
