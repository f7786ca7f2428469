import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createPublisher } from "cloud-eventgrid-binding-runtime";
import { LocalCloud } from "cloud-eventgrid-local";
import type { Group, Sample, Scenario, Settings } from "../harness/scenario.js";
import { payload } from "./event.js";

const ORIGIN = "https://orders.example.com";

export const localAzure: Group = {
  name: "local-azure",
  title: "The local Azure",
  async *scenarios(settings) {
    yield starting();
    const webhook = createServer((request, response) => {
      request.resume();
      const origin = request.headers["webhook-request-origin"];
      const consent = origin === undefined ? {} : { "webhook-allowed-origin": origin };
      request.once("end", () => response.writeHead(200, consent).end());
    });
    await new Promise<void>((resolve) => webhook.listen(0, "127.0.0.1", resolve));
    const { port } = webhook.address() as AddressInfo;
    try {
      yield* throughput(`http://127.0.0.1:${port}`, settings);
    } finally {
      webhook.closeAllConnections();
      webhook.close();
    }
  },
};

function starting(): Scenario {
  return {
    name: "start",
    columns: [{ key: "milliseconds", title: "ms", better: "less" }],
    contenders: [
      {
        name: "Entra and Event Grid",
        ours: true,
        measure: () => start({}),
      },
      {
        name: "with Resource Manager and Graph, over TLS",
        measure: () => start({ control: true }),
      },
    ],
  };
}

async function start(options: { control?: boolean }): Promise<Sample> {
  const started = performance.now();
  const cloud = await LocalCloud.start(options);
  const milliseconds = performance.now() - started;
  await cloud.close();
  return { milliseconds };
}

async function* throughput(webhookUrl: string, { smoke }: Settings): AsyncGenerator<Scenario> {
  const events = smoke ? 50 : 5_000;
  const cloud = await LocalCloud.start({ ingress: { [ORIGIN]: webhookUrl } });
  try {
    const single = await publisherTo(cloud, "single", {});
    const batched = await publisherTo(cloud, "batched", {
      maxEventsPerBatch: 100,
      preferredBatchSizeInKilobytes: 1024,
    });
    const through = async ({ create }: typeof single): Promise<Sample> => {
      const cpu = process.cpuUsage();
      const started = performance.now();
      await create(events);
      await cloud.drain();
      const seconds = (performance.now() - started) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      return { rate: events / seconds, cpu: (user + system) / events };
    };
    yield {
      name: "published, delivered with a signed token, acknowledged",
      columns: [
        { key: "rate", title: "events/s", better: "more" },
        { key: "cpu", title: "CPU µs/event", better: "less" },
      ],
      rounds: 5,
      note: "Publisher, local Azure and webhook share one process.",
      contenders: [
        { name: "one event per delivery", ours: true, measure: () => through(single) },
        { name: "batches of 100", measure: () => through(batched) },
      ],
    };
  } finally {
    await cloud.close();
  }
}

async function publisherTo(cloud: LocalCloud, name: string, settings: object) {
  const { clientId } = cloud.applications.create({ displayName: name });
  const topic = cloud.topics.create({ name });
  await cloud.eventSubscriptions.create({
    name,
    scope: topic.id,
    endpointUrl: `${ORIGIN}/api/events`,
    clientId,
    ...settings,
  });
  const publisher = createPublisher({
    topicEndpoint: topic.endpoint,
    accessKey: topic.accessKey,
    name: "bench",
  });
  const event = { type: "bench.order.placed", data: payload };
  return {
    create: (count: number) => publisher.create(Array.from({ length: count }, () => event)),
  };
}
