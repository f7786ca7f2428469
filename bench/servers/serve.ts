import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";

/** What the benchmark gave the server to start with. */
export function options<T extends object>(): T {
  return JSON.parse(process.argv[2] ?? "{}");
}

/**
 * Tells the benchmark where a server listens, and how much CPU time it has used when asked;
 * ends with the benchmark.
 */
export function tell(address: AddressInfo): void {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.once("disconnect", () => process.exit());
  process.send?.(`http://127.0.0.1:${address.port}`);
}

/** Listens on a free port of this machine. */
export function serve(server: Server): void {
  server.listen(0, "127.0.0.1", () => tell(server.address() as AddressInfo));
}

/** Listens on a free port of this machine. */
export async function listen(app: FastifyInstance): Promise<void> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  tell(app.server.address() as AddressInfo);
}

let counted = 0;

/** What the handlers of the benchmarks do with an event. */
export function count(type: string): void {
  counted += type.length;
  if (counted > Number.MAX_SAFE_INTEGER / 2) counted = 0;
}
