import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LocalCloud } from "cloud-eventgrid-local";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { command } from "./command.js";
import { directoryWith } from "./temporary.js";

let cloud: LocalCloud;
let env: Record<string, string>;
beforeAll(async () => {
  cloud = await LocalCloud.start();
  const { id: scope, endpoint, accessKey } = cloud.topics.create({ name: "orders" });
  const destination = {
    endpointType: "StorageQueue",
    properties: { queueName: "orders" },
  } as const;
  await cloud.eventSubscriptions.create({ name: "orders-queue", scope, destination });
  env = { ORDERS_TOPIC_ENDPOINT: endpoint, ORDERS_ACCESS_KEY: accessKey };
});
afterAll(() => cloud.close());

const publish = (args: readonly string[], options: { input?: string; directory?: string } = {}) =>
  command(["publish", "--env", "ORDERS", ...args], { env, ...options });

/** The event with this id, as a queue received it. */
async function received(id: string): Promise<unknown> {
  await cloud.drain();
  const message = cloud.messages().find(({ event }) => event.id === id);
  return JSON.parse(message?.body ?? "null");
}

describe("cloud-eventgrid publish", () => {
  it("publishes an event with the data of a file", async () => {
    const directory = directoryWith({ "order.json": '{ "orderId": "17" }' });
    const args = ["--type", "shop.order.placed", "--data", "@order.json", "--id", "a-1"];
    const { exitCode, out } = await publish([...args, "--subject", "orders/17"], { directory });
    expect(exitCode).toBe(0);
    expect(out).toBe(`${env.ORDERS_TOPIC_ENDPOINT} accepted the event a-1.\n`);
    expect(await received("a-1")).toMatchObject({
      type: "shop.order.placed",
      source: "cloud-eventgrid",
      subject: "orders/17",
      data: { orderId: "17" },
    });
  });

  it("reads data and variables that Windows has written, with a mark or in UTF-16", async () => {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}\r\n`);
    const directory = directoryWith({ ".env": `\uFEFF${variables.join("")}` });
    writeFileSync(join(directory, "order.json"), '\uFEFF{ "orderId": "18" }\r\n', "utf16le");
    const event = ["--type", "shop.order.placed", "--data", "@order.json", "--id", "a-2"];
    const args = ["publish", "--env", "ORDERS", "--dotenv", ".env", ...event];
    const { exitCode, error } = await command(args, { env: {}, directory });
    expect([exitCode, error]).toEqual([0, ""]);
    expect(await received("a-2")).toMatchObject({ data: { orderId: "18" } });
  });

  it("takes the data from standard input, and prints the id with --json", async () => {
    const { out } = await publish(["--type", "shop.order.placed", "--data", "@-", "--json"], {
      input: "[1, 2]",
    });
    const { ok, id } = JSON.parse(out);
    expect(ok).toBe(true);
    expect(await received(id)).toMatchObject({ data: [1, 2] });
  });

  it("refuses data that is not JSON, without printing a file", async () => {
    const directory = directoryWith({ "order.json": "hush" });
    const args = ["--type", "shop.order.placed", "--data", "@order.json"];
    const { exitCode, error } = await publish(args, { directory });
    expect([exitCode, error]).toEqual([
      2,
      "error: --data must be JSON, or @ and the name of a file with it: order.json\n",
    ]);
  });

  it.each(["9007199254740993", "0.1234567890123456789", "1e400"])(
    "refuses data with the number %s, which JavaScript would change",
    async (number) => {
      const args = ["--type", "shop.order.placed", "--data", `{"total":${number}}`];
      const { exitCode, error } = await publish(args);
      expect([exitCode, error]).toEqual([
        2,
        `error: --data has the number ${number}, which JavaScript would change: write it as a string\n`,
      ]);
    },
  );

  it("refuses a file in another encoding than Unicode", async () => {
    const directory = directoryWith({});
    writeFileSync(join(directory, "order.json"), Buffer.from('{"name":"Zoë"}', "latin1"));
    const args = ["--type", "shop.order.placed", "--data", "@order.json"];
    const { exitCode, error } = await publish(args, { directory });
    expect(exitCode).toBe(1);
    expect(error).toContain("cannot read order.json: the text is neither UTF-8 nor UTF-16");
  });

  it.each([["--id"], ["--subject"]])("exits with 2 for an empty %s", async (option) => {
    const { exitCode } = await publish(["--type", "shop.order.placed", option, ""]);
    expect(exitCode).toBe(2);
  });

  it("exits with 1 when the topic refuses the access key", async () => {
    const wrong = { ...env, ORDERS_ACCESS_KEY: "d3Jvbmc=" };
    const args = ["publish", "--env", "ORDERS", "--type", "shop.order.placed"];
    const { exitCode, error } = await command(args, { env: wrong });
    expect(exitCode).toBe(1);
    expect(error).toContain("401");
    expect(error).not.toContain("d3Jvbmc");
  });
});

describe("the arguments of publish", () => {
  const topic = ["publish", "--topic", "https://a.example.com/api/events"];

  it("are checked before anybody signs in", async () => {
    const both = ["--type", "a", "--entra", "--access-key-env", "KEY"];
    for (const [args, message] of [
      [both, "give --access-key-env or --entra, not both"],
      [["--type", "a", "--access-key", "4711"], "give --access-key-env <variable>"],
      [["--type", "a", "--access-key-env", "KEY"], "KEY is not set: put the topic's access key"],
      [["--type", "a", "--entra", "--topic", "orders"], "the topic's endpoint, such as https://"],
      [["--type", "a", "--entra", "--topic", "ftp://a"], "--topic must be an https URL"],
      [["--type", " ", "--entra"], "--type must be a text without control characters"],
    ] as const) {
      const { exitCode, error } = await command([...topic, ...args]);
      expect({ exitCode, error }).toEqual({ exitCode: 2, error: expect.stringContaining(message) });
    }
  });
  it("name the direction of a binding that only receives", async () => {
    const args = ["publish", "--env", "ORDERS", "--type", "a"];
    const { exitCode, error } = await command(args, { env: { ORDERS_DIRECTION: "input" } });
    expect([exitCode, error]).toEqual([
      1,
      'error: the binding ORDERS only receives (ORDERS_DIRECTION is "input"): give one that publishes, or --topic <endpoint> with a credential\n',
    ]);
  });
});
