import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, expect, onTestFinished, type TestContext } from "vitest";

const executablePath = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

let browser: Promise<Browser> | undefined;

afterAll(async () => {
  await (await browser)?.close();
});

/** Skips the test, with the reason, on a machine without Chromium. */
export function needsBrowser(context: TestContext): void {
  if (!executablePath) context.skip("Chromium is not installed (Debian: apt-get install chromium)");
}

/**
 * A page in a browser window without cookies or history, closed after the test. An error in the page
 * fails the test. All tests of a file share the browser.
 */
export async function openPage(
  url: string,
  options: { readonly colorScheme?: "light" | "dark"; readonly width?: number } = {},
): Promise<Page> {
  // Each launch takes a new, empty profile directory and deletes it in the end.
  browser ??= chromium.launch({
    ...(executablePath ? { executablePath } : {}),
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
  const context = await (await browser).newContext({
    viewport: { width: options.width ?? 1440, height: 860 },
    colorScheme: options.colorScheme ?? "light",
    timezoneId: "UTC",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const errors: string[] = [];
  onTestFinished(async () => {
    await context.close();
    expect(errors).toEqual([]);
  });
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(url);
  return page;
}
