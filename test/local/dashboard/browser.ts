import { type Browser, type ConsoleMessage, chromium, type Page } from "playwright-core";
import { afterAll, expect, onTestFinished, type TestContext } from "vitest";
import { isMissed } from "../../support/describe-with.js";
import { hasProgram, pathOf } from "../../support/programs.js";

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
