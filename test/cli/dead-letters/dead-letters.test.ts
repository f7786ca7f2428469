import { randomUUID } from "node:crypto";
import { type ContainerClient, ContainerSASPermissions } from "@azure/storage-blob";
import { LocalCloud, type Topic } from "cloud-eventgrid-local";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type Azurite, sharedAzurite } from "../../support/azurite.js";
import { ACCEPTED, ACCESS_KEY, refused, TopicServer } from "../../support/topic-server.js";
import { command } from "../command.js";
import { writeBlob, writeText } from "./container.js";

let azurite: Azurite;
let cloud: LocalCloud;
let container: ContainerClient;
let topic: Topic;

beforeAll(async () => {
  azurite = await sharedAzurite();
  cloud = await LocalCloud.start();
});
afterAll(async () => {
  await cloud.close();
});
beforeEach(async () => {
  container = await azurite.createContainer(`dead-${randomUUID()}`);
  topic = cloud.topics.create({ name: `orders-${randomUUID().slice(0, 8)}` });
});

/** Runs `dead-letters` on the test's container, with its topic in the environment ORDERS. */
const deadLetters = (subcommand: string, ...args: string[]) =>
  command(["dead-letters", subcommand, "--container", container.containerName, ...args], {
    env: {
      AZURE_STORAGE_CONNECTION_STRING: azurite.connectionString,
      ORDERS_TOPIC_ENDPOINT: topic.endpoint,
      ORDERS_ACCESS_KEY: topic.accessKey,
    },
    replacements: { deadLetters: { leaseWaitMs: 1 } },
  });

const replay = (...args: string[]) => deadLetters("replay", "--env", "ORDERS", ...args);
const sentIds = () => topic.events().map(({ id }) => id);

