import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What the benchmark gave the server to start with. */
export function options<T extends object>(): T {
  return JSON.parse(process.argv[2] ?? "{}");
}

/** Tells the benchmark where a server listens, and how much CPU time it has used when asked. */
export function tell(address: AddressInfo): void {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.send?.(`http://127.0.0.1:${address.port}`);
}

/** Listens on a free port of this machine. */
export function serve(server: Server): void {
  server.listen(0, "127.0.0.1", () => tell(server.address() as AddressInfo));
}
