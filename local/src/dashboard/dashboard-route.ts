import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { serviceError } from "../base/index.js";
import type { Exchange, Route } from "../http/index.js";
import type { Access } from "../network/index.js";

/** Written by the build: see local/dashboard/build.mjs. */
const APP_DIRECTORY = join(__dirname, "../../dist/app");

const HTML = "text/html; charset=utf-8";

const FILES: Readonly<Record<string, string>> = {
  "/dashboard/app.js": "text/javascript; charset=utf-8",
  "/dashboard/app.css": "text/css; charset=utf-8",
  "/dashboard/icon.svg": "image/svg+xml",
};

/** Nothing but the package's own script and style runs, and no other site may frame the page. */
const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-cache",
};

/** The dashboard: its page at `/` for browsers, and its files. */
export function dashboardRoute(access: Access): Route {
  return (exchange) => {
    const { method, request, response, url } = exchange;
    if (method !== "GET") return false;
    const type = Object.hasOwn(FILES, url.pathname) ? FILES[url.pathname] : undefined;
    if (type !== undefined) {
      send(exchange, 200, type, basename(url.pathname));
      return true;
    }
    if (url.pathname !== "/" || !request.headers.accept?.includes("text/html")) return false;
    access.checkOrigin(exchange);
    if (access.tokenInUrl(exchange)) {
      // The token leaves the address bar, the history and what people copy from there.
      response.writeHead(302, { location: "/", "set-cookie": access.cookie(exchange) });
      response.end();
    } else if (access.isOpenTo(exchange)) send(exchange, 200, HTML, "index.html");
    else send(exchange, 401, HTML, "sign-in.html");
    return true;
  };
}

function send({ response }: Exchange, status: number, type: string, file: string): void {
  let content: Buffer;
  try {
    content = readFileSync(join(APP_DIRECTORY, file));
  } catch (cause) {
    const message = "The dashboard is not built. Run npm run build in the repository.";
    throw serviceError.NotFound(message, { cause });
  }
  response.writeHead(status, {
    "content-type": type,
    "content-length": content.byteLength,
    ...HEADERS,
  });
  response.end(content);
}
