import { createHash, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP, isIPv4 } from "node:net";
import * as der from "./der.js";

/** The signer of a certificate. An authority signs its own certificate. */
export interface Issuer {
  readonly commonName: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export interface CertificateRequest {
  readonly commonName: string;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Names and IP addresses of a server. @default an authority's certificate */
  readonly hosts?: readonly string[];
}

const ECDSA_WITH_SHA256 = der.sequence(der.objectIdentifier("1.2.840.10045.4.3.2"));

/**
 * Creates an X.509 certificate (RFC 5280), signed with the issuer's P-256 key, as PEM. The libraries
 * for this need a global reflection polyfill and take longer to load than the local Azure to start.
 */
export function createCertificate(request: CertificateRequest, issuer: Issuer): string {
  const body = der.sequence(
    der.contextTagged(0, der.integer(Buffer.from([2])), true),
    der.integer(serialNumber()),
    ECDSA_WITH_SHA256,
    nameOf(issuer.commonName),
    der.sequence(der.utcTime(request.notBefore), der.utcTime(request.notAfter)),
    nameOf(request.commonName),
    publicKeyInfo(request.publicKey),
    der.contextTagged(3, der.sequence(...extensionsOf(request, issuer)), true),
  );
  const signature = sign("sha256", body, { key: issuer.privateKey, dsaEncoding: "der" });
  return pem(der.sequence(body, ECDSA_WITH_SHA256, der.bitString(signature)));
}

function extensionsOf(request: CertificateRequest, issuer: Issuer): Buffer[] {
  const authority = request.hosts === undefined;
  const keyUsage = authority
    ? der.bitString(Buffer.from([0x06]), 1)
    : der.bitString(Buffer.from([0x80]), 7);
  const extensions = [
    extension("2.5.29.19", der.sequence(...(authority ? [der.boolean(true)] : [])), true),
    extension("2.5.29.15", keyUsage, true),
    extension("2.5.29.14", der.octetString(keyIdentifier(request.publicKey))),
    extension("2.5.29.35", der.sequence(der.contextTagged(0, keyIdentifier(issuer.publicKey)))),
  ];
  if (request.hosts) {
    const serverAuthentication = der.objectIdentifier("1.3.6.1.5.5.7.3.1");
    extensions.push(
      extension("2.5.29.37", der.sequence(serverAuthentication)),
      extension("2.5.29.17", der.sequence(...request.hosts.map(alternativeName))),
    );
  }
  return extensions;
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return der.sequence(
    der.objectIdentifier(id),
    ...(critical ? [der.boolean(true)] : []),
    der.octetString(value),
  );
}

function alternativeName(host: string): Buffer {
  if (isIP(host) === 0) return der.contextTagged(2, Buffer.from(host, "ascii"));
  return der.contextTagged(7, isIPv4(host) ? Buffer.from(host.split(".").map(Number)) : ipv6(host));
}

/** The sixteen bytes of an IPv6 address, with `::` expanded. */
function ipv6(address: string): Buffer {
  const [head = "", tail = ""] = address.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill("0"), ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}

function nameOf(commonName: string): Buffer {
  const attribute = der.sequence(der.objectIdentifier("2.5.4.3"), der.utf8String(commonName));
  return der.sequence(der.set(attribute));
}

function publicKeyInfo(key: KeyObject): Buffer {
  return key.export({ format: "der", type: "spki" });
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash("sha256").update(publicKeyInfo(key)).digest().subarray(0, 20);
}

/** Random and positive, with its first bit set so that the encoding keeps every byte. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
