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

  /**
   * Whether deliveries can be accepted: the keys of both issuers are loaded, or those of one while
   * the other keeps failing. Event Grid's tokens have one version only.
   */
  get isUsable(): boolean {
    return (
      this.#issuers.some((issuer) => issuer.isLoaded) &&
      this.#issuers.every((issuer) => issuer.isLoaded || issuer.keepsFailing)
    );
  }

  /** Fetches all keys once and keeps them fresh from then on. Resolves even if a fetch fails. */
  async prefetch(): Promise<void> {
    await Promise.all(this.#issuers.map((issuer) => issuer.refresh()));
  }

  /** The issuers' names that are known so far. */
  get names(): string[] {
    return this.#issuers.flatMap((issuer) => [...issuer.names]);
  }

  /** The issuer that a token's `iss` names; `"metadata-missing"` while it cannot be told. */
  issuerOf(issuer: unknown): TrustedIssuer | "unknown" | "metadata-missing" {
    if (typeof issuer !== "string") return "unknown";
    for (const trusted of this.#issuers) if (trusted.isNamed(issuer)) return trusted;
    return this.#issuers.every(({ isLoaded }) => isLoaded) ? "unknown" : "metadata-missing";
  }

  stop(): void {
    for (const issuer of this.#issuers) issuer.stop();
  }
}
