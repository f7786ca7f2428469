import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { itWith } from "../../support/describe-with.js";
import { root } from "../../support/project.js";
import { cloudEvent, post, startShop } from "../support/cloud.js";
import { emptyDirectory } from "../support/command.js";
import { deadLettersTo } from "../support/dead-letters.js";
import { files, ndjson, recorded } from "../support/recording.js";

it("replays the recording in the documentation of listen", async () => {
  const page = readFileSync(join(root, "docs/command-line/listen.md"), "utf8");
  const [line = ""] = /^\{"recorded":.*$/m.exec(page) ?? [];
  const { cloud } = await startShop();
  const { events, skipped } = await cloud.replay(files({ "incident.ndjson": `${line}\n` }));
  expect(skipped).toEqual([]);
  expect(events[0]?.deliveries).toMatchObject([
    { outcome: "delivered", attempts: [{ attempt: 1 }] },
  ]);
});

describe("reading a recording", () => {
  it("names every record that it skips by its line or index", async () => {
    const { cloud, topic } = await startShop();
    const [lines = "", array = ""] = files({
      "lines.ndjson": `${ndjson(recorded(0, { id: "1" }))}{"recorded":"cloud-ev\n\n${ndjson(
        { recorded: "cloud-eventgrid/9" },
        recorded(0, { id: "" }),
        { recorded: "cloud-eventgrid/1", time: "yesterday", event: cloudEvent() },
        { recorded: "cloud-eventgrid/1", event: cloudEvent(), attempt: 0 },
      )}`,
      "array.json": JSON.stringify([cloudEvent(), 17, { hello: "world" }]),
    });
    const { events, skipped } = await cloud.replay([lines, array], { topic: topic.name });
    expect(events).toHaveLength(2);
    expect(skipped).toEqual([
      { place: `${lines}, line 2`, problem: "it is not JSON" },
      {
        place: `${lines}, line 4`,
        problem: "its format is 'cloud-eventgrid/9', but this version reads 'cloud-eventgrid/1'",
      },
      { place: `${lines}, line 5`, problem: "the required attribute 'id' is missing or empty" },
      { place: `${lines}, line 6`, problem: "time must be an ISO 8601 time, not 'yesterday'" },
      {
        place: `${lines}, line 7`,
        problem: "attempt must be a whole number, 1 or more, not '0'",
      },
      { place: `${array}, index 1`, problem: "it is not a JSON object" },
      { place: `${array}, index 2`, problem: expect.stringMatching(/^it is neither a CloudEvent/) },
    ]);
  });

  it("refuses a recording as soon as more than 100 records cannot be read", async () => {
    const { cloud, topic } = await startShop();
    const good = ndjson(recorded(0, { id: "1" }));
    const [lines = "", array = ""] = files({
      "lines.ndjson": `${good}${"{}\n".repeat(100)}`,
      "array.json": JSON.stringify(Array(100_000).fill(1)),
    });
    const { events, skipped } = await cloud.replay(lines, { topic: topic.name });
    expect(events).toHaveLength(1);
    expect(skipped).toHaveLength(100);
    const refused: Error = await cloud.replay([lines, array]).catch((error) => error);
    expect(refused).toMatchObject({ code: "ERR_REPLAY" });
    expect(refused.message.split("\n")).toHaveLength(101);
    expect(refused.message).toMatch(/^More than 100 records cannot be read, .*\n.*, line 2: it is/);
  });

  it("reads files that Windows has written, with a mark or in UTF-16", async () => {
    const { cloud, topic } = await startShop();
    const directory = emptyDirectory();
    const text = `\uFEFF${JSON.stringify(cloudEvent())}\r\n`;
    writeFileSync(join(directory, "marked.json"), text);
    writeFileSync(join(directory, "utf16.json"), text, "utf16le");
    const { events, skipped } = await cloud.replay(directory, { topic: topic.name });
    expect([events.length, skipped]).toEqual([2, []]);
    writeFileSync(join(directory, "latin.json"), JSON.stringify({ name: "Zoë" }), "latin1");
    await expect(cloud.replay(directory, { topic: topic.name })).rejects.toThrow(
      /cannot be read: the text is neither UTF-8 nor UTF-16/,
    );
  });

  it("reads the files of a directory with a link to the directory above it", async () => {
    const { cloud, topic } = await startShop();
    const directory = emptyDirectory();
    writeFileSync(join(directory, "events.json"), JSON.stringify(cloudEvent()));
    symlinkSync("..", join(directory, "above"));
    symlinkSync("..", join(directory, "above.json"));
    symlinkSync("events.json", join(directory, "linked.json"));
    const { events } = await cloud.replay(directory, { topic: topic.name });
    expect(events).toHaveLength(2);
  });

  itWith("mkfifo", "reads the output of a command from a pipe", async () => {
    const { cloud, topic } = await startShop();
    const pipe = join(emptyDirectory(), "pipe");
    execFileSync("mkfifo", [pipe]);
    const written = writeFile(pipe, JSON.stringify(cloudEvent()));
    const { events } = await cloud.replay(pipe, { topic: topic.name });
    await written;
    expect(events).toHaveLength(1);
  });

  it("rejects when there is nothing to replay", async () => {
    const { cloud } = await startShop();
    const [empty = "", text = ""] = files({ "empty.json": "[]", "notes.txt": "hello" });
    await expect(cloud.replay(empty)).rejects.toMatchObject({
      code: "ERR_REPLAY",
      message: "There is no event to replay.",
    });
    await expect(cloud.replay(text)).rejects.toThrow(
      `${text}: it is neither JSON nor lines of JSON`,
    );
    await expect(cloud.replay([`${text}1`, `${text}2`])).rejects.toThrow(
      /^.*notes.txt1 cannot be read: ENOENT.*\n.*notes.txt2 cannot/,
    );
  });
});

describe("dead letters", () => {
  it("are replayed as they were published, from the files of the local Azure", async () => {
    const directory = emptyDirectory();
    const { cloud, webhook, topic, publish } = await startShop(
      { deadLetterDirectory: directory },
      deadLettersTo("dead"),
    );
    webhook.answerDeliveries(() => 400);
    // A number that JavaScript would round keeps its digits.
    await post(
      topic,
      '{"specversion":"1.0","id":"1","source":"/shop","type":"shop.order.placed","data":12345678901234567890}',
    );
    await cloud.drain();
    await cloud.clock.advance({ minutes: 5 });
    await publish({ id: "2" });
    await cloud.drain();
    webhook.answerDeliveries(() => 200);
    const started = cloud.clock.now();
    const { events, skipped } = await cloud.replay(directory);

    expect(skipped).toEqual([]);
    expect(events.map(({ event, deliveries }) => [event.id, deliveries[0]?.outcome])).toEqual([
      ["1", "delivered"],
      ["2", "delivered"],
    ]);
    expect(webhook.deliveries.slice(-2).map(({ body }) => body)).toEqual([
      '{"specversion":"1.0","id":"1","source":"/shop","type":"shop.order.placed","data":12345678901234567890}',
      JSON.stringify(cloudEvent({ id: "2" })),
    ]);
    expect(cloud.clock.now() - started).toBe(5 * 60_000);
  });

  it("are read in both schemas, and in the form of namespaces", async () => {
    const { cloud, webhook, topic } = await startShop();
    const dead = {
      deadLetterReason: "MaxDeliveryAttemptsExceeded",
      deliveryAttempts: 30,
      lastDeliveryOutcome: "Busy",
      publishTime: "2026-11-21T08:00:00Z",
      lastDeliveryAttemptTime: "2026-11-22T08:00:00Z",
    };
    const eventGrid = {
      topic: "/subscriptions/1/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders",
      id: "1",
      subject: "orders/1",
      eventType: "shop.order.placed",
      eventTime: "2026-11-21T08:00:00Z",
      dataVersion: "",
      metadataVersion: "1",
      data: {},
    };
    const [basic = "", namespace = ""] = files({
      "basic.json": JSON.stringify([
        { ...eventGrid, ...dead },
        // Without specversion, as in Microsoft's example.
        {
          id: "2",
          source: "/shop",
          type: "shop.order.placed",
          deadletterreason: "TimeToLiveExceeded",
        },
      ]),
      "namespace.json": JSON.stringify([
        {
          deadLetterProperties: {
            deadletterreason: "Maximum delivery attempts was exceeded.",
            deliveryattempts: 10,
            deliveryresult: "Busy",
            publishutc: "2026-11-21T08:00:01Z",
            deliveryattemptutc: "2026-11-21T09:00:01Z",
          },
          event: cloudEvent({ id: "3" }),
        },
      ]),
    });
    const { events } = await cloud.replay([basic, namespace], { topic: topic.name });
    expect(events.map(({ event }) => event.id)).toEqual(["1", "2", "3"]);
    expect(webhook.deliveries.map(({ body }) => JSON.parse(body))).toEqual([
      expect.objectContaining({ id: "1", source: eventGrid.topic, subject: "orders/1" }),
      { specversion: "1.0", id: "2", source: "/shop", type: "shop.order.placed" },
      cloudEvent({ id: "3" }),
    ]);
  });
});
