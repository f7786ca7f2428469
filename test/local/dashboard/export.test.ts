import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { cloudEvent, startShop } from "../support/cloud.js";
import { needsBrowser, openPage } from "./browser.js";

/** Clicks a button that downloads a file, and returns what the file contains. */
async function downloaded(page: Page, button: string): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  const file = await download;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

describe("exports of the dashboard, in Chromium", () => {
  beforeEach(needsBrowser);

  it("exports the events that its filters leave with their retries, which replay reads", async () => {
    const { cloud, webhook, publish } = await startShop({ clock: "real" });
    webhook.answerDeliveries(() => 503);
    await publish({ id: "1", subject: "orders/1" });
    await expect.poll(() => cloud.deliveries().length).toBe(1);
    webhook.answerDeliveries(() => 200);
    cloud.retryNow();
    await publish({ id: "2", subject: "orders/2", type: "shop.order.paid" });
    await publish({ id: "3", subject: "orders/3" });
    await cloud.drain();
    const page = await openPage(cloud.dashboardUrl);
    await page.getByRole("row").filter({ hasText: "orders/3" }).first().waitFor();
    await page.getByRole("combobox", { name: "Type" }).selectOption("shop.order.placed");
    await expect.poll(() => page.getByRole("row").filter({ hasText: "orders/2" }).count()).toBe(0);
    const { name, text } = await downloaded(page, "Export");

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
});
