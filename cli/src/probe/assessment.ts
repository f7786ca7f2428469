import type { IncomingHttpHeaders } from "node:http";
import { STATUS_CODES } from "node:http";
import { shownUrl } from "../terminal/index.js";
import type { HandshakeResult } from "./handshake.js";
import type { Cause, Outcome } from "./outcome.js";

/** The result of one handshake. */
export interface Assessment {
  readonly outcome: Outcome;
  /** The result in a few words: "503 Service Unavailable". */
  readonly observed: string;
  readonly status?: number;
  /** The service that answered instead of the webhook, if the answer shows it. */
  readonly cause?: Cause | undefined;
  /** Deviations that do not prevent delivery. */
  readonly notes: readonly string[];
}

const UNTRUSTED: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate's authority is not public",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate chain is incomplete",
  UNABLE_TO_GET_ISSUER_CERT: "the certificate chain is incomplete",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate's authority is unknown",
  CERT_HAS_EXPIRED: "the certificate has expired",
  CERT_NOT_YET_VALID: "the certificate is not yet valid",
  CERT_REVOKED: "the certificate is revoked",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another name",
  HOSTNAME_MISMATCH: "the certificate is for another name",
};

/** Assesses a handshake as Event Grid would. */
export function assess(result: HandshakeResult, origin: string): Assessment {
  if (result.kind === "timeout") return failed("no-answer", "no answer in time");
  if (result.kind === "failure") return assessFailure(result.code, result.message);
  if (result.kind === "untrusted") {
    const { code, message } = result;
    return failed("certificate-not-trusted", UNTRUSTED[code] ?? shownText(message));
  }
  const { status, headers } = result;
  const observed = summaryOf(status, headers);
  const outcome = outcomeOf(status);
  if (outcome !== undefined) {
    return { outcome, observed, status, cause: causeOf(status, headers), notes: [] };
  }
  return { ...assessConsent(status, headers, origin, observed), status };
}

function assessFailure(code: string, message: string): Assessment {
  if (code === "ERR_PROXY") return failed("proxy-failed", shownText(message));
  if (code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "ENODATA") {
    return failed("name-not-found", "the host name cannot be resolved");
  }
  if (code === "ETIMEDOUT") return failed("no-answer", "no connection in time");
  // The server speaks HTTP, and one of its headers is invalid.
  const isParser = code.startsWith("HPE_");
  if (isParser && /HEADER|CONTENT_LENGTH|TRANSFER_ENCODING|TOKEN/.test(code)) {
    return failed("no-consent", `the answer has an invalid header (${code})`);
  }
  // Who sends an alert speaks TLS, but demands a client certificate, or serves no such host or version.
  const [, alert] = /:[^:]*\balert ([a-z ]+):.*SSL alert number/.exec(message) ?? [];
  if (alert !== undefined) {
    return failed("connection-closed", `the server ends the TLS handshake (${alert})`);
  }
  if (isParser || code === "EPROTO" || code.startsWith("ERR_SSL_")) {
    return failed("not-https", `the answer is not the URL's protocol (${code})`);
  }
  if (code === "ECONNRESET" || code === "EPIPE") {
    return failed("connection-closed", `the connection is closed without an answer (${code})`);
  }
  const reason =
    code === "ECONNREFUSED" ? "the connection is refused" : `${shownText(message)} (${code})`;
  return failed("connection-refused", reason);
}

function failed(outcome: Outcome, observed: string): Assessment {
  return { outcome, observed, notes: [] };
}

/** The outcome when the status alone decides; undefined for a success, where the headers decide. */
function outcomeOf(status: number): Outcome | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 502 || status === 503 || status === 504) return "unavailable";
  if (status === 401 || status === 403 || status === 407) return "authentication-required";
  if (status >= 300 && status < 400) return "redirected";
  if (status === 404 || status === 405) return "wrong-path";
  return "unexpected-status";
}

/** The pages that App Service's authentication redirects to: those of Entra and External ID, and its own. */
const SIGN_IN = [
  "login.microsoftonline.com",
  "login.microsoftonline.us",
  "login.windows.net",
  "login.partner.microsoftonline.cn",
  "login.chinacloudapi.cn",
  ".ciamlogin.com",
  ".b2clogin.com",
];

function isSignIn(location: string): boolean {
  if (location.toLowerCase().includes("/.auth/login/")) return true;
  const url = URL.canParse(location) ? new URL(location) : undefined;
  return (
    url?.protocol === "https:" &&
    SIGN_IN.some((each) =>
      each.startsWith(".") ? url.hostname.endsWith(each) : url.hostname === each,
    )
  );
}

/**
 * @see https://learn.microsoft.com/azure/app-service/overview-authentication-authorization
 * @see https://learn.microsoft.com/azure/app-service/overview-access-restrictions
 */
function causeOf(status: number, headers: IncomingHttpHeaders): Cause | undefined {
  if (status === 403 && headers["x-ms-forbidden-ip"] !== undefined) return "access-restrictions";
  const isRedirect = status >= 300 && status < 400;
  return isRedirect && isSignIn(String(headers.location)) ? "sign-in" : undefined;
}

function assessConsent(
  status: number,
  headers: IncomingHttpHeaders,
  origin: string,
  observed: string,
): Assessment {
  const allowed = headers["webhook-allowed-origin"];
  if (allowed === undefined) {
    // A platform or a framework answers OPTIONS itself, as if a browser had asked.
    const isCors = Object.keys(headers).some((name) => name.startsWith("access-control-allow-"));
    if (isCors) return failed("cors", `${observed}, with headers of CORS (access-control-allow-…)`);
    return failed("no-consent", `${observed}, without the header WebHook-Allowed-Origin`);
  }
  // One origin or `*`, but no list: section 4.2.1 of the specification.
  if (allowed !== "*" && String(allowed).toLowerCase() !== origin.toLowerCase()) {
    const other = shownText(String(allowed));
    return failed(
      "no-consent",
      `${observed}, but WebHook-Allowed-Origin is ${other}, not ${origin}`,
    );
  }
  // As for a validation event, of which Microsoft's page says so.
  if (status === 202 || status > 204) {
    return failed("no-consent", `${observed}, which Event Grid does not accept: answer 200`);
  }
  const notes: string[] = [];
  if (status !== 200) notes.push(`The answer should be 200: Event Grid may refuse ${status}.`);
  const rate = headers["webhook-allowed-rate"];
  const isRate = rate === "*" || /^[1-9]\d*$/.test(String(rate));
  if (!isRate) {
    notes.push("The answer should have WebHook-Allowed-Rate, a whole number or *.");
  }
  return { outcome: "consent", observed, notes };
}

function summaryOf(status: number, headers: IncomingHttpHeaders): string {
  const text = STATUS_CODES[status];
  const target = headers.location;
  const forbidden = headers["x-ms-forbidden-ip"];
  const refused = forbidden === undefined ? "" : ` for ${shownText(String(forbidden))}`;
  const by = headers.server === undefined ? "" : ` from ${shownText(String(headers.server))}`;
  const to =
    target === undefined ? "" : ` to ${shownText(shownUrl(target).replace(/[?#].*/, "?..."))}`;
  return `${status}${text ? ` ${text}` : ""}${by}${to}${refused}`;
}

/** A header's value for printing: printable characters only, shortened. */
function shownText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "").slice(0, 200);
}
