import { Token } from "cdktf";
import type { SubjectFilter } from "../subscription/index.js";
import { scopeNamedBy, withTextTokens } from "../terraform/index.js";
import {
  type Check,
  isObject,
  type Known,
  optionProblems,
  problemsOf,
  received,
} from "../validation/index.js";
import {
  type EventSource,
  EventSourceError,
  type EventSourceOptions,
  type SourcePart,
  type SourceResource,
} from "./event-source.js";

/** What sets one kind of source apart from the others. */
export interface SourceKind<Type extends string> {
  /** What people call the resource: "storage account". */
  readonly resource: string;
  /** Namespace and type in its ID: "Microsoft.Storage/storageAccounts". */
  readonly resourceType: string;
  /** What Terraform calls it. */
  readonly terraformType: string;
  readonly types: readonly Type[];
  /** The names of all options. */
  readonly options: Known;
}

/** A source in the making, and everything that speaks against it. */
export class SourceDraft<Type extends string> {
  readonly #kind: SourceKind<Type>;
  readonly #resource: SourceResource;
  readonly #problems: string[];

  /** @throws {EventSourceError} for what is no resource, or no options, at all */
  constructor(kind: SourceKind<Type>, given: SourceResource, options: object) {
    const resource = withTextTokens(given);
    const problems = [
      ...resourceProblems(kind, resource),
      ...optionProblems(options, kind.options),
    ];
    if (!isResource(resource) || !isObject(options)) {
      throw new EventSourceError(kind.resource, problems);
    }
    this.#kind = kind;
    this.#resource = resource;
    this.#problems = problems;
  }

  check(...checks: readonly Check[]): void {
    this.#problems.push(...checks.flatMap(problemsOf));
  }

  refuseIf(condition: boolean, problem: string): void {
    if (condition) this.#problems.push(problem);
  }

  /** The name of a part, as it stands in subjects: the literal, where the stack has it. */
  nameOf(given: SourcePart, what: string): string {
    const part = withTextTokens(given);
    const name: unknown = isObject(part) ? (part.nameInput ?? part.name) : part;
    if (typeof name === "string" && (Token.isUnresolved(name) || /^[^/]+$/.test(name))) return name;
    this.refuseIf(true, `${what} must be a name without slashes, but is ${received(name)}`);
    return "";
  }

  /** The types that are asked for; `undefined` where it is all. */
  chosen(events: EventSourceOptions<Type>["events"]): readonly Type[] | undefined {
    if (events === undefined) return undefined;
    const { resource, types } = this.#kind;
    const asked: unknown = isCatalogue(events) ? events.types : events;
    if (!isList(asked)) {
      this.refuseIf(
        true,
        `events must be a catalogue or a list of types, but is ${received(asked)}`,
      );
      return undefined;
    }
    if (Token.isUnresolved(asked) || asked.some(Token.isUnresolved)) {
      this.refuseIf(true, "events must be known before anything is deployed: write the types");
      return undefined;
    }
    const chosen = types.filter((type) => asked.includes(type));
    const strangers = asked.filter((type) => !types.some((known) => known === type));
    this.refuseIf(chosen.length === 0, `a ${resource} raises none of ${list(asked)}`);
    this.refuseIf(
      chosen.length > 0 && !isCatalogue(events) && strangers.length > 0,
      `a ${resource} does not raise ${list(strangers)}`,
    );
    return chosen;
  }

  /** @throws {EventSourceError} when anything speaks against it */
  finish(includedEventTypes: readonly Type[], subjectFilter?: SubjectFilter): EventSource {
    if (this.#problems.length > 0) {
      throw new EventSourceError(this.#kind.resource, this.#problems);
    }
    const scope = typeof this.#resource === "string" ? this.#resource : this.#resource.id;
    return { scope, includedEventTypes, ...(subjectFilter && { subjectFilter }) };
  }
}

/** Lets one subject through, and no longer one that begins the same. */
export function exactly(subject: string): SubjectFilter {
  return { beginsWith: subject, endsWith: subject };
}

function isResource(given: unknown): given is SourceResource {
  if (typeof given === "string") return true;
  return isObject(given) && "id" in given && typeof given.id === "string";
}

function isCatalogue(events: unknown): events is { readonly types: unknown } {
  return isObject(events) && "types" in events;
}

function isList(types: unknown): types is readonly string[] {
  return Array.isArray(types);
}

function resourceProblems(
  { resource, resourceType, terraformType }: SourceKind<string>,
  given: SourceResource,
): string[] {
  if (!isResource(given)) {
    return [
      `the resource must be its ID, or the construct that makes it or looks it up, but is ${received(given)}`,
    ];
  }
  if (typeof given !== "string") {
    const { terraformResourceType: actual = terraformType } = given;
    if (actual === terraformType) return [];
    return [`the resource must be of type ${terraformType}, but is of type ${actual}`];
  }
  if (Token.isUnresolved(given)) return [];
  const scope = scopeNamedBy(given);
  const actual =
    scope?.kind === "resource" ? `${scope.resourceProviderNamespace}/${scope.resourceType}` : "";
  if (actual.toLowerCase() === resourceType.toLowerCase()) return [];
  return [
    `the ID of a ${resource} ends in /providers/${resourceType}/{name}, but ${JSON.stringify(given)} does not`,
  ];
}

function list(types: readonly string[]): string {
  return types.length === 0 ? "an empty list" : types.map((type) => `"${type}"`).join(", ");
}