describe("dead-letters list", () => {
  it("names the variable of a connection string that is not valid", async () => {
    const { exitCode, error } = await command(["dead-letters", "list", "--container", "dead"], {
      env: { AZURE_STORAGE_CONNECTION_STRING: "hush" },
    });
    expect(exitCode).toBe(2);
    expect(error).toMatch(/^error: AZURE_STORAGE_CONNECTION_STRING is not valid/);
    expect(error).not.toContain("hush");
  });

  it("counts dead letters by day, reason and type", async () => {
    await writeBlob(container, [{ id: "1" }, { id: "2", at: "2026-01-31T08:30:00Z" }]);
    await writeBlob(container, [
      { id: "3", type: "shop.order.paid", reason: "TimeToLiveExceeded" },
    ]);
    const { exitCode, out } = await deadLetters("list");
    expect(exitCode).toBe(0);
    expect(out.split("\n").slice(0, 3)).toEqual([
      "day         reason                       type               count  replayed  first                     last",
      "2026-01-31  MaxDeliveryAttemptsExceeded  shop.order.placed  2      0         2026-01-31T07:00:00.000Z  2026-01-31T08:30:00Z",
      "2026-01-31  TimeToLiveExceeded           shop.order.paid    1      0         2026-01-31T07:00:00.000Z  2026-01-31T07:00:00.000Z",
    ]);
    expect(out).toContain("3 dead letters in http://");
  });

  it("groups by the columns of --by", async () => {
    await writeBlob(container, [{ id: "1" }], "ORDERS-WEBHOOK");
    await writeBlob(container, [{ id: "2" }], "RETURNS-WEBHOOK");
    const { out } = await deadLetters("list", "--by", "subscription", "--json");
    expect(JSON.parse(out)).toMatchObject({
      total: 2,
      groups: [
        { key: { subscription: "ORDERS-WEBHOOK" }, count: 1 },
        { key: { subscription: "RETURNS-WEBHOOK" }, count: 1 },
      ],
    });
  });

  it.each([
    [["--reason", "TimeToLiveExceeded"], 1],
    [["--type", "shop.order.placed"], 2],
    [["--subscription", "orders-webhook"], 2],
    [["--since", "2026-01-31T08:00Z"], 1],
    [["--until", "2026-01-31T08:00Z"], 2],
  ])("selects with %j", async (args, count) => {
    await writeBlob(container, [{ id: "1" }]);
    await writeBlob(container, [{ id: "2", at: "2026-01-31T08:30:00Z" }]);
    const other = { id: "3", type: "shop.order.paid", reason: "TimeToLiveExceeded" };
    await writeBlob(container, [other], "RETURNS-WEBHOOK");
    const { out } = await deadLetters("list", "--json", ...args);
    expect(JSON.parse(out).total).toBe(count);
  });

  it("ignores files with other names", async () => {
    await writeText(container, "README.md", "# Dead letters");
    const { exitCode, out } = await deadLetters("list");
    expect([exitCode, out]).toEqual([0, "There are no dead letters.\n"]);
  });

  it("names blobs that it cannot read, keeps the dead letters beside a foreign record, and exits with 3", async () => {
    await writeText(container, "ORDERS/2026/1/31/7/broken.json", "[{");
    const letter = '{"id":"1","source":"/s","type":"t","deadLetterReason":"x"}';
    // With a byte order mark, as .NET writes texts.
    await writeText(
      container,
      "ORDERS/2026/1/31/7/mixed.json",
      `\uFEFF[{"no":"record"},${letter}]`,
    );
    const { exitCode, out, error } = await deadLetters("list", "--json");
    expect(exitCode).toBe(3);
    expect(JSON.parse(out)).toMatchObject({
      total: 1,
      unreadable: [
        { blob: "ORDERS/2026/1/31/7/broken.json", problem: "it is not JSON" },
        { blob: "ORDERS/2026/1/31/7/mixed.json" },
      ],
    });
    for (const [name, ...args] of [["show"], ["replay", "--dry-run"]] as const) {
      const { unreadable } = JSON.parse((await deadLetters(name, ...args, "--json")).out);
      expect(unreadable).toHaveLength(2);
    }
    expect(error).toBe(
      "Not readable: ORDERS/2026/1/31/7/broken.json: it is not JSON\n" +
        "Not readable: ORDERS/2026/1/31/7/mixed.json: 1 of its 2 records is not written by Event Grid\n",
    );
  });

  it("exits with 1 and names the container when it does not exist", async () => {
    const { exitCode, error } = await command(
      ["dead-letters", "list", "--container", "missing-container"],
      { env: { AZURE_STORAGE_CONNECTION_STRING: azurite.connectionString } },
    );
    expect(exitCode).toBe(1);
    expect(error).toContain("missing-container: 404");
    expect(error).not.toContain("AccountKey");
  });

  it("takes a URL with a signature from the environment and never prints the signature", async () => {
    await writeBlob(container, [{ id: "1" }]);
    const url = await container.generateSasUrl({
      permissions: ContainerSASPermissions.parse("rl"),
      expiresOn: new Date(Date.now() + 60_000),
    });
    const { exitCode, out } = await command(["dead-letters", "list", "--container-env", "DEAD"], {
      env: { DEAD: url },
    });
    expect(exitCode).toBe(0);
    expect(out).toContain("1 dead letter in http://");
    expect(out).not.toContain("sig=");
  });
});

describe("dead-letters show", () => {
  it("shows the event and why it was not delivered", async () => {
    const blob = await writeBlob(container, [{ id: "1" }, { id: "2" }]);
    const { exitCode, out } = await deadLetters("show", "2", "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(out).records).toEqual([
      {
        blob,
        index: 1,
        subscription: "ORDERS-WEBHOOK",
        event: {
          specversion: "1.0",
          id: "2",
          source: "/shop",
          type: "shop.order.placed",
          subject: "orders/2",
          time: "2026-01-30T07:00:00Z",
          shard: "blue",
          data: { orderId: "2" },
        },
        reason: "MaxDeliveryAttemptsExceeded",
        deliveryAttempts: 30,
        lastDeliveryOutcome: "GenericError",
        publishTime: "2026-01-30T07:00:00.000Z",
        lastDeliveryAttemptTime: "2026-01-31T07:00:00.000Z",
        replayed: false,
      },
    ]);
  });

  it("exits with 3 when there is no such event", async () => {
    expect((await deadLetters("show", "17")).exitCode).toBe(3);
  });
});

