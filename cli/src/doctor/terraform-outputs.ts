import { withoutEnd } from "cloud-eventgrid-binding-runtime/internal";
import { isOfType, subscriptionOf } from "../resource-id.js";
import { CommandError } from "../terminal/index.js";

/** The properties of a binding in the JSON of `terraform output -json`. */
export interface TerraformOutputs {
  /** Environment variables of services: `RuntimeEnvironment.forAppSettings()` as an output. */
  readonly environment: Readonly<Record<string, string>>;
  /** The prefixes of bindings in that environment. */
  readonly prefixes: readonly string[];
  /** The event subscriptions of `binding.addOutputs()`. */
  readonly eventSubscriptions: readonly EventSubscriptionOutput[];
}

interface EventSubscriptionOutput {
  readonly output: string;
  /** `scope` for a binding's own subscription, another key for an additional scope. */
  readonly key: string;
  readonly id: string;
}

/** The ends of the variables that every binding has. */
const ENDS = ["_DIRECTION", "_NAMESPACE_ENDPOINT"];

const isEventSubscription = (id: string) =>
  subscriptionOf(id) !== undefined &&
  isOfType(
    id,
    "Microsoft.EventGrid/eventSubscriptions",
    "Microsoft.EventGrid/namespaces/topics/eventSubscriptions",
  );

/** @throws {CommandError} when the text is not the JSON that Terraform prints */
export function readTerraformOutputs(text: string): TerraformOutputs {
  const environment: Record<string, string> = {};
  const eventSubscriptions: EventSubscriptionOutput[] = [];
  for (const [output, value] of outputsIn(text)) {
    for (const [key, each] of textsIn(value)) {
      if (isEventSubscription(each)) eventSubscriptions.push({ output, key, id: each });
      else if (/^[A-Z]/.test(key) && !/[^A-Z0-9_]/.test(key)) environment[key] = each;
    }
  }
  const prefixes = Object.keys(environment).flatMap((name) => {
    const end = ENDS.find((each) => name.endsWith(each));
    return end === undefined ? [] : [withoutEnd(name, end)];
  });
  return { environment, prefixes, eventSubscriptions };
}

/** The event subscription of the binding's own scope; undefined when the outputs do not name it. */
export function ownSubscription(
  { eventSubscriptions }: TerraformOutputs,
  prefix: string,
): string | undefined {
  const own = eventSubscriptions.filter(({ output }) =>
    output.toUpperCase().replaceAll("-", "_").startsWith(`${prefix}_`),
  );
  const candidates = own.length > 0 ? own : eventSubscriptions;
  // The others belong to additional scopes.
  const [first, another] = candidates.filter(({ key }) => key === "scope" || key === "");
  return another === undefined ? first?.id : undefined;
}

function outputsIn(text: string): [string, unknown][] {
  let outputs: unknown;
  try {
    outputs = JSON.parse(text);
  } catch {
    throw new CommandError("the Terraform outputs are not JSON: use terraform output -json");
  }
  if (typeof outputs !== "object" || outputs === null) return [];
  return Object.entries(outputs).map(([name, output]: [string, unknown]) => {
    const isWrapped = typeof output === "object" && output !== null && "value" in output;
    return [name, isWrapped ? output.value : output];
  });
}

/** The texts of an output's value, by key; a single text has an empty one. */
function textsIn(value: unknown): [string, string][] {
  if (typeof value === "string") return [["", value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).filter((entry): entry is [string, string] => {
    return typeof entry[1] === "string";
  });
}
