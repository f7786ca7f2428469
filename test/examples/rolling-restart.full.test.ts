import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { LocalCloud } from "cloud-eventgrid-local";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../examples/start/free-port.js";
import { Replica, RoundRobin } from "../runtime/handling/store/replicas.js";
import { describeWith } from "../support/describe-with.js";
import { RedisOfService } from "./redis-of-service.js";

describeWith("redis-server", "a rolling restart of the kubernetes example", () => {
  it("returns only 200 and 503, and handles every event once", async () => {
    const cloud = await LocalCloud.start({ clock: { scale: 60 }, history: 100_000 });
    const redis = await RedisOfService.start();
    const { clientId } = cloud.applications.create({ displayName: "orders webhook" });
    const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
    const startPod = async () => {
      const port = await freePort();
      const pod = new Replica(resolve("examples/kubernetes/service.ts"), port, {
        ORDERS_DIRECTION: "input",
        ORDERS_NAME: "orders",
        ORDERS_TENANT_ID: cloud.tenantId,
        ORDERS_CLIENT_ID: clientId,
        ORDERS_AUTHORITY_HOST: cloud.authorityHost,
        ORDERS_HANDSHAKE_PORT: String(port),
        ORDERS_WEBHOOK_PATH: "/api/events",
        ...redis.environment,
      });
      onTestFinished(async () => void (await pod.end("SIGKILL")));
      await pod.start();
      return pod;
    };
    const before = await Promise.all([startPod(), startPod()]);
    const balancer = new RoundRobin(before);
    cloud.ingress.route("https://shop.example.com", await balancer.start());
    onTestFinished(async () => {
      balancer.stop();
      await redis.stop();
      await cloud.close();
    });
    await cloud.eventSubscriptions.create({
      name: "orders",
      scope: topic.id,
      clientId,
      endpointUrl: "https://shop.example.com/api/events",
      maxEventsPerBatch: 5,
    });

    const published: string[] = [];
    let isRestarting = true;
    const publishing = (async () => {
      while (isRestarting) {
        const events = Array.from({ length: 20 }, (_, index) => {
          const orderId = String(published.length + index);
          return {
            specversion: "1.0",
            id: orderId,
            source: "/shop",
            type: "shop.order.placed",
            data: { orderId },
          };
        });
        const { status } = await fetch(topic.endpoint, {
          method: "POST",
          headers: {
            "aeg-sas-key": topic.accessKey,
            "content-type": "application/cloudevents-batch+json; charset=utf-8",
          },
          body: JSON.stringify(events),
        });
        expect(status).toBe(200);
        published.push(...events.map(({ id }) => id));
        await setTimeout(50);
      }
    })();
    const pods = [...before];
    for (const old of before) {
      // As a Deployment does it: the new pod is ready before the old one is asked to end.
      const replacement = await startPod();
      pods.push(replacement);
      balancer.replicas = [...balancer.replicas, replacement];
      await balancer.poll();
      expect(await old.end("SIGTERM")).toBe(0);
      balancer.replicas = balancer.replicas.filter((pod) => pod !== old);
    }
    isRestarting = false;
    await publishing;
    await cloud.drain();

    expect(Object.keys(balancer.statuses).filter((status) => status !== "503")).toEqual(["200"]);
    const handled = pods.flatMap(({ output }) =>
      Array.from(output.matchAll(/"orderId":"(\d+)"/g), ([, id]) => id),
    );
    expect(handled.sort()).toEqual(published.sort());
    console.log(`${published.length} events during the restart:`, balancer.statuses);
  });
});
