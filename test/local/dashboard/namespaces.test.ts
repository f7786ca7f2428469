import type { LocalCloudOptions } from "cloud-eventgrid-local";
import { beforeEach, describe, expect, it } from "vitest";
import { cloudEvent, startCloud } from "../support/cloud.js";
import { namespaceClient } from "../support/namespace-client.js";
import { needsBrowser, openPage } from "./browser.js";

describe("the dashboard's view of namespaces, in Chromium", () => {
  beforeEach(needsBrowser);

  it("shows the events of a namespace's queue as receivers take them", async () => {
    const { cloud, queue, send } = await startQueue({ clock: "stepped" });
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

  it("lists the events of a queue with their states", async () => {
    const { cloud, queue, send } = await startQueue();
    for (const id of ["1", "2"]) await send(id);
    await queue.receive();
    const page = await openPage(cloud.dashboardUrl);
    await page.getByRole("link", { name: "Namespaces" }).click();
    await page.getByRole("button", { name: "shipping" }).click();
    const events = page.getByRole("region", { name: "Events of shipping" });
    await expect
      .poll(() => events.getByRole("listitem").locator("summary").allTextContents())
      .toEqual(["shop.order.placedorders/1Locked1 delivery", "shop.order.placedorders/2Waiting"]);
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
  return { cloud, queue, send };
}
