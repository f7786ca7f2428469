import { redisDeduplication } from "cloud-eventgrid-binding-runtime/redis";
import { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import { connectRedis } from "../../examples/kubernetes/redis.js";
import { StableAddress } from "../runtime/handling/store/replicas.js";
import { describeWith } from "../support/describe-with.js";
import { RedisServer } from "../support/redis-server.js";

describeWith("redis-server", "the client of an example", () => {
  const clients = {
    kubernetes(url: string) {
      const client = connectRedis(url);
      return { client, close: () => client.destroy() };
    },
    "container-apps"(url: string) {
      const client = new Redis(url, { enableOfflineQueue: false, socketTimeout: 30_000 });
      client.on("error", () => {});
      return { client, close: () => client.disconnect() };
    },
  };

  it.concurrent.each(Object.entries(clients))(
    "reconnects within a minute when nothing answers on a connection that seems open: %s",
    async (_, connect) => {
      const server = await RedisServer.start("--requirepass", "s3cret");
      const address = new StableAddress(server.port);
      const { client, close } = connect(`redis://:s3cret@${await address.start()}`);
      onTestFinished(async () => {
        close();
        address.stop();
        await server.stop();
      });
      const store = redisDeduplication(client);
      const claim = async (id: string) => {
        const event = { consumer: "app/path", subscriptionKey: "orders", source: "/shop", id };
        return typeof (await store.claim([event]))[0];
      };
      await expect.poll(() => claim(crypto.randomUUID())).toBe("object");

      address.fallSilent();
      // Deliveries go on: their commands must not keep the connection alive.
      const claims = setInterval(() => claim(crypto.randomUUID()).catch(() => {}), 1_000);
      onTestFinished(() => clearInterval(claims));
      const isBack = () => claim(crypto.randomUUID());
      await expect.poll(isBack, { timeout: 60_000 }).toBe("object");
    },
  );
});
