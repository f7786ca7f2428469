import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { root } from "../../support/project.js";
import { BATCH, cloudEvent, post, startShop } from "../support/cloud.js";
import { emptyDirectory } from "../support/command.js";
import { needsBrowser, openPage } from "./browser.js";

/** Clicks a button that downloads a file, and returns what the file contains. */
async function downloaded(page: Page, button: string): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  const file = await download;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

describe("exports and replays of the dashboard, in Chromium", () => {
  beforeEach(needsBrowser);

  it("exports a selection of events with their retries, which replay reads", async () => {
    const { cloud, webhook, publish } = await startShop({ clock: "real" });
    webhook.answerDeliveries(() => 503);
    await publish({ id: "1", subject: "orders/1" });
    await expect.poll(() => cloud.deliveries().length).toBe(1);
    webhook.answerDeliveries(() => 200);
    cloud.retryNow();
    await publish({ id: "2", subject: "orders/2" });
    await publish({ id: "3", subject: "orders/3" });
    await cloud.drain();
    const page = await openPage(cloud.dashboardUrl);
    await page.getByRole("row").filter({ hasText: "orders/3" }).first().waitFor();
    await page.getByRole("button", { name: "Export…" }).click();
    await page.getByRole("checkbox", { name: "orders/2" }).uncheck();
    await page.getByRole("heading", { name: "Export 2 events" }).waitFor();
    const { name, text } = await downloaded(page, "Export as JSON");

    expect(name).toMatch(/^events-\d{4}-\d\d-\d\d\.json$/);
    const record = { recorded: "cloud-eventgrid/1", topic: "orders", time: expect.any(String) };
    const event = (id: string) => cloudEvent({ id, subject: `orders/${id}` });
    expect(JSON.parse(text)).toEqual([
      { ...record, event: event("1") },
      { ...record, subscription: "orders-sub", attempt: 2, event: event("1") },
      { ...record, event: event("3") },
    ]);
    const { events } = await cloud.replay(JSON.parse(text), { speed: "max" });
    expect(events.map(({ deliveries }) => deliveries[0]?.attempts.length)).toEqual([2, 1]);
  });

  it("saves a test case that runs as it is", async () => {
    const { cloud, webhook, topic } = await startShop(
      {},
      {
        filter: { subjectBeginsWith: "orders/" },
        endpointUrl: "https://orders.example.com/api/events?code=secret",
        retryPolicy: { maxDeliveryAttempts: 3 },
      },
    );
    webhook.answerDeliveries(({ headers }) => (headers["aeg-delivery-count"] === "0" ? 503 : 200));
    await post(
      topic,
      // JavaScript would change the first number, and the key __proto__ as source code.
      '[{"specversion":"1.0","id":"1","source":"/shop","type":"a.b","subject":"orders/1","data":{"n":12345678901234567890}},{"specversion":"1.0","id":"2","source":"/shop","type":"a.b","subject":"parcels/2","data":"x\\n}"},{"specversion":"1.0","id":"3","source":"/shop","type":"a.b","data":{"__proto__":{"n":1}}}]',
      BATCH,
    );
    await cloud.drain();
    const page = await openPage(cloud.dashboardUrl);
    await page.getByRole("row").filter({ hasText: "parcels/2" }).waitFor();
    await page.getByRole("button", { name: "Export…" }).click();
    const { name, text } = await downloaded(page, "Save as test case");
    expect(text).not.toContain("secret");
    expect(text).toContain(String.raw`\"n\":12345678901234567890`);
    expect(text).toContain('"subject":"parcels/2"');
    expect(text).toContain(String.raw`\"__proto__\":{\"n\":1}`);

    const folder = join(root, ".cache", "saved-test-case");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "vitest.config.mjs"),
      "export default { test: { testTimeout: 120_000 } };\n",
    );
    writeFileSync(join(folder, name), text);
    // The same test of a service that fails.
    const failing = text.replace(
      "const body = await text(request);",
      '$& if (request.method === "POST") response.statusCode = 500;',
    );
    writeFileSync(join(folder, "failing.test.ts"), failing);
    const output = runTests(folder);
    expect(output).toMatch(/1 failed \| 1 passed/);
    expect(output).toContain("a.b 1 at orders-sub: dropped, 500");
  });

  it("replays a file that is chosen in a dialog, and shows its events as replayed", async () => {
    const { cloud, webhook } = await startShop({ clock: "real" });
    const page = await openPage(cloud.dashboardUrl);
    await page.getByRole("row").first().waitFor();
    await page.getByRole("button", { name: "Replay…" }).click();
    const file = join(emptyDirectory(), "events.ndjson");
    writeFileSync(file, `${JSON.stringify(cloudEvent({ subject: "orders/17" }))}\n{"half`);
    await page.getByRole("dialog").getByLabel("Files").setInputFiles(file);
    await page.getByRole("combobox", { name: "Topic" }).selectOption("orders");
    await page.getByRole("radio", { name: "No pauses" }).click();
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    await page
      .getByText(
        "Replayed 1 event: 1 delivered. 1 skipped, for example events.ndjson, line 2: it is not JSON.",
      )
      .waitFor();
    await page.getByRole("row").filter({ hasText: "replayed" }).click();
    const details = page.getByRole("complementary", { name: "Event details" });
    await details.getByText("Replayed from a file").waitFor();
    expect(webhook.deliveries).toHaveLength(1);
  });

  it("replays a file that is dropped on the page, and stops on request", async () => {
    const { cloud, webhook } = await startShop({ clock: "real" });
    const page = await openPage(cloud.dashboardUrl);
    await page.getByRole("row").first().waitFor();
    const events = [
      cloudEvent({ time: "2026-11-21T08:00:00Z" }),
      cloudEvent({ id: "2", time: "2026-11-21T09:00:00Z" }),
    ];
    const drop = (type: string) =>
      page.evaluate(`{
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([${JSON.stringify(JSON.stringify(events))}], "yesterday.json"));
        document.body.dispatchEvent(new DragEvent(${JSON.stringify(type)}, { dataTransfer, bubbles: true, cancelable: true }));
      }`);
    await drop("dragover");
    await page.getByText("Drop files to replay their events").waitFor();
    await drop("drop");
    await page.getByRole("dialog").getByText("yesterday.json").waitFor();
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    await page.getByText("Replaying: 1 record so far").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("The replay was stopped.").waitFor();
    expect(webhook.deliveries).toHaveLength(1);
  });
});

/** The output of Vitest in a folder below this repository, where tests find the packages. */
function runTests(folder: string): string {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const { stdout, stderr } = spawnSync(process.execPath, [vitest, "run", "--root", folder], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  return stdout + stderr;
}
