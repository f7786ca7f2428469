import { Token } from "cdktf";
import type { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import {
  type Checks,
  ConfigurationError,
  isObject,
  type Problem,
  problem,
  showValue,
  type TextByRule,
} from "cloud-eventgrid-binding-runtime/internal";
import {
  chosenTypes,
  kindOfTerraformType,
  type SubjectFilter,
  unchosenTypes,
} from "../subscription/index.js";
import { scopeNamedBy, withTextTokens } from "../terraform/index.js";
import { validated } from "../validation/index.js";

/**
 * The props with which a binding receives a resource's own events. Without a `subjectFilter`, every
 * subject is delivered. Spread it into the props of `CloudEventGridBinding`, or pass it as one of its
 * `additionalScopes`.
 */
export interface EventSource {
  readonly scope: string;
  readonly includedEventTypes: readonly string[];
  readonly subjectFilter?: SubjectFilter;
}

/** The event types that a source can receive. */
export type SourceEventType<Service extends keyof typeof systemEventTypes> =
  (typeof systemEventTypes)[Service][number];

/** Options of every source. */
export interface EventSourceOptions<Service extends keyof typeof systemEventTypes> {
  /**
   * The events to receive: the service's catalogue, of which the types of this source are used, or
   * the types themselves. The binding does not need it as well.
   *
   * @default all events that the resource raises and the other options allow
   */
  readonly events?: { readonly types: readonly string[] } | readonly SourceEventType<Service>[];
}

/** A resource: its ID, or the construct that creates it or looks it up. */
export type SourceResource<Guarded = unknown> =
  | string
  | ({ readonly id: string; readonly terraformResourceType?: string } & Guarded);

/** A part of a resource: its name, or the construct that creates it. */
export type SourcePart<Guarded = unknown> =
  | string
  | ({ readonly name: string; readonly nameInput?: string | undefined } & Guarded);

/** The properties of one kind of source. */
export interface SourceKind<Type extends string> {
  /** Its name in messages: "storage account". */
  readonly resource: string;
  /** Namespace and type in its ID: "Microsoft.Storage/storageAccounts". @default any */
  readonly resourceType?: string;
  readonly types: readonly Type[];
}

/** A source that is being validated, with the problems found so far. */
export class SourceDraft<Type extends string> {
  readonly #resource: SourceResource;
  readonly #problems: Problem[];
  #isChosen = false;

  constructor(
    resource: SourceResource,
    private readonly kind: SourceKind<Type>,
  ) {
    this.#resource = withTextTokens(resource);
    this.#problems = resourceProblems(kind, this.#resource);
  }

  /** All types that the resource may raise. */
  get types(): readonly Type[] {
    return this.kind.types;
  }

  /** Validates the options, and returns them with tokens as strings. */
  validate<Options extends object>(options: Options, checks: Checks<Options>): Options {
    const { props, problems } = validated(options, checks);
    this.#problems.push(...problems);
    return props;
  }

  refuseIf(condition: boolean, field: string, broken: TextByRule): void {
    if (condition) this.#problems.push(problem(field, broken));
  }

  /** Reports two options that exclude each other. */
  refuseBoth(options: object, field: string, other: string): void {
    const { [field]: one, [other]: two }: Readonly<Record<string, unknown>> = { ...options };
    const message = `and ${other} exclude each other: set one of the two`;
    this.refuseIf(one !== undefined && two !== undefined, field, { exclusive: message });
  }

  /** The name of a part as subjects contain it: the literal, if the stack has it. */
  nameOf(namedPart: SourcePart, field: string): string {
    const part = withTextTokens(namedPart);
    const name: unknown = isObject(part) ? (part.nameInput ?? part.name) : part;
    const isName = (text: string) => text !== "" && !text.includes("/");
    if (typeof name === "string" && (Token.isUnresolved(name) || isName(name))) return name;
    const message = `must be a name without slashes, but is ${showValue(name)}`;
    this.refuseIf(true, field, { name: message });
    return "";
  }

  /** The types that the options select; `undefined` means all. */
  chosen(
    events: { readonly types: readonly string[] } | readonly Type[] | undefined,
    field = "events",
  ): readonly Type[] | undefined {
    if (events === undefined) return undefined;
    this.#isChosen = true;
    const { resource, types } = this.kind;
    const isCatalogue = "types" in events;
    const asked: readonly string[] = isCatalogue ? events.types : events;
    if (Token.isUnresolved(asked) || asked.some(Token.isUnresolved)) {
      const message = "must be known before anything is deployed: write the types";
      this.refuseIf(true, field, { "known-early": message });
      return undefined;
    }
    const chosen = types.filter((type) => asked.includes(type));
    const others = asked.filter((type) => !types.some((known) => known === type));
    const raisesNone = `must be raised by a ${resource}, but it raises none of ${list(asked)}`;
    this.refuseIf(chosen.length === 0, field, { "event-type": raisesNone });
    this.refuseIf(chosen.length > 0 && !isCatalogue && others.length > 0, field, {
      "event-type": `must be raised by a ${resource}, which does not raise ${list(others)}`,
    });
    return chosen;
  }

  /** @throws {ConfigurationError} if there are any problems */
  finish(includedEventTypes: readonly Type[], subjectFilter?: SubjectFilter): EventSource {
    if (this.#problems.length > 0) {
      throw new ConfigurationError(
        `The ${this.kind.resource} cannot be an event source`,
        this.#problems,
      );
    }
    const scope = typeof this.#resource === "string" ? this.#resource : this.#resource.id;
    const types = [...includedEventTypes];
    (this.#isChosen ? chosenTypes : unchosenTypes).add(types);
    return { scope, includedEventTypes: types, ...(subjectFilter && { subjectFilter }) };
  }
}

/** A filter for one subject: its beginning alone would also match longer subjects. */
export function exactly(subject: string): SubjectFilter {
  return { beginsWith: subject, endsWith: subject };
}

function resourceProblems(
  { resource, resourceType }: SourceKind<string>,
  source: SourceResource,
): Problem[] {
  if (resourceType === undefined) return [];
  if (typeof source !== "string") {
    const { terraformResourceType: actual } = source;
    if (actual === undefined || kindOfTerraformType(actual) === resourceType.toLowerCase())
      return [];
    const message = `must be a ${resource}, but is of type ${actual}`;
    return [problem("resource", { "resource-type": message })];
  }
  if (Token.isUnresolved(source)) return [];
  const scope = scopeNamedBy(source);
  const actual =
    scope?.kind === "resource" ? `${scope.resourceProviderNamespace}/${scope.resourceType}` : "";
  if (actual.toLowerCase() === resourceType.toLowerCase()) return [];
  const message =
    `must be the ID of a ${resource}, which ends in /providers/${resourceType}/{name}, but is ` +
    showValue(source);
  return [problem("resource", { "resource-type": message })];
}

function list(types: readonly string[]): string {
  return types.length === 0 ? "an empty list" : types.map((type) => `"${type}"`).join(", ");
}
