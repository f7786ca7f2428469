import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ServiceError } from "../base/index.js";
import type { Exchange, Route } from "../http/index.js";
import type { Access } from "../network/index.js";

/** Written by the build: see local/dashboard/build.mjs. */
const APP_DIRECTORY = join(__dirname, "../../dist/app");

const FILES: Readonly<Record<string, string>> = {
  "app.js": "text/javascript; charset=utf-8",
  "app.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

/** Nothing but the package's own script and style runs, and no other site may frame the page. */
const PAGE_HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-cache",
};

/** The dashboard: its page at `/` for browsers, and its files. */
export function dashboardRoute(access: Access): Route {
  return (exchange) => {
    const { method, url } = exchange;
    const path = url.pathname;
    if (method === "GET" && path === "/" && wantsPage(exchange)) {
      access.checkOrigin(exchange);
      sendPage(exchange, access);
      return true;
    }
    if (method !== "GET" || !path.startsWith("/dashboard/")) return false;
    return sendFile(exchange, path.slice("/dashboard/".length));
  };
}

function wantsPage({ request }: Exchange): boolean {
  return (request.headers.accept ?? "").includes("text/html");
}

function sendPage(exchange: Exchange, access: Access): void {
  const { response } = exchange;
  if (access.tokenInUrl(exchange)) {
    // The token leaves the address bar, the history and what people copy from there.
    response.writeHead(302, { location: "/", "set-cookie": access.cookie(exchange) });
    response.end();
  } else if (access.isOpenTo(exchange)) {
    send(exchange, 200, "text/html; charset=utf-8", readFile("index.html"), PAGE_HEADERS);
  } else {
    send(exchange, 401, "text/html; charset=utf-8", readFile("sign-in.html"), PAGE_HEADERS);
  }
}

function sendFile(exchange: Exchange, name: string): boolean {
  const type = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (type === undefined) return false;
  const content = readFile(name);
  const etag = `"${createHash("sha1").update(content).digest("base64url")}"`;
  if (exchange.request.headers["if-none-match"] === etag) {
    exchange.response.writeHead(304, { etag }).end();
  } else {
    send(exchange, 200, type, content, {
      etag,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
  }
  return true;
}

function readFile(name: string): Buffer {
  try {
    return readFileSync(join(APP_DIRECTORY, name));
  } catch (cause) {
    throw new ServiceError(
      404,
      "NotFound",
      "The dashboard is not built. Run npm run build in the repository.",
      { cause },
    );
  }
}

function send(
  { response }: Exchange,
  status: number,
  type: string,
  content: Buffer,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, {
    "content-type": type,
    "content-length": content.byteLength,
    ...headers,
  });
  response.end(content);
}
