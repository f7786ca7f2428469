import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { FastifyInstance } from "fastify";

/** The options that the benchmark passed to the server. */
export function options<T extends object>(): T {
  return JSON.parse(process.argv[2] ?? "{}");
}

/**
 * Sends the URL of the server to the benchmark, reports the CPU time and collects garbage on
 * request, and ends with the benchmark.
 */
export function report(address: Pick<AddressInfo, "port">): void {
  process.on("message", async (question) => {
    if (question === "rest") await rest();
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.once("disconnect", () => process.exit());
  process.send?.(`http://127.0.0.1:${address.port}`);
}

/**
 * Collects garbage while the process is idle, as happens in every server sooner or later.
 *
 * It makes `process.nextTick` of Node 20 slower: V8 discards the shape of its entries when none is
 * alive. That costs every later request 1.5 to 2 µs in any server. Without this function, a server
 * that did less at its start would seem faster.
 */
async function rest(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") return;
  for (let times = 0; times < 3; times += 1) {
    await setTimeout(50);
    collect();
  }
}

/** Listens on a free port of this machine. */
export function serve(server: Server): void {
  server.listen(0, "127.0.0.1", () => report(server.address() as AddressInfo));
}

/** Listens on a free port of this machine. */
export async function listen(app: FastifyInstance): Promise<void> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  report(app.server.address() as AddressInfo);
}

let counted = 0;

/** The work of a handler in the benchmarks. */
export function count(type: string): void {
  counted += type.length;
  if (counted > Number.MAX_SAFE_INTEGER / 2) counted = 0;
}
