import { Token } from "cdktf";
import {
  AZURE_LIMITS,
  azureRules,
  type Check,
  namespaceNameRule,
  problem,
  problemsOf,
  type Rule,
  showValue,
} from "cloud-eventgrid-binding-runtime/internal";
import type { IConstruct } from "constructs";
import { shortHash } from "../terraform/index.js";

/** The names that Azure accepts for a kind of resource. */
interface KindOfName {
  /** Characters of a name that is made here, its hash included. */
  readonly characters: number;
  /** The form of a name that the props give. */
  readonly rule?: Rule;
  /** The beginnings that Azure reserves, in any case. */
  readonly reserved?: readonly string[];
  /** Whether the first character has to be a letter or a digit. */
  readonly startsAlphanumeric?: true;
}

const topics = {
  characters: AZURE_LIMITS.topicNameCharacters.max,
  rule: azureRules.topicName,
  reserved: ["Microsoft-", "EventGrid-", "System-"],
} as const;

/**
 * The kinds of resources that the constructs name.
 *
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules
 * @see https://learn.microsoft.com/azure/event-grid/troubleshoot-errors#error-code-400
 */
const kinds = {
  topic: topics,
  // Its own rules are not documented.
  systemTopic: topics,
  namespace: {
    characters: 48,
    rule: namespaceNameRule,
    reserved: ["Microsoft", "System", "EventGrid"],
  },
  eventSubscription: { characters: 50 },
  privateEndpoint: { characters: 50, startsAlphanumeric: true },
  alert: { characters: 60 },
} as const satisfies Readonly<Record<string, KindOfName>>;

/** A kind of resource that the constructs name. */
export type NamedKind = keyof typeof kinds;

/** A name for a construct's resource in Azure: its id and a short hash of its path. */
export function defaultName(construct: IConstruct, kind: NamedKind): string {
  const { characters, startsAlphanumeric }: KindOfName = kinds[kind];
  const name = hashedName(construct, characters);
  if (startsAlphanumeric) return name.replace(/^-+/, "");
  return reservedBeginning(kind, name) === undefined
    ? name
    : `${kind.charAt(0)}-${hashedName(construct, CHARACTERS_AFTER_PREFIX)}`;
}

/** Topics and namespaces have names of at most 50. */
const CHARACTERS_AFTER_PREFIX = 48;

function hashedName({ node }: IConstruct, characters: number): string {
  const readable = node.id.replace(/[^a-zA-Z0-9-]/g, "").slice(0, characters - 9);
  return `${readable}-${shortHash(node.path)}`;
}

/** The check of a name that the props give. */
export function nameCheck(kind: "topic" | "namespace"): Check {
  return {
    problems(field, value) {
      if (Token.isUnresolved(value)) return [];
      const problems = problemsOf(kinds[kind].rule, field, value);
      if (problems.length > 0 || reservedBeginning(kind, String(value)) === undefined) {
        return problems;
      }
      const [first, second, third] = kinds[kind].reserved;
      const requirement = `must not begin with ${first}, ${second} or ${third}, which Azure reserves`;
      return [problem(field, { "reserved-name": `${requirement}, but is ${showValue(value)}` })];
    },
  };
}

function reservedBeginning(kind: NamedKind, name: string): string | undefined {
  const { reserved = [] }: KindOfName = kinds[kind];
  return reserved.find((beginning) => name.toLowerCase().startsWith(beginning.toLowerCase()));
}
