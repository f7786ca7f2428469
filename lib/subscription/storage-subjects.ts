import { Token } from "cdktf";
import {
  azureRules,
  isObject,
  type Problem,
  problem,
  showValue,
  split,
} from "cloud-eventgrid-binding-runtime/internal";
import type { IConstruct } from "constructs";
import { kindOfScope } from "./event-types.js";
import { namedScopes } from "./scopes.js";
import type { SubscriptionOptions } from "./settings.js";

type Filtered = Pick<SubscriptionOptions, "subjectFilter" | "advancedFilters" | "additionalScopes">;

/** Beginning of the subjects of blobs and directories. */
const CONTAINERS = "/blobServices/default/containers/";

/**
 * The beginnings of all subjects of a storage account; the last two are those of inventories, lifecycle
 * rules and storage tasks.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-schema-blob-storage
 */
const BEGINNINGS = [CONTAINERS, "BlobDataManagement/", "DataManagement/"];

/** Reports whether a container can have this name. Those that Azure makes begin with `$`. */
export function mayBeContainer(name: string): boolean {
  return azureRules.container.test(name) || /^\$[a-z]+$/.test(name);
}

/** A beginning of subjects that a filter asks for. */
interface AskedFor {
  readonly field: string;
  readonly text: string;
  readonly ignoresCase: boolean;
}

/** The problems of filters that no subject of a storage account passes. */
export function storageSubjectProblems(
  construct: IConstruct,
  props: Filtered,
  ownScope: string | undefined,
): Problem[] {
  return askedFor(construct, props, ownScope).flatMap((asked) => {
    const reason = impossible(asked);
    return reason === undefined ? [] : [problem(asked.field, { subject: reason })];
  });
}

/** Warnings of beginnings that no known subject of a storage account has. */
export function storageSubjectWarnings(
  construct: IConstruct,
  props: Filtered,
  ownScope: string | undefined,
): string[] {
  return askedFor(construct, props, ownScope)
    .filter((asked) => impossible(asked) === undefined && !resemblesKnown(asked))
    .map(
      ({ field, text }) =>
        `${field} is ${showValue(text)}, but the subjects of blobs begin with ${CONTAINERS}: nothing may pass`,
    );
}

/** The literal beginnings in the filters of scopes that are storage accounts. */
function askedFor(construct: IConstruct, props: Filtered, ownScope?: string): AskedFor[] {
  return namedScopes(props, ownScope).flatMap(({ prefix, scope, settings }) => {
    if (kindOfScope(construct, scope) !== "microsoft.storage/storageaccounts") return [];
    const { subjectFilter, advancedFilters } = settings;
    const found: AskedFor[] = [];
    const add = (field: string, text: unknown, ignoresCase: boolean) => {
      if (typeof text !== "string") return;
      // Of a token, only what comes before it is known.
      const known = Token.isUnresolved(text) ? text.slice(0, text.indexOf("${")) : text;
      if (known !== "") found.push({ field: `${prefix}${field}`, text: known, ignoresCase });
    };
    if (isObject(subjectFilter)) {
      const ignoresCase = subjectFilter.caseSensitive !== true;
      add("subjectFilter.beginsWith", subjectFilter.beginsWith, ignoresCase);
    }
    for (const [i, filter] of literalList(advancedFilters).entries()) {
      if (!isObject(filter) || String(filter.key).toLowerCase() !== "subject") continue;
      const { operator } = filter;
      // Others of several values may match.
      const [value, ...others] = literalList(filter.values);
      if (others.length > 0 || (operator !== "stringBeginsWith" && operator !== "stringIn"))
        continue;
      add(`advancedFilters[${i}].${operator}`, value, true);
    }
    return found;
  });
}

function literalList(list: unknown): readonly unknown[] {
  return Array.isArray(list) && !Token.isUnresolved(list) ? list : [];
}

/** Why no subject begins with a text; undefined if one may. */
function impossible({ text, ignoresCase }: AskedFor): string | undefined {
  const cased = (one: string) => (ignoresCase ? one.toLowerCase() : one);
  const shown = `is ${showValue(text)}, which no subject begins with`;
  if (/^https?:[/][/]/i.test(text)) {
    return `${shown}: write ${CONTAINERS}{container}/blobs/{path} instead of the URL`;
  }
  if (cased(text).startsWith(cased("blobServices/"))) {
    return `${shown}: add a slash at the beginning`;
  }
  if (!cased(text).startsWith(cased(CONTAINERS))) return undefined;
  const [container, ...path] = split(text.slice(CONTAINERS.length), "/");
  const name = ignoresCase ? container.toLowerCase() : container;
  if (path.length > 0 ? !mayBeContainer(name) : !/^[$a-z0-9-]{0,63}$/.test(name)) {
    return `${shown}, because a container has 3 to 63 lower-case letters, digits and single hyphens`;
  }
  const rest = cased(path.join("/"));
  if (rest.startsWith("blobs/") || "blobs/".startsWith(rest)) return undefined;
  return `${shown}: write ${CONTAINERS}${container}/blobs/${path.join("/")}`;
}

function resemblesKnown({ text, ignoresCase }: AskedFor): boolean {
  const cased = (one: string) => (ignoresCase ? one.toLowerCase() : one);
  return BEGINNINGS.map(cased).some(
    (beginning) => beginning.startsWith(cased(text)) || cased(text).startsWith(beginning),
  );
}
