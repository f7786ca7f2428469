import { Token } from "cdktf";
import type { IConstruct } from "constructs";
import {
  earlyProblems,
  type GivenProps,
  givenProps,
  isObject,
  noList,
  received,
} from "../validation/index.js";
import type { CloudEventGridBindingProps } from "./props.js";
import { bindingProps } from "./props.js";

/** What an option is made of; plain JavaScript may give something else. */
type Shape =
  | "list"
  | "words"
  | "listOfObjects"
  | "object"
  | "deadLetter"
  | "events"
  | "switch"
  | "application";

const settingShapes: Readonly<Record<string, Shape>> = {
  events: "events",
  includedEventTypes: "list",
  subjectFilter: "object",
  advancedFilters: "listOfObjects",
  retryPolicy: "object",
  deadLetter: "deadLetter",
  batching: "object",
  deliveryProperties: "listOfObjects",
  deliveryIdentity: "object",
  labels: "list",
};
const bindingShapes: Readonly<Record<string, Shape>> = {
  ...settingShapes,
  additionalScopes: "object",
  writerPrincipals: "listOfObjects",
  existingAssignments: "words",
  webhookProbe: "switch",
  application: "application",
};

/**
 * Leaves out what is of another kind than it has to be, so that everything else can still be
 * checked: all problems are told at once.
 */
export function readableProps(
  construct: IConstruct,
  raw: CloudEventGridBindingProps,
): GivenProps<CloudEventGridBindingProps> {
  const given = givenProps(construct, raw, bindingProps);
  const problems = [...given.problems];
  const options = readableObject(given.props, bindingShapes, "", problems);
  const { additionalScopes } = options;
  const readable: object = isObject(additionalScopes)
    ? { ...options, additionalScopes: readableScopes(additionalScopes, problems) }
    : options;
  return { props: readable as CloudEventGridBindingProps, problems };
}

function readableScopes(given: object, problems: string[]): Record<string, unknown> {
  const scopes: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    const field = `additionalScopes.${key}`;
    if (typeof value === "string") scopes[key] = value;
    else if (!isObject(value)) {
      problems.push(
        `${field} must be a resource ID, or settings with a scope, but is ${received(value)}`,
      );
    } else scopes[key] = readableObject(value, settingShapes, `${field}.`, problems);
  }
  return scopes;
}

function readableObject(
  given: object,
  shapes: Readonly<Record<string, Shape>>,
  prefix: string,
  problems: string[],
): Record<string, unknown> {
  const kept = Object.entries(given).filter(([field, value]) => {
    const shape = Object.hasOwn(shapes, field) ? shapes[field] : undefined;
    if (shape === undefined || value === undefined) return true;
    const found = shapeProblems(`${prefix}${field}`, value, shape);
    problems.push(...found);
    return found.length === 0;
  });
  return Object.fromEntries(kept);
}

function shapeProblems(field: string, value: unknown, shape: Shape): string[] {
  // Only a list of texts may come later; all else decides what is made, and how it is looked into.
  if (shape !== "list" && Token.isUnresolved(value)) return earlyProblems({ [field]: value });
  const but = `but is ${received(value)}`;
  switch (shape) {
    case "object":
      return isObject(value) ? [] : [`${field} must be an object, ${but}`];
    case "switch":
      return isObject(value) || typeof value === "boolean"
        ? []
        : [`${field} must be true, false or an object, ${but}`];
    case "application":
      return isObject(value) && "clientId" in value && "subscriberRole" in value
        ? []
        : [
            `${field} must be a WebhookApplication, or one by WebhookApplication.fromClientId, ${but}`,
          ];
    case "deadLetter":
      return isObject(value)
        ? destinationProblems(field, value)
        : [`${field} must be an object, ${but}`];
    case "events":
      return isCatalogue(value)
        ? []
        : [
            `${field} must be a catalogue of event types, ${but}: a list of them is includedEventTypes`,
          ];
    case "list":
    case "words":
      return listProblems(field, value);
    case "listOfObjects":
      return Array.isArray(value)
        ? value.flatMap((item, i) =>
            isObject(item) ? [] : [`${field}[${i}] must be an object, but is ${received(item)}`],
          )
        : listProblems(field, value);
  }
}

function destinationProblems(field: string, given: object): string[] {
  const { storageAccount, container, identity } = {
    storageAccount: undefined,
    container: undefined,
    identity: undefined,
    ...given,
  };
  const problems: string[] = [];
  if (Token.isUnresolved(identity)) {
    problems.push(...earlyProblems({ [`${field}.identity`]: identity }));
  } else if (identity !== undefined && !isObject(identity)) {
    problems.push(`${field}.identity must be an object, but is ${received(identity)}`);
  }
  if (!isObject(storageAccount) && typeof storageAccount !== "string") {
    problems.push(
      `${field}.storageAccount must be the account's resource ID or construct, but is ${received(storageAccount)}`,
    );
  }
  if (!isObject(container) && typeof container !== "string") {
    problems.push(
      `${field}.container must be the container's name or construct, but is ${received(container)}`,
    );
  }
  return problems;
}

function listProblems(field: string, value: unknown): string[] {
  if (!Array.isArray(value)) {
    return [
      `${noList(field, value)}${isCatalogue(value) ? ", a catalogue: pass it as events" : ""}`,
    ];
  }
  const keys = [...value].sort().join();
  if (field.endsWith("includedEventTypes") && keys === "schemas,types") {
    return [
      `${field} names the fields of a catalogue, not its types: pass the catalogue as events`,
    ];
  }
  return [];
}

function isCatalogue(value: unknown): boolean {
  return isObject(value) && "types" in value && Array.isArray(value.types);
}
