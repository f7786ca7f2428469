import type { BlockSchema } from "../schema/schema.js";
import type { Attributes, Value } from "../values/value.js";
import type { Problem } from "./problem.js";
import { blocks } from "./provider.js";

/**
 * The problems that a check finds. The checks are rules of the providers that their schemas do not
 * contain.
 */
type Found = Problem[];

/** Checks that the required attributes are set. Terraform itself accepts expressions that are null. */
export function missing({ attributes = {} }: BlockSchema, config: Attributes): Found {
  return Object.keys(attributes)
    .filter((name) => attributes[name]?.required && (config[name] ?? null) === null)
    .map((name) => ({
      summary: "Missing required argument",
      detail: `The argument "${name}" is required, but no definition was found.`,
      path: [name],
    }));
}

/** Checks that the string matches `pattern`. */
export function matches(config: Attributes, name: string, pattern: RegExp, rule: string): Found {
  const value = config[name];
  if (typeof value !== "string" || pattern.test(value)) return [];
  return [{ summary: `invalid value for ${name} (${rule})`, path: [name] }];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Checks that the strings are UUIDs. */
export function uuids(config: Attributes, ...names: string[]): Found {
  return names.flatMap((name) => {
    const value = config[name];
    if (typeof value !== "string" || UUID.test(value)) return [];
    return [{ summary: `expected "${name}" to be a valid UUID, got ${value}`, path: [name] }];
  });
}

/** Checks that the string is one of the `allowed` values. */
export function oneOf(config: Attributes, name: string, allowed: readonly string[]): Found {
  const value = config[name];
  if (typeof value !== "string" || allowed.includes(value)) return [];
  const choice = allowed.map((each) => `"${each}"`).join(" ");
  return [{ summary: `expected ${name} to be one of [${choice}], got ${value}`, path: [name] }];
}

/** Checks that the number in the blocks of that name is within the range. */
export function within(
  config: Attributes,
  block: string,
  name: string,
  [least, most]: readonly [number, number],
): Found {
  return inBlocks(config, block, name, (value, place, path) => {
    if (typeof value !== "number" || (value >= least && value <= most)) return [];
    return [
      { summary: `expected ${place} to be in the range (${least} - ${most}), got ${value}`, path },
    ];
  });
}

/** The string in the blocks of that name is an https URL. As in the real one, its query is shown. */
export function https(config: Attributes, block: string, name: string): Found {
  return inBlocks(config, block, name, (value, place, path) => {
    if (typeof value !== "string" || isHttps(value)) return [];
    return [
      {
        summary: `expected "${place}" to have a url with schema of: "https", got ${value}`,
        path,
      },
    ];
  });
}

/** Checks that the string in the blocks of that name is one of the `allowed` values. */
export function blockOneOf(
  config: Attributes,
  block: string,
  name: string,
  allowed: readonly string[],
): Found {
  return inBlocks(config, block, name, (value, place, path) => {
    if (typeof value !== "string" || allowed.includes(value)) return [];
    const choice = allowed.map((each) => `"${each}"`).join(" ");
    return [{ summary: `expected ${place} to be one of [${choice}], got ${value}`, path }];
  });
}

/** Checks that at most one of the attributes and blocks is set. */
export function conflicting(config: Attributes, names: readonly string[]): Found {
  const given = names.filter((name) => isGiven(config[name]));
  if (given.length < 2) return [];
  return given.map((name) => ({
    summary: "Conflicting configuration arguments",
    detail: `"${name}": conflicts with ${given.filter((other) => other !== name).join(", ")}`,
    path: [name],
  }));
}

/** Checks that exactly one of the attributes is set. */
export function exactlyOne(config: Attributes, names: readonly string[]): Found {
  const given = names.filter((name) => isGiven(config[name]));
  if (given.length === 1) return [];
  const summary = "Invalid combination of arguments";
  const choice = `\`${names.join(",")}\``;
  if (given.length === 0) return [{ summary, detail: `one of ${choice} must be specified` }];
  return given.map((name) => ({
    summary,
    detail: `"${name}": only one of ${choice} can be specified, but \`${given.join(",")}\` were specified.`,
    path: [name],
  }));
}

function inBlocks(
  config: Attributes,
  block: string,
  name: string,
  judge: (value: Value | undefined, place: string, path: (string | number)[]) => Found,
): Found {
  return blocks(config, block).flatMap((each, i) =>
    judge(each[name], `${block}.${i}.${name}`, [block, i, name]),
  );
}

function isHttps(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === "https:";
}

function isGiven(value: Value | undefined): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
