import { randomInt } from "node:crypto";
import { GROUP, ORIGIN } from "../../test/local/parity/stage.js";

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
  constructor(
    readonly subscriptionId: string,
    /** The prefix of this run, and the name of its resource group. */
    readonly group: string,
    readonly region: string,
    /** The webhook's public URL. */
    readonly webhook: string | undefined,
  ) {}

  /** From a row to the subscription. @throws MissingError */
  there(text: string): string {
    if (text.includes(ORIGIN) && this.webhook === undefined) throw new MissingError("--webhook");
    return text
      .replaceAll(ORIGIN, this.webhook ?? "")
      .replaceAll(SUBSCRIPTION, this.subscriptionId)
      .replace(/(\/resourceGroups\/)parity/gi, `$1${this.group}`)
      .replace(/(?<![\w-])row-(\d+)/g, `${this.group}-row-$1`)
      .replace(/\bwesteurope\b/g, this.region);
  }

  /** From the subscription to a row. */
  back(text: string): string {
    return text
      .replaceAll(this.webhook ?? ORIGIN, ORIGIN)
      .replaceAll(this.subscriptionId, SUBSCRIPTION)
      .replaceAll(`${this.group}-row-`, "row-")
      .replace(new RegExp(`(/resourceGroups/)${this.group}`, "gi"), "$1parity")
      .replace(new RegExp(`\\b${this.region}\\b`, "g"), "westeurope");
  }

  /** A name that rows give a topic; one of letters only, which others may have taken, becomes random. */
  name(name: string): string {
    return this.there(/^[a-z]+$/.test(name) ? randomLetters(name.length) : name);
  }
}

const UUID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;

/** Replaces keys, tokens and signatures, and IDs that are not in the expected text. */
export function redacted(text: string, expected: string): string {
  return text
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, "TOKEN")
    .replace(/\b(sig|code|s)=[^&"\s]{8,}/g, "$1=SECRET")
    .replace(/[A-Za-z0-9+/]{43,}={0,2}/g, (found) => (expected.includes(found) ? found : "KEY"))
    .replace(UUID, (id) => (expected.includes(id) ? id : "00000000-0000-0000-0000-000000000000"));
}

/** The result of a row or a stack that has thrown. */
export function failureOf(error: unknown, translation: Translation) {
  if (error instanceof MissingError) return { status: "not run", reason: error.need } as const;
  const text = error instanceof Error ? error.message : String(error);
  return { status: "failed", reason: redacted(translation.back(text), "") } as const;
}
