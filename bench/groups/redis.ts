import { createClient } from "redis";
import { RedisServer } from "../../test/support/redis-server.js";
import { Issuer } from "../harness/issuer.js";
import type { Contender, Group, Settings } from "../harness/scenario.js";
import { ServerProcess } from "../harness/server-process.js";
import { batch, CPU, measured, RATE, sendDeliveries, single } from "./deliveries.js";

const BATCH = 100;
/** For batches: with more, thousands of events would be in memory while they wait for Redis. */
const BATCH_CONNECTIONS = 16;

export const redis: Group = {
  name: "redis",
  title: "Deduplication in Redis",
  async *scenarios({ milliseconds, against }: Settings) {
    const issuer = await Issuer.start();
    const store = await RedisServer.start("--save", "");
    const client = await createClient({ url: store.url }).connect();
    const { authorityHost } = issuer;
    const withRedis = { authorityHost, redis: store.url };
    const [ours, reference, memory, forgetful] = await Promise.all([
      ServerProcess.start("listener", withRedis),
      against && ServerProcess.start("listener", withRedis, against),
      ServerProcess.start("listener", { authorityHost }),
      ServerProcess.start("listener", { authorityHost, deduplication: false }),
    ]);
    const token = issuer.token();
    const contenders = (content: ReturnType<typeof single>, events: number): Contender[] => {
      const contender = (server: ServerProcess, more: Pick<Contender, "name" | "ours">) => ({
        ...more,
        rest: () => server.rest(),
        async measure() {
          await client.flushAll("SYNC");
          const connections = events > 1 ? BATCH_CONNECTIONS : undefined;
          const send = () => sendDeliveries(server, token, content, milliseconds, connections);
          return measured(server, send, events);
        },
      });
      return [
        contender(ours, { name: "Redis", ours: true }),
        ...(reference && against ? [contender(reference, { name: against.named("Redis") })] : []),
        contender(memory, { name: "in memory" }),
        {
          ...contender(forgetful, { name: "deduplication: false" }),
          ...(events > 1 && { target: { atLeast: 0.5 } }),
        },
      ];
    };
    try {
      yield {
        name: "one 1 KB event in each",
        note: "The required rate is 5,000 events per second.",
        columns: [RATE, CPU],
        contenders: contenders(single(), 1),
      };
      yield {
        name: `batches of ${BATCH} events`,
        columns: [RATE, CPU],
        contenders: contenders(batch(BATCH), BATCH),
      };
    } finally {
      await Promise.all([ours, reference, memory, forgetful].map((server) => server?.stop()));
      client.destroy();
      await store.stop();
      await issuer.stop();
    }
  },
};
