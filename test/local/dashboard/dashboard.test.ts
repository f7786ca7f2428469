import { beforeEach, describe, expect, it } from "vitest";
import {
  cloudEvent,
  PUBLIC_URL,
  post,
  publishBatch,
  startCloud,
  startHooked,
  startShop,
} from "../support/cloud.js";
import { deadLettersTo } from "../support/dead-letters.js";
import {
  boxOf,
  delivering,
  downloaded,
  needsBrowser,
  openPage,
  openShop,
  publish,
  publishForm,
  startQueue,
} from "./browser.js";

describe("the dashboard, in Chromium", () => {
  beforeEach(needsBrowser);

  it("shows an event that was published through its form, with the delivery", async () => {
    const { webhook, page } = await openShop(async () => {});
    await publish(page, {
      type: "shop.order.placed",
      subject: "orders/17",
      data: '{"total":42,"tip":1}',
    });

    const rows = page.getByRole("row");
    await rows.filter({ hasText: "Accepted" }).waitFor();
    await rows.filter({ hasText: "200 Delivered" }).waitFor();
    const details = page.getByRole("complementary", { name: "Event details" });
    await details.getByRole("heading", { name: "shop.order.placed" }).waitFor();
    expect(await details.textContent()).toContain('"total": 42,\n    "tip": 1\n');

    expect(webhook.deliveries).toHaveLength(1);
    expect(page.url()).not.toContain("token");
  });

  it("shows the request, the response and the token's claims of an attempt", async () => {
    const { application, page } = await openShop((shop) => {
      shop.webhook.answer = () => ({ headers: { "x-shelf": "17 B" } });
      return delivering({ id: "17" })(shop);
    });
    await page.getByRole("row").filter({ hasText: "Delivered" }).click();
    await page.getByRole("radio", { name: "Request" }).click();
    await page.getByText("POST https://orders.example.com/api/events").waitFor();
    await page.getByText("ORDERS-SUB", { exact: true }).waitFor();
    await page.getByRole("radio", { name: "Response" }).click();
    await page.getByText("17 B", { exact: true }).waitFor();
    await page.getByRole("radio", { name: "Token claims" }).click();
    await page.getByText(`"${application.clientId}"`).first().waitFor();
  });

  it("sends an event once more", async () => {
    const { webhook, page } = await openShop(delivering({ id: "17" }));
    await page.getByRole("row").filter({ hasText: "Accepted" }).click();
    await page.getByRole("button", { name: "Resend" }).first().click();
    await page.getByText("Sent again to orders-sub.").waitFor();
    await expect.poll(() => webhook.deliveries.length).toBe(2);
  });

  it("retries a failing delivery at once, and shows the dead letter in the end", async () => {
    const { webhook, page } = await openShop(({ webhook, publish }) => {
      webhook.answerDeliveries(() => 503);
      return publish({ id: "17", subject: "orders/17" });
    });
    await page.getByRole("row").filter({ hasText: "503 Retrying" }).click();
    await page.getByText("Next attempt at").waitFor();

    webhook.answerDeliveries(() => 400);
    await page.getByRole("button", { name: "Retry now" }).click();
    await page.getByRole("row").filter({ hasText: "400 Dead-lettered" }).waitFor();
    await page.getByText("after 2 attempts, stored as").waitFor();
    await page.getByRole("link", { name: "Dead letters" }).click();
    const letter = page.getByRole("row").filter({ hasText: "orders/17" });
    await letter.getByText("UndeliverableDueToHttpBadRequest").waitFor();
    await letter.getByRole("button", { name: "Resend" }).click();
    await expect.poll(() => webhook.deliveries.length).toBe(3);
  });

  it("works by keyboard alone", async () => {
    const { page } = await openShop(
      delivering({ id: "1", subject: "first" }, { id: "2", subject: "second" }),
    );
    const grid = page.getByRole("grid");
    await grid.focus();
    await page.keyboard.press("End"); // the oldest: the handshake
    await page.keyboard.press("ArrowUp"); // the first event
    await page.keyboard.press("Enter");
    const details = page.getByRole("complementary", { name: "Event details" });
    await details.getByText("first", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.keyboard.type("second");
    await expect.poll(() => grid.getByRole("row").filter({ hasText: "first" }).count()).toBe(0);
  });

  it("draws only the visible rows of a thousand", async () => {
    const { page } = await openShop(async ({ cloud, topic }) => {
      await publishBatch(
        topic,
        Array.from({ length: 500 }, (_, id) => cloudEvent({ id: `${id}` })),
      );
      await cloud.drain();
    });
    await page.getByText("1,001 of 1,001 rows").waitFor();
    expect(await page.getByRole("row").count()).toBeLessThan(60);
  });

  it("shows the first commands to run while nothing has happened", async () => {
    const cloud = await startCloud();
    const page = await openPage(cloud.dashboardUrl, { colorScheme: "dark" });
    await page.getByText("Waiting for the first event").waitFor();
    expect(await page.locator(".command").count()).toBe(2);
  });

  it("shows the time of a stepped clock, which only moves by hand", async () => {
    const cloud = await startCloud({ clock: "stepped" });
    const shown = () =>
      `${new Date(cloud.clock.now()).toISOString().slice(0, 23).replace("T", " ")}`;
    const page = await openPage(`${cloud.dashboardUrl}#/controls`);
    await page.getByRole("link", { name: "Controls" }).click();
    const clock = page.getByRole("region", { name: "Clock" });
    await clock.getByText(shown()).waitFor();
    const before = cloud.clock.now();
    await clock.getByRole("button", { name: "1 hour" }).click();
    await expect.poll(() => cloud.clock.now()).toBe(before + 3_600_000);
    await expect.poll(() => clock.textContent()).toContain(shown());
    await cloud.clock.advance({ days: 1 });
    await clock.getByText(shown()).waitFor();
  });

  it("says why no subscription got an event, and why the creation of one failed", async () => {
    const { cloud, webhook } = await startHooked();
    const topic = cloud.topics.create({ name: "orders", inputSchema: "EventGridSchema" });
    const settings = { scope: topic.id, endpointUrl: PUBLIC_URL };
    const waiting = cloud.eventSubscriptions.create({ name: "waiting", ...settings });
    waiting.catch(() => {});
    await expect.poll(() => webhook.requests.length).toBe(1);
    webhook.answer = () => ({ status: 503 });
    await expect(
      cloud.eventSubscriptions.create({ name: "failing", ...settings }),
    ).rejects.toThrow();
    await cloud.eventSubscriptions.create({
      name: "filtering",
      scope: topic.id,
      destination: { endpointType: "StorageQueue", properties: { queueName: "parcels" } },
      filter: { subjectBeginsWith: "parcels/" },
    });
    const event = { id: "17", eventType: "t", subject: "s", dataVersion: "1", data: {} };
    await post(
      topic,
      JSON.stringify([{ ...event, eventTime: new Date().toISOString() }]),
      "application/json",
    );
    const page = await openPage(cloud.dashboardUrl);
    await page.getByRole("row").filter({ hasText: "No match" }).click();
    await page
      .getByText("waiting did not get this event: its webhook awaited validation")
      .waitFor();
    await page.getByText("failing did not get this event: its creation had failed").waitFor();
    await page.getByText('subjectBeginsWith "parcels/"').waitFor();
    await page.getByRole("link", { name: "Resources" }).click();
    await page.getByRole("radio", { name: "Event subscriptions" }).click();
    const card = page.getByRole("region", { name: "Event subscription failing" });
    await card.getByText("Webhook validation handshake failed").waitFor();
  });

  it("shows a domain with its topics, and publishes to one of them", async () => {
    const cloud = await startCloud();
    const { id } = cloud.domains.create({ name: "shop", inputSchema: "EventGridSchema" });
    await cloud.eventSubscriptions.create({
      name: "returns",
      scope: `${id}/topics/returns`,
      destination: { endpointType: "StorageQueue", properties: { queueName: "returns" } },
    });
    const page = await openPage(cloud.dashboardUrl);
    await page.getByRole("link", { name: "Resources" }).click();
    await page.getByRole("radio", { name: "Domains" }).click();
    const card = page.getByRole("region", { name: "Domain shop" });
    await card.getByText("returns", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Publish event" }).click();
    await page.getByLabel("Topic of the domain").fill("returns");
    await publishForm(page, { type: "shop.order.returned", subject: "orders/17", data: "{}" });
    await expect.poll(() => cloud.messages()).toMatchObject([{ subscription: "returns" }]);
  });

  it("publishes an event of any Azure service, with sample data", async () => {
    const cloud = await startCloud();
    await cloud.eventSubscriptions.create({
      name: "secrets",
      scope: `/subscriptions/${cloud.subscriptionId}/resourceGroups/shop/providers/Microsoft.KeyVault/vaults/example`,
      destination: { endpointType: "StorageQueue", properties: { queueName: "secrets" } },
    });
    const page = await openPage(cloud.dashboardUrl);
    await page.getByRole("button", { name: "Publish event" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("radio", { name: "Azure service" }).click();
    const type = "Microsoft.KeyVault.SecretNearExpiry";
    await form.getByLabel("Type").selectOption(type);
    await form.getByRole("button", { name: "Publish" }).click();
    await expect
      .poll(() => cloud.messages())
      .toMatchObject([{ event: { type }, body: expect.stringContaining('"VaultName":"example"') }]);
  });

  it("shows every subject, and the whole line of an attempt, on a phone", async () => {
    const { cloud, webhook, publish } = await startShop({ clock: "real" });
    webhook.answerDeliveries(() => 413);
    await publish({ id: "17", subject: "orders/17", type: "shop.warehouse.order.placed" });
    await cloud.drain();
    const page = await openPage(cloud.dashboardUrl, { width: 390 });
    const row = page.getByRole("row").filter({ hasText: "413" });
    const subject = row.getByText("orders/17");
    expect(await row.getByText("→ orders-sub").isVisible()).toBe(true);
    const [cell, around] = [await boxOf(subject), await boxOf(row)];
    expect(cell.y).toBeGreaterThanOrEqual(around.y);
    expect(cell.y + cell.height).toBeLessThanOrEqual(around.y + around.height);

    await row.click();
    const attempt = page.locator("summary").filter({ hasText: "Attempt 1" });
    for (const part of await attempt.locator("> *").all()) {
      const { x, width } = await boxOf(part);
      expect(x + width).toBeLessThanOrEqual(390);
    }
  });

  it("resends the dead letters of the chosen subscription, and marks a refused handshake", async () => {
    const { cloud, webhook, topic, publish } = await startShop(
      { clock: "real" },
      deadLettersTo("dead"),
    );
    await cloud.eventSubscriptions.create({
      name: "other-sub",
      scope: topic.id,
      endpointUrl: PUBLIC_URL,
      ...deadLettersTo("dead"),
    });
    webhook.answerDeliveries(() => 400);
    for (const id of ["1", "2", "3"]) await publish({ id });
    await cloud.drain();
    expect(cloud.deadLetters()).toHaveLength(6);
    webhook.answerDeliveries(() => 200);
    webhook.requests.length = 0;
    const page = await openPage(cloud.dashboardUrl);
    await page.getByRole("link", { name: "Dead letters" }).click();
    await page.getByRole("button", { name: "Resend 6" }).waitFor();
    await page.getByRole("combobox", { name: "Subscription" }).selectOption("other-sub");
    await page.getByRole("button", { name: "Resend 3" }).click();
    await expect.poll(() => webhook.deliveries.length).toBe(3);
    const names = webhook.deliveries.map(({ headers }) => headers["aeg-subscription-name"]);
    expect(new Set(names)).toEqual(new Set(["OTHER-SUB"]));

    webhook.answer = async () => ({ status: 403 });
    const refused = { name: "refused", scope: topic.id, endpointUrl: PUBLIC_URL };
    await expect(cloud.eventSubscriptions.create(refused)).rejects.toThrow("Forbidden");
    await page.getByRole("link", { name: /Live/ }).click();
    await page.locator(".row.handshakeFailed").waitFor();
  });

  it("finds an event and its delivery by its data, and counts deliveries by subscription", async () => {
    const { cloud, publish, webhook } = await startShop({ clock: "real" });
    await publish({ id: "1", subject: "orders/1", data: { customer: "Ågot [x]" } });
    await publish({ id: "2", subject: "orders/2", data: { customer: "Bo" } });
    await cloud.drain();
    webhook.answerDeliveries(() => 400);
    await publish({ id: "3", subject: "orders/3", data: {} });
    await cloud.drain();
    const page = await openPage(cloud.dashboardUrl);
    await page.getByLabel("Search events and their data").fill("[X] ågot");
    await page.getByText("2 of 7 rows").waitFor();
    expect(await page.getByRole("gridcell", { name: "orders/1" }).count()).toBe(2);

    await page.getByRole("link", { name: "Resources" }).click();
    await page.getByRole("radio", { name: /^Event subscriptions/ }).click();
    await page.getByText(/^2 delivered, 1 failed · median \d+ ms$/).waitFor();
  });

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

  it("asks before it resets the cloud", async () => {
    const { cloud, page } = await openShop(delivering({}));
    await page.getByRole("link", { name: "Controls" }).click();
    const reset = page.getByRole("button", { name: "Reset" });
    page.once("dialog", (dialog) => dialog.dismiss());
    await reset.click();
    expect(cloud.deliveries()).toHaveLength(1);
    page.once("dialog", (dialog) => dialog.accept());
    await reset.click();
    await expect.poll(() => cloud.deliveries()).toEqual([]);
  });

  it("sets a fault and clears it", async () => {
    const { cloud, page } = await openShop(async () => {});
    await page.getByRole("link", { name: "Controls" }).click();
    await page.getByRole("button", { name: "Add the fault" }).click();
    await expect.poll(() => cloud.faults.list()).toMatchObject([{ settings: { status: 503 } }]);
    await page.getByRole("button", { name: "Clear all" }).click();
    await expect.poll(() => cloud.faults.list()).toEqual([]);
  });

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
