import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assess } from "../../../cli/src/probe/assessment.js";
import { EXIT_CODES, explain, type Outcome } from "../../../cli/src/probe/outcome.js";
import { root } from "../../support/project.js";

const ORIGIN = "eventgrid.azure.net";
const consent = { "webhook-allowed-origin": ORIGIN, "webhook-allowed-rate": "120" };
const answered = (status: number, headers: object = consent) =>
  assess({ kind: "answer", status, headers: { ...headers }, address: undefined }, ORIGIN);
const failed = (code: string, message = "says why") => {
  const { outcome, observed } = assess({ kind: "failure", code, message }, ORIGIN);
  return `${outcome}: ${observed}`;
};

describe("the assessment of an answer", () => {
  // Microsoft lists the statuses of a delivery: a handshake is held to what a validation event is.
  // https://learn.microsoft.com/azure/event-grid/delivery-and-retry#message-delivery-status
  it.each<[Outcome, ...number[]]>([
    ["consent", 200, 201, 203, 204],
    ["no-consent", 202, 205, 299],
    ["redirected", 300, 302, 399],
    ["authentication-required", 401, 403, 407],
    ["wrong-path", 404, 405],
    ["unavailable", 502, 503, 504],
    ["unexpected-status", 199, 400, 402, 406, 408, 429, 499, 500, 501, 505],
  ])("is %s for the statuses %i…", (outcome, ...statuses) => {
    for (const status of statuses)
      expect([status, answered(status).outcome]).toEqual([status, outcome]);
  });

  it("has the exit code that the page of the commands lists", () => {
    const page = readFileSync(join(root, "docs/command-line.md"), "utf8");
    const rows = [...page.matchAll(/^\| (\d+) \| `([\w-]+)` \|/gm)];
    expect(EXIT_CODES).toEqual(
      Object.fromEntries(rows.map(([, code, name]) => [name, Number(code)])),
    );
  });

  it("names the status, who answered, the target without its query, and the refused address", () => {
    const location = "https://u:hush@www.example.com/api/events?code=hush#x";
    const headers = { server: "nginx\n", location, "x-ms-forbidden-ip": "20.1.2.3" };
    expect(answered(308, headers)).toEqual({
      outcome: "redirected",
      observed:
        "308 Permanent Redirect from nginx to https://www.example.com/api/events?... for 20.1.2.3",
      status: 308,
      cause: undefined,
      notes: [],
    });
    expect(answered(299, {}).observed).toBe("299, without the header WebHook-Allowed-Origin");
    expect(answered(500, { server: "x".repeat(201) }).observed).toBe(
      `500 Internal Server Error from ${"x".repeat(200)}`,
    );
  });

  // https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/http-webhook.md#42-validation-response
  it("notes the status and the rate that a consent should have", () => {
    const status = "The answer should be 200: Event Grid may refuse 204.";
    const rate = "The answer should have WebHook-Allowed-Rate, a whole number or *.";
    const notes = (code: number, allowed: string | undefined) =>
      answered(code, { ...consent, "webhook-allowed-rate": allowed }).notes;
    for (const good of ["*", "1", "10"]) expect(notes(200, good)).toEqual([]);
    for (const bad of [undefined, "", "0", "-1", "1.5", "x1", "1x", "1e3", "0x1"])
      expect(notes(200, bad)).toEqual([rate]);
    expect(notes(204, undefined)).toEqual([status, rate]);
  });

  it("compares origins without regard to case, and takes no list", () => {
    const outcome = (origin: string) =>
      answered(200, { ...consent, "webhook-allowed-origin": origin }).outcome;
    expect([outcome("*"), outcome("EventGrid.azure.net")]).toEqual(["consent", "consent"]);
    expect([outcome(`${ORIGIN}, *`), outcome("")]).toEqual(["no-consent", "no-consent"]);
  });

  it.each([
    [302, { location: "https://login.microsoftonline.com/t" }, "sign-in"],
    [302, { location: "https://login.microsoftonline.us/t" }, "sign-in"],
    [302, { location: "https://login.windows.net/t" }, "sign-in"],
    [302, { location: "https://login.partner.microsoftonline.cn/t" }, "sign-in"],
    [302, { location: "https://login.chinacloudapi.cn/t" }, "sign-in"],
    [399, { location: "https://shop.ciamlogin.com/t" }, "sign-in"],
    [300, { location: "https://shop.b2clogin.com/t" }, "sign-in"],
    [302, { location: "/.auth/login/aad" }, "sign-in"],
    [302, { location: "https://a.example/https://login.windows.net/" }, undefined],
    [302, {}, undefined],
    [404, { location: "/.auth/login/aad" }, undefined],
    [403, { "x-ms-forbidden-ip": "20.1.2.3" }, "access-restrictions"],
    [401, { "x-ms-forbidden-ip": "20.1.2.3" }, undefined],
    [403, {}, undefined],
  ])("finds in %i %j the cause %s", (status, headers, cause) => {
    expect(answered(status, headers).cause).toBe(cause);
  });

  it("takes headers of CORS for another's answer", () => {
    expect(answered(200, { "access-control-allow-origin": "*" })).toEqual({
      outcome: "cors",
      observed: "200 OK, with headers of CORS (access-control-allow-…)",
      notes: [],
      status: 200,
    });
    expect(answered(200, { "access-control-max-age": "1" }).outcome).toBe("no-consent");
  });
});

