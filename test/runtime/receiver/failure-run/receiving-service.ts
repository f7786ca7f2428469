import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Log } from "../../../../runtime/src/index.js";
import { createReceiver } from "../../../../runtime/src/receiver/index.js";

/**
 * A service that the failure run kills, freezes and drains at any time. It writes a line for every
 * event that it has handled before the event is acknowledged, and some of its handlers fail.
 */
export interface ServiceSetting {
  readonly namespaceEndpoint: string;
  readonly accessKey: string;
  readonly journal: string;
  readonly log: string;
}

const setting: ServiceSetting = JSON.parse(process.argv[2] ?? "");
let { accessKey } = setting;

const append = (...message: unknown[]) =>
  appendFileSync(setting.log, `${process.pid} ${JSON.stringify(message)}\n`);
const log: Log = { debug() {}, info() {}, warn: append, error: append, child: () => log };

const receiver = createReceiver(
  {
    namespaceEndpoint: setting.namespaceEndpoint,
    topicName: "orders",
    eventSubscriptionName: "shipping",
    receiveWith: "accessKey",
  },
  {
    accessKey: () => accessKey,
    on: {
      "*": async (event, { attempt }) => {
        await setTimeout(Math.random() * 10);
        if (Math.random() < 0.02) throw new Error("the database is not there");
        const throws = Math.random() < 0.01;
        const end = throws ? "threw" : "returned";
        const words = [event.id, attempt, process.pid, Date.now(), end];
        appendFileSync(setting.journal, `${words.join(" ")}\n`);
        if (throws) throw new Error("lost the connection after the work was done");
      },
    },
    maxWaitSeconds: 10,
    retryDelaysSeconds: [0, 10],
    logger: log,
    signals: ["SIGTERM"],
  },
);

process.on("message", (key) => {
  accessKey = String(key);
});
process.once("SIGTERM", () => process.disconnect?.());
await receiver.start();
process.send?.("ready");
