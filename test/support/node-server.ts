import { once } from "node:events";
import { createServer, type RequestListener, type ServerOptions } from "node:http";
import { onTestFinished } from "vitest";

/** Serves on a free port of this machine until the test ends. */
export async function startServer(listener: RequestListener, options: ServerOptions = {}) {
  const server = createServer(options, listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, origin: `http://127.0.0.1:${port}` };
}
