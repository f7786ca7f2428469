import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { root } from "../../support/project.js";
import { PUBLIC_URL, startWebhook } from "../support/cloud.js";
import { emptyDirectory } from "../support/command.js";

const EVENTS = 10_000;
const KILLS = 10;
const PER_REQUEST = 20;
const PORT = 39_519;

let running: ChildProcess | undefined;

afterEach(async () => {
  if (running?.exitCode === null) {
    running.kill("SIGKILL");
    await once(running, "exit");
  }
});

/** The built command with its state in the directory, once it accepts requests. */
async function start(directory: string, ingress: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [
      join(root, "local/bin/cloud-eventgrid-local.js"),
      ...["--persist", "state", "--port", String(PORT), "--quiet"],
      ...["--ingress", `${new URL(PUBLIC_URL).origin}=${ingress}`],
    ],
    { cwd: directory, stdio: ["ignore", "pipe", "inherit"] },
  );
  running = child;
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  await expect.poll(() => out, { timeout: 20_000, interval: 20 }).toMatch(/is running/);
  return child;
}

it("delivers every accepted event although the process is killed ten times", async () => {
  const directory = emptyDirectory();
  const webhook = await startWebhook();
  const deliveries = new Map<string, number>();
  webhook.answerDeliveries(({ body }) => {
    const { id } = JSON.parse(body);
    deliveries.set(id, (deliveries.get(id) ?? 0) + 1);
    webhook.requests.length = 0;
    return 200;
  });
  let child = await start(directory, webhook.url);
  const run = async (...argv: string[]) => {
    const command = spawn(
      process.execPath,
      [join(root, "local/bin/cloud-eventgrid-local.js"), ...argv],
      { cwd: directory, stdio: ["ignore", "pipe", "inherit"] },
    );
    let out = "";
    command.stdout.on("data", (chunk) => {
      out += chunk;
    });
    await once(command, "exit");
    return out;
  };
  const topic = JSON.parse(await run("topics", "create", "orders", "--json"));
  await run("subscriptions", "create", "orders-sub", "--topic", "orders", "--endpoint", PUBLIC_URL);

  const accepted = new Set<string>();
  const publish = async (from: number): Promise<boolean> => {
    const events = Array.from({ length: PER_REQUEST }, (_, index) => ({
      specversion: "1.0",
      id: String(from + index),
      source: "/shop",
      type: "shop.order.placed",
      data: { filler: "x".repeat(300) },
    }));
    try {
      const response = await fetch(topic.endpoint, {
        method: "POST",
        headers: {
          "aeg-sas-key": topic.key1,
          "content-type": "application/cloudevents-batch+json",
        },
        body: JSON.stringify(events),
      });
      if (!response.ok) return false;
      for (const { id } of events) accepted.add(id);
      return true;
    } catch {
      return false; // the process is down: these events were not accepted, or the response was lost
    }
  };

  let kills = 0;
  for (let from = 0; from < EVENTS; ) {
    const requests = Array.from({ length: 4 }, (_, index) => from + index * PER_REQUEST);
    const sent = Promise.all(requests.map(publish));
    const isTimeToKill = kills < KILLS && from >= ((kills + 0.5) * EVENTS) / KILLS;
    if (isTimeToKill) {
      kills++;
      await sleep(Math.random() * 15); // in the middle of accepting and delivering
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    const ok = await sent;
    if (isTimeToKill) child = await start(directory, webhook.url);
    // Like any client, it publishes again what was not accepted.
    for (const [index, isAccepted] of ok.entries()) {
      while (!isAccepted && !(await publish(requests[index] ?? 0))) await sleep(50);
    }
    from += 4 * PER_REQUEST;
  }
  await expect
    .poll(() => [...accepted].filter((id) => !deliveries.has(id)), { timeout: 60_000 })
    .toEqual([]);

  const repeated = [...deliveries.values()].reduce((sum, count) => sum + count - 1, 0);
  console.log(`${accepted.size} accepted, ${kills} kills, ${repeated} delivered once more`);
  expect(accepted.size).toBe(EVENTS);
  expect(kills).toBe(KILLS);
  // 16 deliveries are in flight at most, and up to 80 events were published again by this test.
  expect(repeated).toBeLessThanOrEqual(KILLS * (16 + 4 * PER_REQUEST));
});
