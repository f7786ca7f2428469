import type { CloudEnvironment } from "../../binding/index.js";
import { type IssuerOptions, TrustedIssuer } from "./trusted-issuer.js";

/** The tenant whose tokens are accepted. */
export interface Tenant {
  readonly tenantId: string;
  /** Base URL of the token issuer, without a trailing slash. */
  readonly authorityHost: string;
  readonly cloud: CloudEnvironment;
}

/** The signing keys of a tenant's two issuers, of v1 and of v2 tokens. */
export class SigningKeys {
  readonly #issuers: readonly TrustedIssuer[];

  constructor({ authorityHost, tenantId, cloud }: Tenant, options: IssuerOptions) {
    const base = `${authorityHost}/${tenantId}`;
    // Another authority's issuer names are only known from its metadata.
    const isCloudsOwn = authorityHost === cloud.authorityHost;
    this.#issuers = [
      new TrustedIssuer({
        ...options,
        version: "v1",
        tenantId,
        metadataUrl: `${base}/.well-known/openid-configuration`,
        knownIssuer: isCloudsOwn ? `${cloud.v1IssuerBase}/${tenantId}/` : undefined,
      }),
      new TrustedIssuer({
        ...options,
        version: "v2",
        tenantId,
        metadataUrl: `${base}/v2.0/.well-known/openid-configuration`,
        knownIssuer: isCloudsOwn ? `${base}/v2.0` : undefined,
      }),
    ];
  }

  /** Whether every token can be judged. */
  get isLoaded(): boolean {
    return this.#issuers.every((issuer) => issuer.isLoaded);
  }

  /** Fetches all keys once and keeps them fresh from then on. Resolves even if a fetch fails. */
  async prefetch(): Promise<void> {
    await Promise.all(this.#issuers.map((issuer) => issuer.refresh()));
  }

  /** The issuers' names that are known so far. */
  get names(): string[] {
    return this.#issuers.flatMap((issuer) => [...issuer.names]);
  }

  /** The issuer that a token's `iss` names; `"undecided"` while metadata is missing. */
  named(issuer: unknown): TrustedIssuer | "unknown" | "undecided" {
    if (typeof issuer !== "string") return "unknown";
    for (const trusted of this.#issuers) if (trusted.isNamed(issuer)) return trusted;
    return this.isLoaded ? "unknown" : "undecided";
  }

  stop(): void {
    for (const issuer of this.#issuers) issuer.stop();
  }
}
