import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { cloudEvent, startShop } from "../support/cloud.js";
import { emptyDirectory } from "../support/command.js";
import { needsBrowser, openPage } from "./browser.js";

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
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as JSON" }).click();
    const file = await download;
    const text = readFileSync(await file.path(), "utf8");

    expect(file.suggestedFilename()).toMatch(/^events-\d{4}-\d\d-\d\d\.json$/);
    const record = { recorded: "cloud-eventgrid/1", topic: "orders", time: expect.any(String) };
    const event = (id: string) => cloudEvent({ id, subject: `orders/${id}` });
    expect(JSON.parse(text)).toEqual([
      { ...record, event: event("1") },
      { ...record, subscription: "orders-sub", deliveryCount: 2, event: event("1") },
      { ...record, event: event("3") },
    ]);
    const { events } = await cloud.replay(JSON.parse(text), { speed: "max" });
    expect(events.map(({ deliveries }) => deliveries[0]?.attempts.length)).toEqual([2, 1]);
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
