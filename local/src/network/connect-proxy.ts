import type { Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { socketHost, split } from "../base/index.js";
import { basicCredentials } from "../http/index.js";
import { isPublicHost } from "./ingress.js";
import { isLoopback } from "./server-names.js";

export interface ProxyOptions {
  /** HTTPS server with certificates for Azure's hosts; `undefined` without a control plane. */
  readonly services: () => TlsServer | undefined;
  /** Whether the text is the token, which clients on other machines need. */
  readonly isToken: (text: string) => boolean;
  /** Whether clients on other machines may connect to hosts that are not Azure's. */
  readonly forward: boolean;
}

const TOKEN_NEEDED =
  "Clients on other machines need the token of the local Azure: HTTPS_PROXY=http://local:TOKEN@HOST:PORT, as 'npx --no -- cloud-eventgrid-local env --proxy' prints it.\n";
const AZURE_ONLY =
  "Clients on other machines reach only Azure's hosts through this proxy. Start the local Azure with --proxy-forward to allow all hosts.\n";

/**
 * Makes an HTTP server a proxy for `HTTPS_PROXY`: it answers CONNECT requests for Azure's hosts
 * from this cloud and forwards all others, so that clients need no other setting. Clients on other
 * machines need the token, and connect to other hosts only if the options allow it: otherwise they
 * would reach every port of this machine.
 *
 * @returns a function that ends all connections
 */
export function serveAsProxy(
  proxy: Server,
  { services, isToken, forward }: ProxyOptions,
): () => void {
  const clients = new Set<Socket>();
  proxy.on("connect", (request, client: Socket, head: Buffer) => {
    const [host, port = "443"] = split(String(request.url), /:(?=\d+$)/);
    clients.add(client);
    client.on("error", () => client.destroy()).on("close", () => clients.delete(client));
    const isLocal = isLoopback(String(client.remoteAddress));
    const [, password] = basicCredentials(request.headers["proxy-authorization"]);
    if (!isLocal && !isToken(String(password))) {
      const challenge = 'Proxy-Authenticate: Basic realm="cloud-eventgrid-local"';
      refuse(client, "407 Proxy Authentication Required", TOKEN_NEEDED, challenge);
      return;
    }
    const server = services();
    if (server && port === "443" && isPublicHost(host)) {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) client.unshift(head);
      server.emit("connection", client);
    } else if (isLocal || forward) {
      forwardTo(host, Number(port), client, head);
    } else {
      refuse(client, "403 Forbidden", AZURE_ONLY);
    }
  });
  return () => {
    for (const client of clients) client.destroy();
  };
}

/** The address of the proxy for `HTTPS_PROXY`. */
export function proxyAddress(origin: string, token: string): string {
  return origin.replace("//", `//local:${encodeURIComponent(token)}@`);
}

function refuse(client: Socket, status: string, message: string, ...headers: string[]): void {
  const head = [
    `HTTP/1.1 ${status}`,
    ...headers,
    "Connection: close",
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(message)}`,
  ];
  // The connection closes when the client's end has been read.
  client.resume().end(`${head.join("\r\n")}\r\n\r\n${message}`);
}

function forwardTo(host: string, port: number, client: Socket, head: Buffer): void {
  const target = connect(port, socketHost(host), () => {
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    target.write(head);
    target.pipe(client).pipe(target);
  });
  target.on("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
  client.on("close", () => target.destroy());
}
