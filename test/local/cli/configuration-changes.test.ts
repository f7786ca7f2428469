import { describe, expect, it } from "vitest";
import { startWebhook } from "../support/cloud.js";
import { configure, emptyDirectory, runCommand } from "../support/command.js";

const GROUP = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/local";

async function runJson(directory: string, ...argv: string[]) {
  const command = runCommand([...argv, "--json"], directory);
  expect(await command.exitCode, command.err()).toBe(0);
  return JSON.parse(command.out());
}

describe("a configuration file that changes while the cloud runs", () => {
  it("creates, changes and deletes what it declares, and leaves the rest", async () => {
    const directory = emptyDirectory();
    const webhook = await startWebhook();
    configure(directory, { topics: [{ name: "orders" }, { name: "payments", accessKey: "old" }] });
    const command = runCommand(["--topic", "from-flag"], directory);
    await command.printed(/export/);
    await runJson(directory, "topics", "create", "from-command");

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
    const topics: { name: string; key1: string }[] = await runJson(directory, "topics");
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
    await runJson(directory, "publish", "--topic", "shop/orders", "--type", "paid", "--data", "1");
    expect(await runJson(directory, "namespaces")).toMatchObject([
      {
        name: "shop",
        key1: "mine",
        topics: [{ name: "orders", subscriptions: [{ name: "shipping", waiting: 0 }] }],
      },
    ]);
  });

  it("says what needs a restart", async () => {
    const directory = emptyDirectory();
    configure(directory, {});
    const command = runCommand([], directory);
    await command.printed(/export/);
    configure(directory, { port: 39_521, clock: { scale: 60 } });
    await command.printed(/Restart for the changes of port, clock\./);
  });

  it("stays in effect when the new file is invalid", async () => {
    const directory = emptyDirectory();
    configure(directory, { topics: [{ name: "orders" }] });
    const command = runCommand([], directory);
    await command.printed(/export/);
    configure(directory, { topics: [{ name: "o" }] });
    await command.printed(/topics\[0\]\.name must be 3 to 50 letters/);
    expect(await runJson(directory, "topics")).toMatchObject([{ name: "orders" }]);
  });

  it("finds what an earlier run has persisted", async () => {
    const directory = emptyDirectory();
    configure(directory, {
      topics: [{ name: "orders", accessKey: "configured" }],
      applications: [{ displayName: "webhook", secret: "s3cret" }],
    });
    const first = runCommand(["--persist", "state"], directory);
    await first.printed(/export/);
    await runJson(directory, "topics", "create", "from-command");
    await first.interrupt();

    const second = runCommand(["--persist", "state"], directory);
    await second.printed(/export/);
    expect(await runJson(directory, "topics")).toMatchObject([
      { name: "orders", key1: "configured" },
      { name: "from-command" },
    ]);
  });
});
