import { join } from "node:path";
import axe, { type AxeResults } from "axe-core";
import type { LocalCloud, NewEventSubscription } from "cloud-eventgrid-local";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { cloudEvent, PUBLIC_URL, publishBatch, startShop } from "../support/cloud.js";
import { deadLettersTo } from "../support/dead-letters.js";
import { namespaceClient } from "../support/namespace-client.js";
import { needsBrowser, openPage } from "./browser.js";

/** `SCREENSHOTS=docs/images` writes the images there. */
const screenshots = process.env.SCREENSHOTS;
const pictured = ["live", "event", "dead-letters", "namespaces", "event-subscriptions", "publish"];

it("the dashboard keeps within 320 and 390 pixels with the count of 10,000 pending events", async (context) => {
  needsBrowser(context);
  const { cloud, topic, webhook } = await startShop();
  webhook.answerDeliveries(() => 503);
  for (let batch = 0; batch < 10; batch++) {
    const events = Array.from({ length: 1_000 }, (_, index) => cloudEvent({ id: `${index}` }));
    await publishBatch(topic, events);
  }
  for (const width of [320, 390]) {
    const page = await openPage(cloud.dashboardUrl, { width });
    await page.getByRole("link", { name: "Live 10,000" }).waitFor();
    for (const view of ["Live", "Dead letters", "Namespaces", "Resources", "Controls"]) {
      await page.getByRole("link", { name: view }).click();
      await page.getByRole("heading", { name: view }).first().waitFor();
      expect(await overflowsIn(page)).toEqual([]);
    }
  }
}, 120_000);

describe.each([
  { width: 320, colorScheme: "light" },
  { width: 1400, colorScheme: "dark" },
] as const)("the dashboard, $width pixels wide and $colorScheme", ({ width, colorScheme }) => {
  beforeEach(needsBrowser);

  it("has no serious finding of axe, and nothing beyond the window's edge", async () => {
    const cloud = await startEventfulCloud();
    const page = await openPage(cloud.dashboardUrl, { colorScheme, width });
    const problems: string[] = [];
    const look = async (place: string) => {
      problems.push(...(await findingsIn(page)).map((finding) => `${place}: ${finding}`));
      problems.push(
        ...(await overflowsIn(page)).map((element) => `${place}: ${element} is cut off`),
      );
      if (screenshots === undefined || !pictured.includes(place)) return;
      await page.emulateMedia({ colorScheme: "light" });
      await page.screenshot({
        path: join(screenshots, `dashboard-${place}${width === 320 ? "-phone" : ""}.png`),
      });
      await page.emulateMedia({ colorScheme });
    };
    const failed = page.getByRole("row").filter({ hasText: "Dead-lettered" }).first();
    await failed.waitFor();
    await look("live");
    await failed.click();
    await page.getByText("UndeliverableDueToHttpBadRequest").waitFor();
    await look("event");
    await page.getByRole("button", { name: "Close details" }).click();
    await page.getByRole("link", { name: "Dead letters" }).click();
    await page.getByText("UndeliverableDueToHttpBadRequest").waitFor();
    await look("dead-letters");

    await page.getByRole("link", { name: "Namespaces" }).click();
    await page.getByRole("heading", { name: "orders topic" }).waitFor();
    await page.getByRole("button", { name: "shipping" }).click();
    await page.getByRole("region", { name: "Events of shipping" }).waitFor();
    await look("namespaces");

    await page.getByRole("link", { name: "Resources" }).click();
    for (const kind of ["Topics", "Event subscriptions"]) {
      await page.getByRole("radio", { name: new RegExp(`^${kind}`) }).click();
      await look(kind.toLowerCase().replace(" ", "-"));
    }
    await page.getByRole("link", { name: "Controls" }).click();
    await page.getByText("No faults are in force.").waitFor();
    await look("controls");
    await page.getByRole("button", { name: "Publish event" }).click();
    await page.getByRole("dialog").getByLabel("Type").fill("shop.order.placed");
    await look("publish");
    expect(problems).toEqual([]);
  }, 120_000);
});

it("the dashboard has no finding of axe at 320, 390 and 1400 pixels while events stream in", async (context) => {
  needsBrowser(context);
  const { cloud, webhook, topic, publish } = await startShop({}, deadLettersTo("dead"));
  const statuses = [200, 503, 400];
  let deliveries = 0;
  webhook.answerDeliveries(() => statuses[deliveries++ % statuses.length] ?? 200);
  const page = await openPage(cloud.dashboardUrl);
  await page.evaluate(watchReferences);
  const problems = new Set<string>();
  let shown = 0;
  let isEnded = false;
  /** One event after the other, each when the page has drawn the one before. */
  const stream = async () => {
    while (!isEnded) {
      await publish({ id: `${shown}`, subject: `orders/${shown}`, data: { total: shown } });
      await cloud.clock.advance({ seconds: 1 });
      await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => drawn()))");
      shown += 1;
    }
  };
  const look = async (place: string) => {
    for (const width of [320, 390, 1400]) {
      await page.setViewportSize({ width, height: 860 });
      const before = shown;
      await expect.poll(() => shown, { timeout: 30_000 }).toBeGreaterThan(before);
      for (const finding of await findingsIn(page, [])) {
        problems.add(`${place}, ${width} pixels: ${finding}`);
      }
    }
  };
  const looks = async () => {
    const retried = page.getByRole("row").filter({ hasText: "Retrying" }).first();
    await retried.waitFor();
    await look("live");
    await retried.click();
    await page.getByRole("button", { name: "Close details" }).waitFor();
    // So many rows that the opened one is no longer drawn.
    await publishBatch(
      topic,
      Array.from({ length: 60 }, (_, index) => cloudEvent({ id: `burst-${index}` })),
    );
    await look("event");
    await page.getByRole("button", { name: "Close details" }).click();
    await page.getByRole("link", { name: "Dead letters" }).click();
    await page.getByText("UndeliverableDueToHttpBadRequest").first().waitFor();
    await look("dead letters");
  };
  await Promise.all([stream(), looks().finally(() => (isEnded = true))]);
  const broken = await page.evaluate<string[]>("window.brokenReferences");
  expect([...problems, ...broken]).toEqual([]);
}, 240_000);

