import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  X509Certificate,
} from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rootCertificates } from "node:tls";
import { createDirectory, DAY_MS, inDirectory } from "../base/index.js";
import { createCertificate, type Issuer } from "./certificate.js";

export interface CertificateAuthorityOptions {
  /**
   * Directory of the authority's certificate and key, so that a second start uses the same.
   * @default a temporary directory that `remove()` deletes
   */
  readonly directory?: string | undefined;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
}

const COMMON_NAME = "cloud-eventgrid-local authority";
/** The longest lifetime of a server's certificate that current TLS clients accept. */
const LIFETIME = 397 * DAY_MS;

/** The local Azure's own certificate authority. Clients trust it through its files. */
export class CertificateAuthority {
  /** The authority's certificate, for `NODE_EXTRA_CA_CERTS` and `curl --cacert`. */
  readonly certificateFile: string;
  readonly #bundleFile: string;
  #isBundled = false;
  /** An empty directory, for `SSL_CERT_DIR`. */
  readonly emptyDirectory: string;
  readonly certificate: string;
  readonly #issuer: Issuer;
  readonly #now: () => number;
  readonly #remove: () => void;

  constructor(options: CertificateAuthorityOptions = {}) {
    this.#now = options.now ?? Date.now;
    const directory = options.directory ?? mkdtempSync(join(tmpdir(), "cloud-eventgrid-local-"));
    this.#remove = () => {
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
    };
    this.certificateFile = join(directory, "ca.pem");
    this.#bundleFile = join(directory, "ca-bundle.pem");
    this.emptyDirectory = join(directory, "no-more-certificates");
    const keyFile = join(directory, "ca-key.pem");
    const kept = inDirectory(directory, () => {
      createDirectory(this.emptyDirectory);
      return this.#read(keyFile) ?? this.#create(keyFile);
    });
    this.#issuer = kept.issuer;
    this.certificate = kept.certificate;
    if (options.directory !== undefined) this.#writeBundle();
  }

  /**
   * With the public authorities, for settings that replace them, such as `SSL_CERT_FILE`. It is large, and
   * most tests start no program that reads it: in a temporary directory it is written on the first use.
   */
  get bundleFile(): string {
    if (!this.#isBundled) this.#writeBundle();
    return this.#bundleFile;
  }

  #writeBundle(): void {
    const bundle = [this.certificate, ...rootCertificates, ""].join("\n");
    inDirectory(dirname(this.#bundleFile), () => writeFileSync(this.#bundleFile, bundle));
    this.#isBundled = true;
  }

  /** Issues a server certificate for names and IP addresses; certificate and private key as PEM. */
  issue(hosts: readonly [string, ...string[]]): { cert: string; key: string } {
    const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const request = {
      commonName: hosts[0],
      publicKey: keys.publicKey,
      hosts,
      ...lifetimeFrom(this.#now()),
    };
    return {
      cert: createCertificate(request, this.#issuer),
      key: keys.privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    };
  }

  /** Deletes the authority's files, unless a directory was given. */
  remove(): void {
    this.#remove();
  }

  #create(keyFile: string): { issuer: Issuer; certificate: string } {
    const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const issuer = { commonName: COMMON_NAME, ...keys };
    const certificate = createCertificate(
      { commonName: COMMON_NAME, publicKey: keys.publicKey, ...lifetimeFrom(this.#now()) },
      issuer,
    );
    const key = keys.privateKey.export({ format: "pem", type: "pkcs8" });
    writeFileSync(keyFile, key, { mode: 0o600 });
    writeFileSync(this.certificateFile, certificate);
    return { issuer, certificate };
  }

  /** The authority of an earlier start; `undefined` if there is none or it expires soon. */
  #read(keyFile: string): { issuer: Issuer; certificate: string } | undefined {
    try {
      const certificate = readFileSync(this.certificateFile, "utf8");
      const privateKey = createPrivateKey(readFileSync(keyFile));
      const parsed = new X509Certificate(certificate);
      if (!parsed.checkPrivateKey(privateKey)) return undefined;
      if (Date.parse(parsed.validTo) < this.#now() + 30 * DAY_MS) return undefined;
      const publicKey = createPublicKey(privateKey);
      return { issuer: { commonName: COMMON_NAME, publicKey, privateKey }, certificate };
    } catch {
      return undefined;
    }
  }
}

function lifetimeFrom(now: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + LIFETIME - DAY_MS) };
}
