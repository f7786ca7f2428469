import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { onTestFinished } from "vitest";

/** A proxy that takes every host name for a port of this machine, and records the requests. */
export async function startProxy(targetPort: number, status = 200) {
  const requests: { target: string | undefined; authorization: string | undefined }[] = [];
  const server = createServer();
  server.on("connect", ({ url, headers }, socket) => {
    requests.push({ target: url, authorization: headers["proxy-authorization"] });
    socket.on("error", () => socket.destroy());
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const upstream = connect(targetPort, "localhost", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, port: (server.address() as AddressInfo).port };
}
