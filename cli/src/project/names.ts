import { createHash } from "node:crypto";
import { showValue, withoutEnd } from "cloud-eventgrid-binding-runtime/internal";
import { CommandError, UsageError } from "../terminal/index.js";

export interface Names {
  /** `orders-events` */
  readonly folder: string;
  /** `OrdersEvents` */
  readonly type: string;
  /** `ORDERS_EVENTS` */
  readonly prefix: string;
  /** `orders_events` */
  readonly output: string;
}

/**
 * The longest name of a container app. Every other name that a project derives from its own may be
 * longer.
 *
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules
 */
const MOST_CHARACTERS = 32;

/** Event Grid refuses topics and namespaces whose names begin so, or have fewer than three characters. */
const RESERVED = ["microsoft", "eventgrid", "system"];

/** Letters that Unicode does not decompose into a Latin letter and a mark, and German umlauts. */
const LATIN: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  å: "aa",
  ł: "l",
  đ: "d",
  þ: "th",
};

/**
 * A name that npm, Terraform and Azure accept: lower-case words with hyphens, 3 to 32 characters. A
 * longer text is shortened, and a hash keeps the name unique.
 *
 * @throws {UsageError} when the text has no Latin letter and no digit
 */
export function projectName(text: string): string {
  const words = latin(text)
    .split(/[^a-z0-9]/)
    .filter((word) => word !== "");
  if (words.length === 0) {
    throw new UsageError(
      `the name ${JSON.stringify(text)} contains no Latin letter or digit: choose another with --name`,
    );
  }
  const joined = words.join("-");
  const isReserved = RESERVED.some((word) => joined.startsWith(word));
  const name = /^[a-z]/.test(joined) && !isReserved ? joined : `binding-${joined}`;
  if (name.length < 3) return `${name}-events`;
  if (name.length <= MOST_CHARACTERS) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 6);
  return `${withoutEnd(name.slice(0, MOST_CHARACTERS - hash.length - 1), "-")}-${hash}`;
}

/**
 * Components by the names of their projects or modules.
 *
 * @param given instead of the name of a single component
 * @throws {UsageError} when two components would get the same
 */
export function byProjectName<Component extends { readonly name: string }>(
  components: readonly Component[],
  given?: string,
): ReadonlyMap<string, Component> {
  if (components.length > 1 && given !== undefined) {
    throw new UsageError("--name needs a single component: several become a project each");
  }
  const byName = new Map<string, Component>();
  for (const component of components) {
    const made = projectName(given ?? component.name);
    const other = byName.get(made);
    if (other !== undefined) {
      throw new CommandError(
        `the components ${showValue(other.name)} and ${showValue(component.name)} both become ${made}: convert each by itself, one with --name`,
      );
    }
    byName.set(made, component);
  }
  return byName;
}

export function namesOf(name: string): Names {
  const words = name.split("-");
  return {
    folder: name,
    type: words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(""),
    prefix: words.join("_").toUpperCase(),
    output: words.join("_"),
  };
}

/** Transliterates letters with marks: `Bestellungen für Zoë` becomes `bestellungen fuer zoe`. */
function latin(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, (letter) => LATIN[letter] ?? letter)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "");
}
