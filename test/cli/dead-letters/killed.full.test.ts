import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { LocalCloud } from "cloud-eventgrid-local";
import { expect, it } from "vitest";
import { startAzurite } from "../../support/azurite.js";
import { root } from "../../support/project.js";
import { cloudEventgrid } from "../built-program.js";
import { deadLetter } from "./from-local-azure.js";

it("cloud-eventgrid dead-letters replays 300 dead letters in spite of a kill, and loses none", async () => {
  await using azurite = await startAzurite();
  await using cloud = await LocalCloud.start();
  const topic = cloud.topics.create({ name: "orders" });
  const ids = Array.from({ length: 300 }, (_, i) => `${i}`);
  await deadLetter(ids, azurite.connectionString, "dead");
  const args = ["dead-letters", "replay", "--container", "dead", "--env", "ORDERS", "--yes"];
  const variables = {
    AZURE_STORAGE_CONNECTION_STRING: azurite.connectionString,
    ORDERS_TOPIC_ENDPOINT: topic.endpoint,
    ORDERS_ACCESS_KEY: topic.accessKey,
  };

  const program = join(root, "cli/bin/cloud-eventgrid.js");
  const env = { ...process.env, ...variables };
  const killed = spawn(process.execPath, [program, ...args], { env, stdio: "ignore" });
  const exited = once(killed, "exit");
  try {
    const sent = expect.poll(() => topic.events().length, { interval: 1, timeout: 120_000 });
    await sent.toBeGreaterThan(100);
  } finally {
    killed.kill("SIGKILL");
    await exited;
  }
  expect(topic.events().length).toBeLessThan(300);

  const { exitCode } = await cloudEventgrid(args, variables);
  expect(exitCode).toBe(0);
  const received = topic.events().map(({ id }) => id);
  expect([...new Set(received)].sort()).toEqual([...ids].sort());
  // Eight blobs are under way at a time, and the local Azure writes one for each event.
  expect(received.length - 300).toBeLessThanOrEqual(8);
  const again = await cloudEventgrid(args, variables);
  expect(again.out).toBe("0 events were accepted.\n");
  const list = ["dead-letters", "list", "--container", "dead", "--json"];
  expect(JSON.parse((await cloudEventgrid(list, variables)).out).groups).toMatchObject([
    { key: { reason: "UndeliverableDueToHttpBadRequest" }, count: 300, replayed: 300 },
  ]);
});
