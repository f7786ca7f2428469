import { randomInt } from "node:crypto";
import { TerraformMissingError } from "cloud-eventgrid-stand-ins";
import { GROUP, ORIGIN } from "../../test/local/parity/stage.js";
import type { Result, Run } from "./results.js";

const SUBSCRIPTION = GROUP.split("/")[2] ?? "";
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Begins the names of all runs. */
export const PREFIX = "egcheck-";

export const randomLetters = (length: number): string =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join("");

/** A condition of a row that the run does not meet. */
export class MissingError extends Error {
  constructor(readonly need: string) {
    super(`needs ${need}`);
    this.name = "MissingError";
  }
}

/**
 * Rows name a subscription, a group, a location, resources `row-1` and a webhook of their own. The
 * translation replaces them by those of the run, and back in answers, so that rows do not differ.
 */
export class Translation {
  /** @param webhook its public URL */
  constructor(
    private readonly run: Run,
    private readonly webhook: string | undefined,
  ) {}

  /** From a row to the subscription. @throws MissingError */
  there(text: string): string {
    const { subscription, group, region } = this.run;
    if (text.includes(ORIGIN) && this.webhook === undefined) throw new MissingError("--webhook");
    return text
      .replaceAll(ORIGIN, this.webhook ?? "")
      .replaceAll(SUBSCRIPTION, subscription)
      .replace(/(\/resourceGroups\/)parity/gi, `$1${group}`)
      .replace(/(?<![\w-])(row-\d|shared-)/g, `${group}-$1`)
      .replace(/\bwesteurope\b/g, region);
  }

  /** From the subscription to a row. */
  back(text: string): string {
    const { subscription, group, region } = this.run;
    return text
      .replaceAll(this.webhook ?? ORIGIN, ORIGIN)
      .replaceAll(subscription, SUBSCRIPTION)
      .replaceAll(`${group}-`, "")
      .replace(new RegExp(`(/resourceGroups/)${group}`, "gi"), "$1parity")
      .replace(new RegExp(`\\b${region}\\b`, "g"), "westeurope")
      .replace(new RegExp(`\\b${region.toUpperCase()}\\b`, "g"), "WESTEUROPE");
  }
}

const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;

/** What tells the path of a resource from a key, which has the same characters. */
const PATH = /(?:^|\/)(?:providers|resourceGroups|namespaces|topics|eventSubscriptions)(?:\/|$)/i;

/** Replaces keys, tokens and signatures, and IDs that are not expected. */
export function redacted(text: string, expected: string): string {
  const kept = (replacement: string) => (found: string) =>
    expected.includes(found) ? found : replacement;
  return text
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, "TOKEN")
    .replace(/\b(sig|code|s)=[^&"\s]{8,}/g, "$1=SECRET")
    .replace(/[A-Za-z0-9+/]{43,}={0,2}/g, (found) =>
      PATH.test(found) ? found : kept("KEY")(found),
    )
    .replace(UUID, kept("00000000-0000-0000-0000-000000000000"));
}

/** The result of a row or a stack that has thrown. */
export function failureOf(
  error: unknown,
  translation: Translation,
): Pick<Result, "status" | "reason"> {
  if (error instanceof MissingError) return { status: "not run", reason: error.need };
  if (error instanceof TerraformMissingError) return { status: "not run", reason: "Terraform" };
  const text = error instanceof Error ? error.message : String(error);
  return { status: "failed", reason: redacted(translation.back(text), "") };
}
