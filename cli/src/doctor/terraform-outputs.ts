import { CommandError } from "../terminal.js";

/** What the JSON of `terraform output -json` says about a binding. */
export interface TerraformOutputs {
  /** Environment variables of services: `RuntimeEnvironment.forAppSettings()` as an output. */
  readonly environment: Readonly<Record<string, string>>;
  /** The prefixes of bindings in that environment. */
  readonly prefixes: readonly string[];
  /** Resource IDs of event subscriptions: `binding.addOutputs()`. */
  readonly eventSubscriptions: readonly string[];
}

const EVENT_SUBSCRIPTION =
  /^\/subscriptions\/.+\/providers\/Microsoft\.EventGrid\/eventSubscriptions\/[^/]+$/i;

/** @throws {CommandError} when the text is not the JSON that Terraform prints */
export function readTerraformOutputs(text: string): TerraformOutputs {
  const environment: Record<string, string> = {};
  const eventSubscriptions: string[] = [];
  for (const value of values(text)) {
    for (const [name, each] of entries(value)) {
      if (EVENT_SUBSCRIPTION.test(each)) eventSubscriptions.push(each);
      else if (/^[A-Z][A-Z0-9_]*$/.test(name)) environment[name] = each;
    }
  }
  const prefixes = Object.keys(environment).flatMap((name) => {
    const prefix = /^(.+)_DIRECTION$/.exec(name)?.[1];
    return prefix === undefined ? [] : [prefix];
  });
  return { environment, prefixes, eventSubscriptions };
}

function values(text: string): unknown[] {
  let outputs: unknown;
  try {
    outputs = JSON.parse(text);
  } catch {
    throw new CommandError("the Terraform outputs are not JSON: use terraform output -json");
  }
  if (typeof outputs !== "object" || outputs === null) return [];
  return Object.values(outputs).map((output: unknown) =>
    typeof output === "object" && output !== null && "value" in output ? output.value : output,
  );
}

/** The texts of an output, by name; a single text has none. */
function entries(value: unknown): [string, string][] {
  if (typeof value === "string") return [["", value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).filter((entry): entry is [string, string] => {
    return typeof entry[1] === "string";
  });
}
