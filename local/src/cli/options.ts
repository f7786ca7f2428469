import { InvalidArgumentError, Option } from "commander";
import { digitsIn, withoutStart } from "../base/index.js";

export const DEFAULT_DIRECTORY = ".cloud-eventgrid-local";

/** An option that a variable can set too: `EVENTGRID_LOCAL_HTTPS_PORT` for `--https-port`. */
export function environmentOption<T>(
  flags: string,
  description: string,
  read?: (text: string, earlier: T) => T,
): Option {
  const option = new Option(flags, description);
  if (read) option.argParser(read);
  const name = withoutStart(String(option.long), "--");
  const variable = `EVENTGRID_LOCAL_${name.replaceAll("-", "_").toUpperCase()}`;
  // commander sets a flag for any value of its variable, also for "false".
  const value = process.env[variable]?.toLowerCase();
  const isOff = !option.required && (!value || ["false", "0", "no", "off"].includes(value));
  if (isOff) option.description = `${description} (env: ${variable})`;
  return isOff ? option : option.env(variable);
}

export function directoryOption(): Option {
  return environmentOption("--directory <dir>", "certificates, dead letters, running.json").default(
    DEFAULT_DIRECTORY,
  );
}

/** Reads a whole number within limits, which are both inclusive. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = digitsIn(text);
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

export const port = wholeNumber(0, 65_535);

/** Collects the values of a repeatable option; a variable separates its values by spaces. */
export function repeatable(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...text.split(/\s/).filter(Boolean)];
}

/** Reads pairs such as `PUBLIC=TARGET`, the form. */
export function pairs(form: string) {
  return (text: string, earlier: Readonly<Record<string, string>> = {}) => {
    const read = repeatable(text).map((pair) => {
      const at = pair.indexOf("=");
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw new InvalidArgumentError(`It must be ${form}.`);
    });
    return { ...earlier, ...Object.fromEntries(read) };
  };
}

/** Reads a duration such as `90s`, `5m`, `2h` or `1d` into seconds. */
export function seconds(text: string): number {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(s|m|h|d)?$/.exec(text);
  if (!match) throw new InvalidArgumentError("It must be a duration such as 90s, 5m, 2h or 1d.");
  const units = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
  return Number(match[1]) * units[(match[2] ?? "s") as keyof typeof units];
}

/** Reads JSON. Refuses integers that would lose digits. */
export function json(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(
      `It must be JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[^\s"{}[\],:]+/g)) {
    const number = Number(token);
    if (/[^\d-]/.test(token) || Number.isSafeInteger(number)) continue;
    if (Number.isFinite(number) && BigInt(token) === BigInt(number)) continue;
    throw new InvalidArgumentError(
      `${token.slice(0, 40)} would lose digits: publish such a number over HTTP, or as a string.`,
    );
  }
  return value;
}

/** `--clock real`, `--clock stepped`, or a number: `--clock 60` lets a minute pass in a second. */
export function clock(text: string): "real" | "stepped" | { readonly scale: number } {
  if (text === "real" || text === "stepped") return text;
  const scale = digitsIn(text);
  if (scale >= 1 && scale <= 100_000) return { scale };
  throw new InvalidArgumentError("It must be real, stepped or a whole number from 1 to 100000.");
}
