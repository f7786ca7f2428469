import { type Route, sendJson } from "./exchange.js";

export type Phase = "starting" | "ready" | "stopping";

/**
 * `GET /health`: 200 while the process answers. `GET /ready`: 200 once the state is restored and
 * the cloud accepts requests, otherwise 503.
 */
export function healthRoute(phase: () => Phase): Route {
  return (exchange) => {
    const { method, url } = exchange;
    if (method !== "GET" && method !== "HEAD") return false;
    if (url.pathname === "/health") sendJson(exchange, 200, { status: "ok" });
    else if (url.pathname === "/ready") {
      const status = phase();
      sendJson(exchange, status === "ready" ? 200 : 503, { status });
    } else return false;
    return true;
  };
}
