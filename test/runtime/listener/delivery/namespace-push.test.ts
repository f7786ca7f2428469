import { LocalCloud, type NewNamespaceSubscription } from "cloud-eventgrid-local";
import { describe, expect, it, onTestFinished } from "vitest";
import { LogLines } from "../../../support/log-lines.js";
import { pinoTo } from "../../../support/pino.js";
import { startLocalListener } from "../local-listener.js";

interface Handled {
  readonly id: string;
  readonly attempt: number | undefined;
  readonly subscriptionName: string | undefined;
  readonly batchSize: number;
}

/** A listener, and a topic of a namespace that pushes its events there. */
async function startPush(settings: Partial<NewNamespaceSubscription> = {}) {
  const cloud = await LocalCloud.start({ clock: "stepped" });
  onTestFinished(() => cloud.close());
  const namespace = cloud.namespaces.create({ name: "shop" });
  const topic = namespace.topics.create({ name: "orders" });
  const handled: Handled[] = [];
  /** Events whose handler throws, once. */
  const failing = new Set<string>();
  const log = new LogLines();
  const { listener, subscription } = await startLocalListener(cloud, {
    on: {
      "*": ({ id }, { attempt, subscriptionName, batchSize }) => {
        if (failing.delete(id)) throw new Error("the database is not there");
        handled.push({ id, attempt, subscriptionName, batchSize });
      },
    },
    logger: pinoTo(log, "debug"),
  });
  onTestFinished(() => listener.close());
  const subscribe = () =>
    topic.subscriptions.create({ name: "push", ...subscription, ...settings });
  const publish = async (...ids: string[]) => {
    const response = await fetch(
      `${namespace.endpoint}/topics/orders:publish?api-version=2024-06-01`,
      {
        method: "POST",
        headers: {
          authorization: `SharedAccessKey ${topic.accessKey}`,
          "content-type": "application/cloudevents-batch+json",
        },
        body: JSON.stringify(
          ids.map((id) => ({ specversion: "1.0", id, source: "/shop", type: "placed", data: {} })),
        ),
      },
    );
    expect(response.status).toBe(200);
  };
  return { cloud, handled, failing, log, subscribe, publish };
}

describe("a listener to which a namespace pushes", () => {
  it("answers the handshake without rate and callback, and handles single events", async () => {
    const { cloud, handled, subscribe, publish } = await startPush();
    expect(await subscribe()).toMatchObject({ provisioningState: "Succeeded" });
    await publish("1");
    await cloud.drain();
    expect(handled).toEqual([{ id: "1", attempt: 1, subscriptionName: "PUSH", batchSize: 1 }]);
  });

  it("handles batches", async () => {
    const { cloud, handled, subscribe, publish } = await startPush({
      maxEventsPerBatch: 10,
    });
    await subscribe();
    await publish("1", "2", "3");
    await cloud.drain();
    expect(handled.map(({ id, batchSize }) => [id, batchSize])).toEqual([
      ["1", 3],
      ["2", 3],
      ["3", 3],
    ]);
  });

  it("answers 503 when a handler throws, so that the event comes again, and numbers the attempts", async () => {
    const { cloud, handled, failing, log, subscribe, publish } = await startPush();
    await subscribe();
    failing.add("1");
    await publish("1");
    await cloud.drain();
    const attempts = cloud.deliveries();
    expect(attempts).toMatchObject([
      { status: 503, outcome: "retrying", attempt: 1 },
      { status: 200, outcome: "delivered", attempt: 2 },
    ]);
    expect(log.withMessage("delivery").map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(handled).toMatchObject([{ id: "1", attempt: 2 }]);
    const counts = attempts.map(({ request }) => request?.headers["aeg-delivery-count"]);
    expect(counts).toEqual(["0", "1"]);
  });
});
