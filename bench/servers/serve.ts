import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { FastifyInstance } from "fastify";

/** What the benchmark gave the server to start with. */
export function options<T extends object>(): T {
  return JSON.parse(process.argv[2] ?? "{}");
}

/**
 * Tells the benchmark where a server listens, and how much CPU time it has used when asked, rests
 * when told to, and ends with the benchmark.
 */
export function tell(address: AddressInfo): void {
  process.on("message", async (question) => {
    if (question === "rest") await rest();
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.once("disconnect", () => process.exit());
  process.send?.(`http://127.0.0.1:${address.port}`);
}

/**
 * Collects garbage while nothing runs, as every process does that has served for a while and then
 * has nothing to do.
 *
 * Node 20's `process.nextTick` is fast until then only: V8 forgets the shape of its entries when
 * none is alive, and does not learn another one. That costs every later request 1.5 to 2 µs, whoever
 * answers it; without this, a server would be the faster the less it had to do at its start.
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
