import { readFileSync } from "node:fs";
import type { LocalCloudOptions } from "cloud-eventgrid-local";
import {
  type Browser,
  type ConsoleMessage,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { afterAll, expect, onTestFinished, type TestContext } from "vitest";
import { isMissed } from "../../support/describe-with.js";
import { hasProgram, pathOf } from "../../support/programs.js";
import { cloudEvent, startCloud, startShop } from "../support/cloud.js";
import { deadLettersTo } from "../support/dead-letters.js";
import { namespaceClient } from "../support/namespace-client.js";

let browser: Promise<Browser> | undefined;
let page: Promise<Page> | undefined;

afterAll(async () => {
  await (await browser)?.close();
});

/** Skips the test, with the reason, on a machine without Chromium. */
export function needsBrowser(context: TestContext): void {
  if (isMissed("chromium")) throw new Error("CI=true, but chromium is not installed");
  if (!hasProgram("chromium")) context.skip("chromium is not installed");
}

/**
 * Opens a page without cookies. An error in it fails the test. The tests of a file share browser and
 * page, since a new page takes longer than most tests; each local Azure has a port, and so a storage,
 * of its own.
 */
export async function openPage(
  url: string,
  options: { readonly colorScheme?: "light" | "dark"; readonly width?: number } = {},
): Promise<Page> {
  // Each launch takes a new, empty profile directory and deletes it in the end.
  browser ??= chromium.launch({
    executablePath: pathOf("chromium"),
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  page ??= browser.then((it) => it.newPage({ timezoneId: "UTC" }));
  const shown = await page;
  shown.setDefaultTimeout(60_000);
  const errors: string[] = [];
  const onError = ({ message }: Error) => errors.push(message);
  const onMessage = (message: ConsoleMessage) => {
    if (message.type() === "error") errors.push(message.text());
  };
  onTestFinished(async () => {
    await shown.goto("about:blank");
    shown.off("pageerror", onError).off("console", onMessage);
    await shown.context().clearCookies();
    expect(errors).toEqual([]);
  });
  shown.on("pageerror", onError).on("console", onMessage);
  await shown.setViewportSize({ width: options.width ?? 1440, height: 860 });
  await shown.emulateMedia({ colorScheme: options.colorScheme ?? "light" });
  await shown.goto(url);
  return shown;
}

/** Clicks a button that downloads a file, and returns what the file contains. */
export async function downloaded(
  page: Page,
  button: string,
): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  const file = await download;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

/** Where an element is in the page. */
export async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error("The element is not visible.");
  return box;
}

/** Publishes an event through the form of the page. */
export async function publish(page: Page, event: { type: string; subject: string; data: string }) {
  await page.getByRole("button", { name: "Publish event" }).click();
  await publishForm(page, event);
}

/** Fills the open form, and publishes the event. */
export async function publishForm(
  page: Page,
  event: { type: string; subject: string; data: string },
) {
  const form = page.getByRole("dialog");
  await form.getByLabel("Type").fill(event.type);
  await form.getByLabel("Subject").fill(event.subject);
  await form.getByLabel("Data").fill(event.data);
  await form.getByRole("button", { name: "Publish" }).click();
}

/** The page of a shop whose clock runs. */
export async function openShop(
  act: (shop: Awaited<ReturnType<typeof startShop>>) => Promise<unknown>,
) {
  const shop = await startShop({ clock: "real" }, deadLettersTo("dead"));
  await act(shop);
  return { ...shop, page: await openPage(shop.cloud.dashboardUrl) };
}

/** Publishes events and waits until they are delivered. */
export const delivering =
  (...events: Record<string, unknown>[]) =>
  async ({ cloud, publish }: Awaited<ReturnType<typeof startShop>>) => {
    for (const event of events) await publish(event);
    await cloud.drain();
  };

/** A namespace with a topic and a queue. */
export async function startQueue(options: LocalCloudOptions = {}) {
  const cloud = await startCloud(options);
  const namespace = cloud.namespaces.create({ name: "shop" });
  const topic = namespace.topics.create({ name: "orders" });
  const queue = await topic.subscriptions.create({ name: "shipping" });
  const send = (id: string) =>
    namespaceClient(namespace).publishOne(cloudEvent({ id, subject: `orders/${id}`, data: {} }));
  return { cloud, queue, send };
}
