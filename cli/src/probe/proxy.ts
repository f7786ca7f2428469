import { request } from "node:http";
import { request as secureRequest } from "node:https";
import type { Socket } from "node:net";
import { socketHost } from "../address.js";

/** The proxy cannot be reached, or does not connect to the webhook's host. */
class ProxyError extends Error {
  readonly code = "ERR_PROXY";
}

export function tunnel(proxy: URL, url: URL, signal: AbortSignal): Promise<Socket> {
  const send = proxy.protocol === "https:" ? secureRequest : request;
  const target = `${url.hostname}:${url.port || "443"}`;
  const { username, password } = proxy;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return new Promise((resolve, reject) => {
    const outgoing = send({
      host: socketHost(proxy),
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path: target,
      agent: false,
      signal,
      headers: {
        host: target,
        ...(username !== "" && {
          "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}`,
        }),
      },
    });
    outgoing.on("connect", (response, socket) => {
      const status = Number(response.statusCode);
      if (status >= 200 && status < 300) {
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new ProxyError(`the proxy ${proxy.host} answers ${status}`));
    });
    outgoing.on("error", ({ message }) =>
      reject(new ProxyError(`the proxy ${proxy.host} does not answer: ${message}`)),
    );
    outgoing.end();
  });
}
