import type { LocalCloudOptions } from "cloud-eventgrid-local";
import { beforeEach, describe, expect, it } from "vitest";
import { cloudEvent, startCloud } from "../support/cloud.js";
import { namespaceClient } from "../support/namespace-client.js";
import { needsBrowser, openPage } from "./browser.js";

describe("the dashboard's view of namespaces, in Chromium", () => {
  beforeEach(needsBrowser);

  it("shows the events of a namespace's queue as receivers take them", async () => {
    const { cloud, namespace, queue, send } = await startQueue({ clock: "stepped" });
    await send("1");
    await send("2");
    await send("3");
    await cloud.clock.advance({ minutes: 5 });
    const page = await openPage(cloud.dashboardUrl);
    await page.getByRole("link", { name: "Namespaces" }).click();
    const row = page.getByRole("row").filter({ hasText: "shipping" });
    await row.getByText("5 min ago").waitFor();
    const cells = () => row.getByRole("cell").allTextContents();
    expect(await cells()).toEqual([
      "shipping ",
      "5 min ago",
      "3",
      "0",
      "0",
      "0",
      "0",
      "0",
      "0",
      "0",
    ]);
    const [first, second] = await queue.receive({ maxEvents: 2 });
    queue.acknowledge([first?.lockToken ?? ""]);
    queue.release([second?.lockToken ?? ""], 10_000);
    await queue.receive();
    await expect
      .poll(cells)
      .toEqual(["shipping ", "5 min ago", "0", "1", "1", "1", "1", "0", "0", "0"]);

    const { key1 } = namespace.keys();
    await page.getByRole("button", { name: "Regenerate key1" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Regenerate" }).click();
    await page.getByText("key1 of shop is new").waitFor();
    expect(namespace.keys().key1).not.toBe(key1);
  });

  it("publishes to a topic of a namespace, whose events name it beside the topic", async () => {
    const { cloud, queue } = await startQueue();
    cloud.topics.create({ name: "orders" });
    const page = await openPage(cloud.dashboardUrl);
    await page.getByRole("button", { name: "Publish event" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("combobox", { name: "Topic" }).selectOption({ label: "shop/orders" });
    await form.getByLabel("Type").fill("shop.order.placed");
    await form.getByRole("button", { name: "Publish" }).click();

    const row = page.getByRole("row").filter({ hasText: "shop.order.placed" });
    // The list hides its column of topics while the details beside it leave it no room.
    await row.getByText("shop/orders", { exact: true }).waitFor({ state: "attached" });
    const details = page.getByRole("complementary", { name: "Event details" });
    await details.getByText("shop/orders", { exact: true }).waitFor();
    expect(await queue.receive()).toMatchObject([{ event: { type: "shop.order.placed" } }]);
  });

  it("receives the events of a queue, and acknowledges, releases and rejects them", async () => {
    const { cloud, queue, send } = await startQueue();
    for (const id of ["1", "2", "3", "4"]) await send(id);
    const page = await openPage(cloud.dashboardUrl);
    await page.getByRole("link", { name: "Namespaces" }).click();
    await page.getByRole("button", { name: "shipping" }).click();
    const events = page.getByRole("region", { name: "Events of shipping" });
    const shown = () => events.getByRole("listitem").locator("summary").allTextContents();
    const waiting = (id: string) => `shop.order.placedorders/${id}Waiting`;
    const locked = (id: string) => `shop.order.placedorders/${id}Locked1 delivery`;
    await expect.poll(shown).toEqual(["1", "2", "3", "4"].map(waiting));

    await events.getByRole("button", { name: "Receive one" }).click();
    await expect.poll(shown).toEqual([locked("1"), ...["2", "3", "4"].map(waiting)]);
    await events.getByRole("button", { name: "Receive up to 10" }).click();
    await expect.poll(shown).toEqual(["1", "2", "3", "4"].map(locked));

    const settle = (id: string, operation: string) =>
      events
        .getByRole("listitem")
        .filter({ hasText: `orders/${id}` })
        .getByRole("button", { name: operation })
        .click();
    await settle("1", "Acknowledge");
    await expect.poll(shown).toEqual(["2", "3", "4"].map(locked));
    await settle("2", "Release");
    await expect
      .poll(shown)
      .toEqual([waiting("2").concat("1 delivery"), ...["3", "4"].map(locked)]);
    await settle("3", "Reject");
    await expect.poll(shown).toEqual([waiting("2").concat("1 delivery"), locked("4")]);
    expect(queue.counts).toMatchObject({
      waiting: 1,
      locked: 1,
      acknowledged: 1,
      released: 1,
      rejected: 1,
    });
  });
});

/** A namespace with a topic and a queue. */
async function startQueue(options: LocalCloudOptions = {}) {
  const cloud = await startCloud(options);
  const namespace = cloud.namespaces.create({ name: "shop" });
  const topic = namespace.topics.create({ name: "orders" });
  const queue = await topic.subscriptions.create({ name: "shipping" });
  const send = (id: string) =>
    namespaceClient(namespace).publishOne(cloudEvent({ id, subject: `orders/${id}`, data: {} }));
  return { cloud, namespace, queue, send };
}
