import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CertificateAuthority } from "../../../local/src/tls/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const hexOf = ({ raw }: X509Certificate) => raw.toString("hex");

describe("a temporary certificate authority", () => {
  let authority: CertificateAuthority;
  beforeEach(() => {
    authority = new CertificateAuthority();
  });
  afterEach(() => authority.remove());

  test("issues certificates for names and addresses that chain to it", () => {
    const labels = ["a".repeat(63), "b".repeat(63)].join(".");
    const hosts = ["127.0.0.1", "::1", "fe80::12:abcd", "1:2:3:4:5:6:7:8"];
    const { cert } = authority.issue(["localhost", ...hosts, labels, `${labels}c`]);
    const leaf = new X509Certificate(cert);
    const ca = new X509Certificate(authority.certificate);

    expect(leaf.verify(ca.publicKey)).toBe(true);
    expect(leaf.checkIssued(ca)).toBe(true);
    expect(leaf.ca).toBe(false);
    expect(ca.ca).toBe(true);
    expect(leaf.subjectAltName).toBe(
      `DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:FE80:0:0:0:0:0:12:ABCD, IP Address:1:2:3:4:5:6:7:8, DNS:${labels}, DNS:${labels}c`,
    );
    const subject = "CN=cloud-eventgrid-local authority";
    expect([ca.subject, ca.issuer, leaf.issuer]).toEqual([subject, subject, subject]);
    expect(leaf.subject).toBe("CN=localhost");
    expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    const days = (Date.parse(leaf.validTo) - Date.parse(leaf.validFrom)) / 86_400_000;
    expect(days).toBe(397);
    expect((Date.now() - Date.parse(leaf.validFrom)) / 86_400_000).toBeCloseTo(1, 2);
    // RFC 5280: version 3; critical basic constraints and key usage; SHA-256 with ECDSA.
    const constraints = "0603551d130101ff04";
    const usage = "0603551d0f0101ff0404";
    expect(hexOf(ca)).toMatch(`${constraints}0530030101ff`);
    expect(hexOf(ca)).toMatch(`${usage}03020106`);
    expect(hexOf(leaf)).toMatch(`${constraints}023000`);
    expect(hexOf(leaf)).toMatch(`${usage}03020780`);
    expect(hexOf(leaf)).toMatch(/^3082....3082....a003020102021040/);
    // X.690: the shortest form of a length, and texts in UTF-8. RFC 7468: lines of 64 characters.
    expect(hexOf(leaf)).toMatch(/827f6161.*8281806161/);
    expect(hexOf(ca)).toMatch("06035504030c");
    expect(cert.split("\n")[1]).toHaveLength(64);
    const [, own] = /0603551d0e04160414(.{40})/.exec(hexOf(ca)) ?? [];
    expect(hexOf(leaf)).toMatch(`0603551d23041830168014${own}`);
  });

  test("leaves no files behind after its removal", () => {
    const directory = dirname(authority.certificateFile);
    authority.remove();
    expect(existsSync(directory)).toBe(false);
  });

  test("writes a bundle with the public certificates", () => {
    const bundle = readFileSync(authority.bundleFile, "utf8");
    expect(bundle.startsWith(authority.certificate)).toBe(true);
    expect(bundle.match(/BEGIN CERTIFICATE/g)?.length).toBeGreaterThan(50);
  });
});

test("a certificate authority in a directory is renewed 30 days before it expires", () => {
  const directory = temporaryFolder();
  const { certificate } = new CertificateAuthority({ directory });
  const expiry = Date.parse(new X509Certificate(certificate).validTo);
  const after = (daysBefore: number) => {
    const now = () => expiry - daysBefore * 24 * 60 * 60 * 1000;
    return new CertificateAuthority({ directory, now }).certificate;
  };
  expect(after(30.5)).toBe(certificate);
  expect(after(29.5)).not.toBe(certificate);
});
