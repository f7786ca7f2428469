import type { ListenedBinding } from "./listener-binding.js";
import { type IssuerOptions, TrustedIssuer } from "./trusted-issuer.js";

/** Which issuer a token names: a trusted one, none of them, or one that cannot be told yet. */
export type NamedIssuer = TrustedIssuer | "unknown" | "undecided";

/** The two issuers of a tenant, of v1 and of v2 tokens, with their keys. */
export class SigningKeys {
  readonly #issuers: readonly TrustedIssuer[];

  constructor(binding: ListenedBinding, options: IssuerOptions) {
    const { authorityHost, tenantId, cloud } = binding;
    const base = `${authorityHost}/${tenantId}`;
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

  /** Fetches all keys once, whether that succeeds or not; from then on they are kept fresh. */
  async prefetch(): Promise<void> {
    await Promise.all(this.#issuers.map((issuer) => issuer.refresh()));
  }

  /** What the issuers call themselves, as far as that is known by now. */
  get names(): string[] {
    return this.#issuers.flatMap((issuer) => [...issuer.names]);
  }

  named(issuer: unknown): NamedIssuer {
    if (typeof issuer !== "string") return "unknown";
    for (const trusted of this.#issuers) if (trusted.isNamed(issuer)) return trusted;
    return this.isLoaded ? "unknown" : "undecided";
  }

  stop(): void {
    for (const issuer of this.#issuers) issuer.stop();
  }
}
