import { createListener, createPublisher } from "cloud-eventgrid-binding-runtime";
import { LocalCloud } from "cloud-eventgrid-local";
import type { Group, Sample } from "../harness/scenario.js";
import { quantile } from "../harness/statistics.js";
import { payload } from "./event.js";

const ORIGIN = "https://orders.example.com";
const PATH = "/api/events";

export const endToEnd: Group = {
  name: "end-to-end",
  title: "From create to the handler, through the local Azure",
  async *scenarios({ milliseconds }) {
    const cloud = await LocalCloud.start();
    const { clientId } = cloud.applications.create({ displayName: "bench" });
    const topic = cloud.topics.create({ name: "orders" });
    const handled = new Map<string, (at: number) => void>();
    const listener = createListener(
      {
        cloudTenantId: cloud.tenantId,
        cloudClientId: clientId,
        handshakePort: "9000",
        path: PATH,
        cloudAuthorityHost: cloud.authorityHost,
      },
      {
        on: { "*": ({ id }) => handled.get(id)?.(performance.now()) },
        host: "127.0.0.1",
        port: 0,
        logger: false,
        drainLagMs: 0,
      },
    );
    const { port } = await listener.listen();
    cloud.ingress.route(ORIGIN, `http://127.0.0.1:${port}`);
    await cloud.eventSubscriptions.create({
      name: "orders",
      scope: topic.id,
      endpointUrl: `${ORIGIN}${PATH}`,
      clientId,
    });
    const publisher = createPublisher({
      topicEndpoint: topic.endpoint,
      accessKey: topic.accessKey,
      name: "bench",
    });

    let last = 0;
    /** Publishes an event and returns the milliseconds until its handler is called. */
    const travel = async (): Promise<number> => {
      last += 1;
      const id = String(last);
      const started = performance.now();
      const arrived = new Promise<number>((resolve) => handled.set(id, resolve));
      await publisher.create({ type: "bench.order.placed", id, data: payload });
      const travelled = (await arrived) - started;
      handled.delete(id);
      return travelled;
    };
    try {
      const contender = (travellers: number) => ({
        name: travellers === 1 ? "one event at a time" : `${travellers} at a time`,
        ours: travellers === 1,
        measure: () => travels(travel, travellers, milliseconds),
      });
      yield {
        name: "published to handled",
        columns: [
          { key: "p50", title: "p50 ms", better: "less" },
          { key: "p99", title: "p99 ms", better: "less" },
          { key: "rate", title: "events/s", better: "more" },
        ],
        note: "Publisher, local Azure and listener share one process; deliveries are signed and verified.",
        contenders: [contender(1), contender(32)],
      };
    } finally {
      await publisher.close();
      await listener.close();
      await cloud.close();
    }
  },
};

async function travels(
  travel: () => Promise<number>,
  travellers: number,
  milliseconds: number,
): Promise<Sample> {
  const times: number[] = [];
  const started = performance.now();
  const end = started + milliseconds;
  const traveller = async () => {
    while (performance.now() < end) times.push(await travel());
  };
  await Promise.all(Array.from({ length: travellers }, traveller));
  const seconds = (performance.now() - started) / 1000;
  return {
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    rate: times.length / seconds,
  };
}
