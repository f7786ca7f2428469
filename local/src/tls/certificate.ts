import { createHash, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP, isIPv4 } from "node:net";

/** The signer of a certificate. An authority signs its own certificate. */
export interface Issuer {
  readonly commonName: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export interface CertificateRequest {
  readonly commonName: string;
  readonly publicKey: KeyObject;
  /** Not after 2049. */
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Names and IP addresses of a server. @default an authority's certificate */
  readonly hosts?: readonly string[];
}

/**
 * Creates an X.509 certificate (RFC 5280), signed with the issuer's P-256 key, as PEM. The libraries
 * for this need a global reflection polyfill and take longer to load than the local Azure to start.
 */
export function createCertificate(request: CertificateRequest, issuer: Issuer): string {
  const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
  const body = sequence(
    der(0xa0, der(INTEGER, Buffer.from([2]))), // version 3
    der(INTEGER, serialNumber()),
    ecdsaWithSha256,
    nameOf(issuer.commonName),
    sequence(utcTime(request.notBefore), utcTime(request.notAfter)),
    nameOf(request.commonName),
    publicKeyInfo(request.publicKey),
    der(0xa3, sequence(...extensionsOf(request, issuer))),
  );
  const signature = sign("sha256", body, { key: issuer.privateKey, dsaEncoding: "der" });
  return pem(sequence(body, ecdsaWithSha256, bits(signature)));
}

function extensionsOf({ hosts, publicKey }: CertificateRequest, issuer: Issuer): Buffer[] {
  const identifiers = [
    extension("551d0e", der(OCTET_STRING, keyIdentifier(publicKey))),
    extension("551d23", sequence(der(0x80, keyIdentifier(issuer.publicKey)))),
  ];
  if (!hosts) {
    return [
      extension("551d13", sequence(TRUE), true), // basic constraints: an authority
      extension("551d0f", bits(Buffer.from([0x06]), 1), true), // usage: signs certificates
      ...identifiers,
    ];
  }
  return [
    extension("551d13", sequence(), true),
    extension("551d0f", bits(Buffer.from([0x80]), 7), true), // usage: digital signatures
    ...identifiers,
    extension("551d25", sequence(oid("2b06010505070301"))), // server authentication
    extension("551d11", sequence(...hosts.map(alternativeName))),
  ];
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [TRUE] : []), der(OCTET_STRING, value));
}

function alternativeName(host: string): Buffer {
  if (isIP(host) === 0) return der(0x82, Buffer.from(host));
  return der(0x87, isIPv4(host) ? Buffer.from(host.split(".").map(Number)) : ipv6(host));
}

/** The sixteen bytes of an IPv6 address, with `::` expanded. */
function ipv6(address: string): Buffer {
  const parts = address.split("::").map((part) => part.split(":"));
  const missing = Array<string>(8 - parts.flat().length).fill("");
  const all = parts.reduce((head, tail) => head.concat(missing, tail));
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}

function nameOf(commonName: string): Buffer {
  return sequence(der(SET, sequence(oid("550403"), der(UTF8_STRING, Buffer.from(commonName)))));
}

function publicKeyInfo(key: KeyObject): Buffer {
  return key.export({ format: "der", type: "spki" });
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash("sha256").update(publicKeyInfo(key)).digest().subarray(0, 20);
}

/** Random and positive, beginning with a byte of which the encoding keeps all. */
function serialNumber(): Buffer {
  return Buffer.concat([Buffer.from([0x40]), randomBytes(15)]);
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/* The parts of ASN.1's distinguished encoding rules (X.690) that a certificate needs. */

const INTEGER = 0x02;
const OCTET_STRING = 0x04;
const UTF8_STRING = 0x0c;
const SET = 0x31;
const TRUE = der(0x01, Buffer.from([0xff]));

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

/** An object identifier, by its encoded number. */
function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

/** Whole bytes as bits; `unused` counts the bits to ignore at the end. */
function bits(bytes: Buffer, unused = 0): Buffer {
  return der(0x03, Buffer.concat([Buffer.from([unused]), bytes]));
}

/** A time between 1950 and 2049, to the second. */
function utcTime(time: Date): Buffer {
  const digits = time.toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) size.unshift(rest & 0xff);
  const header = length < 0x80 ? [tag, length] : [tag, 0x80 | size.length, ...size];
  return Buffer.concat([Buffer.from(header), content]);
}