describe("the assessment of a failure", () => {
  // https://nodejs.org/api/errors.html#common-system-errors, https://nodejs.org/api/dns.html#error-codes
  it.each([
    ["ERR_PROXY", "proxy-failed: says why"],
    ...["ENOTFOUND", "EAI_AGAIN", "ENODATA"].map((code) => [
      code,
      "name-not-found: the host name cannot be resolved",
    ]),
    ["ETIMEDOUT", "no-answer: no connection in time"],
    ...["INVALID_HEADER_TOKEN", "HEADER_OVERFLOW", "INVALID_CONTENT_LENGTH", "INVALID_TOKEN"]
      .concat("INVALID_TRANSFER_ENCODING")
      .map((code) => [`HPE_${code}`, `no-consent: the answer has an invalid header (HPE_${code})`]),
    ...["HPE_INVALID_CONSTANT", "EPROTO", "ERR_SSL_WRONG_VERSION_NUMBER"].map((code) => [
      code,
      `not-https: the answer is not the URL's protocol (${code})`,
    ]),
    ...["ECONNRESET", "EPIPE"].map((code) => [
      code,
      `connection-closed: the connection is closed without an answer (${code})`,
    ]),
    ["ECONNREFUSED", "connection-refused: the connection is refused"],
    ["EHOSTUNREACH", "connection-refused: says why (EHOSTUNREACH)"],
    ["X_HPE_HEADER", "connection-refused: says why (X_HPE_HEADER)"],
    ["EPROTOTYPE", "connection-refused: says why (EPROTOTYPE)"],
  ])("is for %s %s", (code, expected) => {
    expect(failed(code ?? "")).toBe(expected);
  });

  it("is a closed connection when the server speaks TLS, and sends an alert", () => {
    const message =
      "write EPROTO 80AC:error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:../ssl/record/rec_layer_s3.c:1601:SSL alert number 116\n";
    const { outcome, observed } = assess({ kind: "failure", code: "EPROTO", message }, ORIGIN);
    expect({ outcome, observed }).toEqual({
      outcome: "connection-closed",
      observed: "the server ends the TLS handshake (certificate required)",
    });
  });

  it("is no answer after a timeout", () => {
    expect(assess({ kind: "timeout" }, ORIGIN)).toEqual({
      ...{ outcome: "no-answer", observed: "no answer in time", notes: [] },
    });
  });

  // https://nodejs.org/api/tls.html#x509-certificate-error-codes
  it.each([
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "the certificate is self-signed"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "the certificate's authority is not public"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "the certificate chain is incomplete"],
    ["UNABLE_TO_GET_ISSUER_CERT", "the certificate chain is incomplete"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "the certificate's authority is unknown"],
    ["CERT_HAS_EXPIRED", "the certificate has expired"],
    ["CERT_NOT_YET_VALID", "the certificate is not yet valid"],
    ["CERT_REVOKED", "the certificate is revoked"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "the certificate is for another name"],
    ["HOSTNAME_MISMATCH", "the certificate is for another name"],
    ["OTHER", "says why"],
  ])("says of %s: %s", (code, observed) => {
    expect(assess({ kind: "untrusted", code, message: "says\u0007 why" }, ORIGIN)).toEqual({
      ...{ outcome: "certificate-not-trusted", observed, notes: [] },
    });
  });
});

describe("the explanation", () => {
  it("has a meaning of its own for each outcome, with remedies unless all is well", () => {
    const outcomes = Object.keys(EXIT_CODES) as Outcome[];
    const meanings = outcomes.map((outcome) => explain({ outcome }).meaning);
    expect(new Set(meanings).size).toBe(outcomes.length);
    const helpless = outcomes.filter((outcome) => explain({ outcome }).remedies.length < 2);
    expect(helpless).toEqual(["consent"]);
  });
});
