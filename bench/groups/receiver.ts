import { AzureKeyCredential, EventGridReceiverClient } from "@azure/eventgrid-namespaces";
import { createReceiver } from "cloud-eventgrid-binding-runtime";
import type { Group, Sample, Scenario, Settings } from "../harness/scenario.js";
import { ServerProcess } from "../harness/server-process.js";
import { KEY } from "./event.js";

const TOPIC = "orders";
const SUBSCRIPTION = "shipping";

export const receiver: Group = {
  name: "receiver",
  title: "Receiving and acknowledging 1 KB events of a queue that is never empty",
  async *scenarios(settings) {
    const queue = await ServerProcess.start("queue");
    try {
      yield calls(queue.url, 1, settings);
      yield calls(queue.url, 100, settings);
    } finally {
      await queue.stop();
    }
  },
};

/** Compares CPU time, because the server, which is the same for both, affects it least. */
function calls(endpoint: string, maxEvents: number, { milliseconds }: Settings): Scenario {
  return {
    name: maxEvents === 1 ? "one event a call" : `${maxEvents} events a call`,
    columns: [
      { key: "cpu", title: "CPU µs/event", better: "less" },
      { key: "rate", title: "events/s", better: "more" },
    ],
    contenders: [
      {
        name: "createReceiver",
        ours: true,
        measure: () => ours(endpoint, maxEvents, milliseconds),
      },
      {
        name: "EventGridReceiverClient",
        target: { atMost: 0.5 },
        measure: () => sdk(endpoint, maxEvents, milliseconds),
      },
    ],
  };
}

/** With deduplication and metrics as they are by default. */
function ours(endpoint: string, maxEvents: number, milliseconds: number): Promise<Sample> {
  return sample(async () => {
    let handled = 0;
    const receiver = createReceiver(
      {
        namespaceEndpoint: endpoint,
        topicName: TOPIC,
        eventSubscriptionName: SUBSCRIPTION,
        receiveWith: "accessKey",
        accessKey: KEY,
      },
      {
        on: {
          "*": async () => {
            handled += 1;
          },
        },
        concurrency: maxEvents,
        prefetch: 0,
        logger: false,
      },
    );
    await receiver.start();
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    await receiver.close();
    return handled;
  });
}

function sdk(endpoint: string, maxEvents: number, milliseconds: number): Promise<Sample> {
  const client = new EventGridReceiverClient(
    endpoint,
    new AzureKeyCredential(KEY),
    TOPIC,
    SUBSCRIPTION,
    { allowInsecureConnection: true },
  );
  return sample(async () => {
    const end = performance.now() + milliseconds;
    let handled = 0;
    while (performance.now() < end) {
      const { details } = await client.receiveEvents({ maxEvents, maxWaitTime: 10 });
      handled += details.length;
      const tokens = details.map(({ brokerProperties }) => brokerProperties.lockToken);
      const { failedLockTokens } = await client.acknowledgeEvents(tokens);
      if (failedLockTokens.length > 0) throw new Error("events were not acknowledged");
    }
    return handled;
  });
}

/** @param work returns the number of events that it handled */
async function sample(work: () => Promise<number>): Promise<Sample> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const events = await work();
  const { user, system } = process.cpuUsage(cpu);
  return {
    cpu: (user + system) / events,
    rate: events / ((performance.now() - started) / 1000),
  };
}
