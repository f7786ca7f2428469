import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { cloudEvent, startWebhook } from "../support/cloud.js";
import { emptyDirectory, outputOf, runCommand, startCommand } from "../support/command.js";
import { ndjson, recorded } from "../support/recording.js";
import type { Webhook } from "../support/webhook.js";

describe("cloud-eventgrid-local replay", () => {
  let directory: string;
  let webhook: Webhook;

  async function start(...options: string[]): Promise<void> {
    await startCommand(["--topic", "orders", ...options], directory);
    await outputOf(
      directory,
      ...["subscriptions", "create", "orders-webhook", "--topic", "orders"],
      ...["--endpoint", "https://orders.example.com/api/events", "--target", webhook.url],
    );
  }

  beforeEach(async () => {
    directory = emptyDirectory();
    webhook = await startWebhook();
    const lines = ndjson(
      recorded(0, { id: "1", subject: "orders/1" }),
      recorded(3600, { id: "2", subject: "orders/2" }),
    );
    writeFileSync(join(directory, "incident.ndjson"), lines);
  });

  it("prints what the service answered to each event", async () => {
    await start("--clock", "stepped");
    webhook.answerDeliveries(({ body }) => (JSON.parse(body).id === "2" ? 400 : 200));
    expect(await outputOf(directory, "replay", "incident.ndjson")).toMatch(
      /^RECORD +TYPE +SUBJECT +SUBSCRIPTION +ATTEMPTS +STATUS +OUTCOME\nincident\.ndjson, line 1 +shop\.order\.placed +orders\/1 +orders-webhook +1 +200 +delivered\nincident\.ndjson, line 2 +\S+ +orders\/2 +\S+ +1 +400 +d\w+.*\n\n2 events were replayed\.\n$/,
    );

    const json = runCommand(["replay", "-", "--json"], directory, JSON.stringify([cloudEvent()]));
    expect(await json.exitCode, json.err()).toBe(0);
    expect(JSON.parse(json.out())).toMatchObject({
      skipped: [],
      events: [
        {
          place: "standard input, index 0",
          topic: "orders",
          event: cloudEvent(),
          deliveries: [{ outcome: "delivered", attempts: [{ status: 200, attempt: 1 }] }],
        },
      ],
    });
  });

  it("names what it cannot read, and exits with code 1", async () => {
    await start("--clock", "stepped");
    writeFileSync(join(directory, "half.ndjson"), `${ndjson(recorded(0, {}))}{"reco`);
    const replay = runCommand(["replay", "half.ndjson"], directory);
    expect(await replay.exitCode).toBe(1);
    expect(replay.out()).toContain("1 event was replayed.");
    expect(replay.err()).toContain(
      "1 record was not replayed:\n  - half.ndjson, line 2: it is not JSON",
    );
    writeFileSync(join(directory, "bad.ndjson"), `${ndjson(recorded(0, {}))}{}\n{}\n`);
    const bad = runCommand(["replay", "bad.ndjson"], directory);
    expect(await bad.exitCode).toBe(1);
    expect(bad.err()).toContain("2 records were not replayed:\n  - bad.ndjson, line 2: ");
    const missing = runCommand(["replay", "missing.ndjson"], directory);
    expect(await missing.exitCode).toBe(1);
    expect(missing.err()).toContain("missing.ndjson cannot be read: ENOENT");
    const elsewhere = runCommand(["replay", "incident.ndjson", "--topic", "other"], directory);
    expect(await elsewhere.exitCode).toBe(1);
    expect(elsewhere.err()).toContain("There is no topic, domain or namespace topic 'other'.");
    expect(await runCommand(["replay", "x", "--speed", "fast"], directory).exitCode).toBe(2);
  });

  it("ends when it is interrupted, and the rest is not delivered", async () => {
    await start();
    const replay = runCommand(["replay", "incident.ndjson"], directory);
    await replay.printed(/Replaying\. Ctrl-C ends it\./);
    expect(await replay.interrupt()).toBe(0);
    expect(webhook.deliveries).toHaveLength(1);

    await outputOf(directory, "replay", "incident.ndjson", "--speed", "max");
    expect(webhook.deliveries).toHaveLength(3);
  });
});