/** Notes what refers to an element that is not there, even if only until the next row is drawn. */
const watchReferences = `
  window.brokenReferences = [];
  new MutationObserver(() => {
    for (const name of ["aria-activedescendant", "aria-controls", "aria-labelledby"]) {
      for (const element of document.querySelectorAll("[" + name + "]")) {
        const id = element.getAttribute(name);
        if (!document.getElementById(id)) window.brokenReferences.push(name + " " + id);
      }
    }
  }).observe(document, { subtree: true, childList: true, attributes: true });
`;

/** Something of everything: deliveries, a retry, a dead letter, a failed and a waiting subscription. */
async function startEventfulCloud(): Promise<LocalCloud> {
  const { cloud, webhook, topic, publish } = await startShop({}, deadLettersTo("dead"));
  await startQueue(cloud);
  const warehouse = cloud.topics.create({ name: "warehouse", inputSchema: "EventGridSchema" });
  await createUnready(cloud, { name: "stock", scope: warehouse.id, endpointUrl: PUBLIC_URL });
  let order = 17;
  const publishOrder = async (type: string, status: number) => {
    webhook.answerDeliveries(() => status);
    await cloud.clock.advance({ milliseconds: 1_370 });
    await publish({ id: String(order), type, subject: `orders/${order}`, data: { total: order } });
    order++;
    await cloud.clock.advance({ milliseconds: 240 });
  };
  await publishOrder("shop.order.placed", 200);
  await publishOrder("shop.order.paid", 200);
  await publishOrder("shop.order.placed", 400);
  await publishOrder("shop.order.shipped", 200);
  await publishOrder("shop.order.placed", 503);
  webhook.answer = () => ({ status: 503 });
  await createUnready(cloud, { name: "parcels", scope: topic.id, endpointUrl: PUBLIC_URL });
  return cloud;
}

/** A namespace with events in every state, and a webhook. */
async function startQueue(cloud: LocalCloud): Promise<void> {
  const namespace = cloud.namespaces.create({ name: "shop" });
  const topic = namespace.topics.create({ name: "orders" });
  const queue = await topic.subscriptions.create({ name: "shipping" });
  namespace.topics.create({ name: "returns" });
  const events = Array.from({ length: 12 }, (_, index) => cloudEvent({ id: `${index}`, data: {} }));
  await namespaceClient(namespace).publishAll(events);
  await topic.subscriptions.create({ name: "invoices", endpointUrl: PUBLIC_URL });
  await queue.receive({ maxEvents: 2 });
  await cloud.clock.advance({ seconds: 75 });
  const tokens = (await queue.receive({ maxEvents: 9 })).map(({ lockToken }) => lockToken);
  queue.acknowledge(tokens.slice(0, 4));
  queue.release(tokens.slice(4, 6), 60_000);
  queue.reject(tokens.slice(6, 7));
  await cloud.clock.advance({ seconds: 1 });
}

/** Creates a subscription whose webhook does not consent. */
async function createUnready(cloud: LocalCloud, props: NewEventSubscription): Promise<void> {
  cloud.eventSubscriptions.create(props).catch(() => {});
  const state = () => cloud.eventSubscriptions.get(props.scope, props.name)?.provisioningState;
  await expect.poll(state).toMatch(/AwaitingManualAction|Failed/);
}

/** The findings of axe in what the page shows, without those of these impacts. */
async function findingsIn(page: Page, left = ["minor", "moderate"]): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(
    'axe.run({ resultTypes: ["violations"] })',
  );
  return violations
    .filter(({ impact }) => !left.includes(impact ?? ""))
    .map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(" ")}`);
}

/** The controls and texts that the window, or an element around them, cuts off at the right. */
function overflowsIn(page: Page): Promise<string[]> {
  return page.evaluate(`
    [...document.querySelectorAll("main *, nav *, dialog *")]
      .filter((element) => element.matches("a, button, input, select, textarea, td, dd, .badge, h1, h2, summary *"))
      .filter((element) => element.checkVisibility() && !element.closest("pre, thead"))
      .filter((element) => {
        let edge = innerWidth;
        for (let around = element.parentElement; around; around = around.parentElement) {
          const { overflowX } = getComputedStyle(around);
          if (overflowX !== "visible") edge = Math.min(edge, around.getBoundingClientRect().right);
        }
        return element.getBoundingClientRect().right > edge + 1;
      })
      .map((element) => element.outerHTML.slice(0, 120))
  `);
}
