import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, expect, onTestFinished, type TestContext } from "vitest";
import { isMissed } from "../../support/describe-with.js";
import { hasProgram, pathOf } from "../../support/programs.js";

let browser: Promise<Browser> | undefined;

afterAll(async () => {
  await (await browser)?.close();
});

/** Skips the test, with the reason, on a machine without Chromium. */
export function needsBrowser(context: TestContext): void {
  if (isMissed("chromium")) throw new Error("CI=true, but chromium is not installed");
  if (!hasProgram("chromium")) context.skip("chromium is not installed");
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
  const context = await (await browser).newContext({
    viewport: { width: options.width ?? 1440, height: 860 },
    colorScheme: options.colorScheme ?? "light",
    timezoneId: "UTC",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
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