describe("dead-letters replay", () => {
  it("sends the original events and marks them, so that a second replay sends nothing", async () => {
    await writeBlob(container, [{ id: "1" }, { id: "2" }]);
    await writeBlob(container, [{ id: "3" }]);
    const first = await replay("--yes");
    expect(first.out).toBe("3 events were accepted.\n");
    expect(first.error).toContain("every subscription of the topic receives these events again");
    expect(first.error).toContain("An inbox in PostgreSQL handles\nthose again");
    expect(first.exitCode).toBe(0);
    expect(sentIds().sort()).toEqual(["1", "2", "3"]);
    expect(JSON.parse(topic.events()[0]?.json ?? "")).toEqual({
      specversion: "1.0",
      id: expect.any(String),
      source: "/shop",
      type: "shop.order.placed",
      subject: expect.any(String),
      time: "2026-01-30T07:00:00Z",
      shard: "blue",
      data: { orderId: expect.any(String) },
    });

    await replay("--yes");
    expect(sentIds()).toHaveLength(3);
    const { out } = await deadLetters("list", "--json");
    expect(JSON.parse(out).groups).toMatchObject([{ count: 3, replayed: 3 }]);
  });

  it("sends replayed events again with --again", async () => {
    await writeBlob(container, [{ id: "1" }]);
    await replay("--yes");
    await replay("--yes", "--again");
    expect(sentIds()).toEqual(["1", "1"]);
  });

  it("sends nothing with --dry-run and says what it would send", async () => {
    await writeBlob(container, [{ id: "1" }]);
    const { exitCode, out } = await replay("--dry-run", "--yes");
    expect(exitCode).toBe(0);
    expect(out).toContain(`1 dead letter to send to ${topic.endpoint}.`);
    expect(sentIds()).toEqual([]);
  });

  it("sends nothing without --yes when nobody can be asked", async () => {
    await writeBlob(container, [{ id: "1" }]);
    const { exitCode, error } = await replay();
    expect(exitCode).toBe(2);
    expect(error).toContain("add --yes to send them");
    expect(sentIds()).toEqual([]);
  });

  it("sends only what --id and --limit select", async () => {
    await writeBlob(container, [{ id: "1" }, { id: "2" }, { id: "3" }]);
    await replay("--yes", "--id", "2");
    expect(sentIds()).toEqual(["2"]);
    await replay("--yes", "--limit", "1");
    expect(sentIds()).toEqual(["2", "1"]);
  });

  it("prints JSON with --json when there is nothing to send", async () => {
    const { exitCode, out } = await replay("--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toEqual({ accepted: 0, failures: [], busy: [], unreadable: [] });
  });

  it("reports what cannot be sent, sends the rest and exits with 3", async () => {
    await writeBlob(container, [{ id: "1" }]);
    const big =
      '{"specversion":"1.0","id":"big","source":"/s","type":"t","data":12345678901234567890';
    await writeText(
      container,
      "ORDERS/2026/1/31/7/big.json",
      `[${big},"deadletterreason":"x"},
      {"specversion":"1.0","id":"2","source":"/s","type":"t","data":["},1,",1],"deadletterreason":"x"}]`,
    );
    const old = '{"id":"old","eventType":"t","deadLetterReason":"x","deliveryAttempts":1}';
    await writeText(container, "ORDERS/2026/1/31/7/old.json", `[${old}]`);
    const { exitCode, out } = await replay("--yes", "--json");
    expect(exitCode).toBe(3);
    expect(JSON.parse(out)).toEqual({
      accepted: 2,
      busy: [],
      failures: expect.arrayContaining([
        expect.objectContaining({ id: "big", reason: expect.stringContaining("more digits") }),
        expect.objectContaining({ id: "old", reason: expect.stringContaining("not a CloudEvent") }),
      ]),
      unreadable: [],
    });
    expect(sentIds().sort()).toEqual(["1", "2"]);
  });

  it.each([
    ["first", "2", ["1", "3", "4"]],
    ["second", "3", ["1", "2", "4"]],
  ])(
    "marks and counts only what the topic accepted of a blob, whose %s request it refuses, so that a second replay sends the rest",
    async (_, bad, others) => {
      const data = "x".repeat(900_000);
      const refusing = await TopicServer.start(({ events }) =>
        events.some(({ id }) => id === bad) ? refused(400, "Refused", "no such type") : ACCEPTED,
      );
      onTestFinished(() => refusing.stop());
      // They need two requests.
      await writeBlob(container, [{ id: "1" }, { id: "2", data }, { id: "3", data }, { id: "4" }]);
      const replayed = () =>
        command(
          [
            ...[
              "dead-letters",
              "replay",
              "--container",
              container.containerName,
              "--yes",
              "--json",
            ],
            ...["--topic", refusing.endpoint, "--access-key-env", "KEY"],
          ],
          { env: { AZURE_STORAGE_CONNECTION_STRING: azurite.connectionString, KEY: ACCESS_KEY } },
        );
      const accepted = () => refusing.accepted.map(({ id }) => id).toSorted();
      const first = await replayed();
      expect(first.exitCode).toBe(3);
      expect(JSON.parse(first.out)).toMatchObject({ accepted: 3, failures: [{ id: bad }] });
      expect(accepted()).toEqual(others);
      expect(JSON.parse((await deadLetters("list", "--json")).out).groups).toMatchObject([
        { count: 4, replayed: 3 },
      ]);
      refusing.answer = () => ACCEPTED;
      expect((await replayed()).exitCode).toBe(0);
      expect(accepted()).toEqual(["1", "2", "3", "4"]);
    },
  );

  it("stops early and marks nothing when the topic refuses the key", async () => {
    await writeBlob(container, [{ id: "1" }]);
    const { exitCode, out, error } = await command(
      [
        ...["dead-letters", "replay", "--container", container.containerName, "--yes"],
        ...["--topic", topic.endpoint, "--access-key-env", "KEY"],
      ],
      {
        env: {
          AZURE_STORAGE_CONNECTION_STRING: azurite.connectionString,
          KEY: Buffer.from("a wrong key").toString("base64"),
        },
      },
    );
    expect(exitCode).toBe(3);
    expect(out).toContain("The replay stopped early: ");
    expect(out + error).not.toContain(Buffer.from("a wrong key").toString("base64"));
    expect(JSON.parse((await deadLetters("list", "--json")).out).groups).toMatchObject([
      { count: 1, replayed: 0 },
    ]);
  });

  it("sends binary events, and events without a specversion as in Microsoft's example", async () => {
    const bytes = Buffer.from([0, 255, 17]);
    const binary = {
      specversion: "1.0",
      id: "1",
      source: "/s",
      type: "t",
      data_base64: bytes.toString("base64"),
    };
    const example = { id: "2", source: "/s", type: "t", data: { total: 17 } };
    const records = [binary, example].map((event) => ({ ...event, deadletterreason: "x" }));
    await writeText(container, "ORDERS/2026/1/31/7/x.json", JSON.stringify(records));
    expect((await replay("--yes")).exitCode).toBe(0);
    const sent = topic.events().map(({ json }) => JSON.parse(json));
    expect(sent).toEqual([
      expect.objectContaining({ id: "1", data_base64: "AP8R" }),
      expect.objectContaining({ id: "2", specversion: "1.0", data: { total: 17 } }),
    ]);
  });

  it("leaves a blob to the replay that has it", async () => {
    const name = await writeBlob(container, [{ id: "1" }]);
    await writeBlob(container, [{ id: "2" }], "RETURNS");
    const lease = container.getBlobClient(name).getBlobLeaseClient();
    await lease.acquireLease(60);
    const { exitCode, out } = await replay("--yes");
    expect(exitCode).toBe(3);
    expect(out).toContain(`Left out: ${name}: another replay is sending it`);
    expect(sentIds()).toEqual(["2"]);
    await lease.releaseLease();
    await replay("--yes");
    expect(sentIds()).toEqual(["2", "1"]);
  });

  it("does not download blobs that are replayed as a whole", async () => {
    const name = await writeBlob(container, [{ id: "1" }]);
    await replay("--yes");
    const { metadata = {} } = await container.getBlobClient(name).getProperties();
    await writeText(container, name, "unreadable");
    await container.getBlobClient(name).setMetadata(metadata);
    expect(await replay("--yes")).toMatchObject({
      exitCode: 0,
      out: "0 events were accepted.\n",
    });
  });
});
