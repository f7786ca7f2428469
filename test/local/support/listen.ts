import { once } from "node:events";
import type { Server } from "node:http";
import { onTestFinished } from "vitest";

/** Listens on a free port of this machine until the end of the test. Returns host and port. */
export async function listen(server: Server, host = "127.0.0.1"): Promise<string> {
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `${host}:${typeof address === "object" ? address?.port : 0}`;
}
