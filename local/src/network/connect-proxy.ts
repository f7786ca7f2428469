import type { Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { isPublicHost } from "./public-hosts.js";

/**
 * Makes an HTTP server a proxy for `HTTPS_PROXY`: it answers CONNECT requests for Azure's hosts
 * from this cloud and forwards all others, so that clients need no other setting.
 *
 * @param services HTTPS server of the cloud, with certificates for Azure's hosts; `undefined`
 * without a control plane
 */
export function serveAsProxy(proxy: Server, services: () => TlsServer | undefined): void {
  proxy.on("connect", (request, client: Socket, head: Buffer) => {
    const [host = "", port = "443"] = (request.url ?? "").split(/:(?=\d+$)/);
    client.on("error", () => client.destroy());
    const server = services();
    if (server && port === "443" && isPublicHost(host)) {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) client.unshift(head);
      server.emit("connection", client);
    } else {
      forward(client, head, host, Number(port));
    }
  });
}

function forward(client: Socket, head: Buffer, host: string, port: number): void {
  const target = connect(port, host.replace(/^\[|\]$/g, ""), () => {
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    target.write(head);
    target.pipe(client).pipe(target);
  });
  target.on("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
  client.on("close", () => target.destroy());
}
