import { describe, expect, it } from "vitest";
import { startWebhook } from "../support/cloud.js";
import {
  configure,
  emptyDirectory,
  jsonOf,
  runCommand,
  runConfigured,
} from "../support/command.js";

const GROUP = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/local";

describe("a configuration file that changes while the cloud runs", () => {
  it("creates, changes and deletes what it declares, and leaves the rest", async () => {
    const directory = emptyDirectory();
    const webhook = await startWebhook();
    configure(directory, { topics: [{ name: "orders" }, { name: "payments", accessKey: "old" }] });
    const command = runCommand(["--topic", "from-flag"], directory);
    await command.printed(/export/);
    await jsonOf(directory, "topics", "create", "from-command");

    configure(directory, {
      ingress: { "https://orders.example.com": webhook.url },
      topics: [{ name: "payments", accessKey: "new" }, { name: "returns" }],
      eventSubscriptions: [
        {
          name: "returns-sub",
          scope: `${GROUP}/providers/Microsoft.EventGrid/topics/returns`,
          endpointUrl: "https://orders.example.com/api/events",
        },
      ],
    });
    await command.printed(/The configuration has changed and is in effect\./);
    await command.printed(/handshake +returns-sub .+ succeeded/);
    const topics: { name: string; key1: string }[] = await jsonOf(directory, "topics");
    expect(topics.map(({ name }) => name).sort()).toEqual([
      "from-command",
      "from-flag",
      "payments",
      "returns",
    ]);
    expect(topics.find(({ name }) => name === "payments")?.key1).toBe("new");
  });

  it("creates, changes and deletes what it declares in namespaces", async () => {
    const directory = emptyDirectory();
    const declare = (...topics: object[]) =>
      configure(directory, { namespaces: [{ name: "shop", accessKey: "mine", topics }] });
    const queues = [{ name: "shipping" }, { name: "billing" }];
    declare({ name: "orders", eventSubscriptions: queues }, { name: "returns" });
    const command = runCommand([], directory);
    await command.printed(/export/);
    declare({
      name: "orders",
      eventSubscriptions: [{ name: "shipping", filter: { includedEventTypes: ["placed"] } }],
    });
    await command.printed(/The configuration has changed and is in effect\./);
    await jsonOf(directory, "publish", "--topic", "shop/orders", "--type", "paid", "--data", "1");
    expect(await jsonOf(directory, "namespaces")).toMatchObject([
      {
        name: "shop",
        key1: "mine",
        topics: [{ name: "orders", subscriptions: [{ name: "shipping", waiting: 0 }] }],
      },
    ]);
  });

  it("moves an event subscription to another topic", async () => {
    const directory = emptyDirectory();
    const webhook = await startWebhook();
    const declare = (topic: string) =>
      configure(directory, {
        ingress: { "https://orders.example.com": webhook.url },
        topics: [{ name: "orders" }, { name: "returns" }],
        eventSubscriptions: [
          {
            name: "shop-sub",
            scope: `${GROUP}/providers/Microsoft.EventGrid/topics/${topic}`,
            endpointUrl: "https://orders.example.com/api/events",
          },
        ],
      });
    declare("orders");
    const command = runCommand([], directory);
    await command.printed(/handshake +shop-sub .+ succeeded/);
    declare("returns");
    const topics = async () =>
      (await jsonOf(directory, "subscriptions")).map(({ topic }: { topic: string }) => topic);
    await expect.poll(topics).toEqual(["returns"]);
  });

  it("says what needs a restart", async () => {
    const command = runConfigured({});
    await command.printed(/export/);
    configure(command.directory, { port: 39_521, clock: { scale: 60 } });
    await command.printed(/Restart for the changes of port, clock\./);
  });

  it("stays in effect when the new file is invalid", async () => {
    const command = runConfigured({ topics: [{ name: "orders" }] });
    await command.printed(/export/);
    configure(command.directory, { topics: [{ name: "o" }] });
    await command.printed(/topics\[0\]\.name must be 3 to 50 letters/);
    expect(await jsonOf(command.directory, "topics")).toMatchObject([{ name: "orders" }]);
  });

  it("finds what an earlier run has persisted", async () => {
    const first = runConfigured(
      {
        topics: [{ name: "orders", accessKey: "configured" }],
        applications: [{ displayName: "webhook", secret: "s3cret" }],
      },
      "--persist",
      "state",
    );
    await first.printed(/export/);
    await jsonOf(first.directory, "topics", "create", "from-command");
    await first.interrupt();

    const second = runCommand(["--persist", "state"], first.directory);
    await second.printed(/export/);
    expect(await jsonOf(first.directory, "topics")).toMatchObject([
      { name: "orders", key1: "configured" },
      { name: "from-command" },
    ]);
  });
});
