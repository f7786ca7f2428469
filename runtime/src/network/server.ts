import { once } from "node:events";
import type { Server } from "node:http";

/** Says why a server cannot listen, and what to do. */
export function cannotListen(host: string, port: number, cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const reason = advice[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return `cannot listen on ${host}:${port}: ${reason}`;
}

const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use: stop the other server or choose another port",
  EACCES: "this user may not bind the port: choose one from 1024 on",
  EADDRNOTAVAIL: "this machine does not have that address: check `host`",
  ENOTFOUND: "the host name has no address: check `host`",
};

/** Closes a server that listens, with its connections. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
