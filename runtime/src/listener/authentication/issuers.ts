import type { CloudEnvironment } from "../../binding/index.js";
import { IssuerKeys, type IssuerOptions } from "./signing-keys.js";

/** The tenant whose tokens are accepted. */
interface Tenant {
  readonly cloudTenantId: string;
  /** Base URL of the token issuer, without a trailing slash. */
  readonly cloudAuthorityHost: string;
  readonly cloud: CloudEnvironment;
}

/** The signing keys of a tenant's two issuers, of v1 and of v2 tokens. */
export class TrustedIssuers {
  readonly #issuers: readonly IssuerKeys[];

  constructor({ cloudAuthorityHost, cloudTenantId, cloud }: Tenant, options: IssuerOptions) {
    const base = `${cloudAuthorityHost}/${cloudTenantId}`;
    // Another authority's issuer names are only known from its metadata.
    const isCloudsOwn = cloudAuthorityHost === cloud.authorityHost;
    const common = { ...options, tenantId: cloudTenantId, isUsable: () => this.isUsable };
    this.#issuers = [
      new IssuerKeys({
        ...common,
        version: "v1",
        metadataUrl: `${base}/.well-known/openid-configuration`,
        knownIssuer: isCloudsOwn ? `${cloud.v1IssuerBase}/${cloudTenantId}/` : undefined,
      }),
      new IssuerKeys({
        ...common,
        version: "v2",
        metadataUrl: `${base}/v2.0/.well-known/openid-configuration`,
        knownIssuer: isCloudsOwn ? `${base}/v2.0` : undefined,
      }),
    ];
  }

  /**
   * Reports whether deliveries can be accepted: the keys of both issuers are loaded, or those of one while
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

  /**
   * Fetches keys that have expired, such as while the process was frozen, or never arrived. Anonymous
   * requests may call it: it shares the fetches of others, which begin at most once in 30 s then.
   * Resolves even if a fetch fails.
   */
  async renew(): Promise<void> {
    await Promise.all(this.#issuers.map((issuer) => issuer.renew()));
  }

  /** The issuers' names that are known so far. */
  get names(): string[] {
    return this.#issuers.flatMap((issuer) => [...issuer.names]);
  }

  /** The issuer that a token's `iss` names; `"metadata-missing"` while it cannot be told. */
  issuerOf(issuer: unknown): IssuerKeys | "unknown" | "metadata-missing" {
    if (typeof issuer !== "string") return "unknown";
    for (const trusted of this.#issuers) if (trusted.names.has(issuer)) return trusted;
    return this.#issuers.every(({ isLoaded }) => isLoaded) ? "unknown" : "metadata-missing";
  }

  stop(): void {
    for (const issuer of this.#issuers) issuer.stop();
  }
}
