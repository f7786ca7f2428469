import { cloudEnvironments } from "./cloud-environment.js";
import { isLoopback, readUrl } from "./endpoint.js";
import type { BindingProblem, BindingRule } from "./problem.js";
import type { Direction, PublishWith, Writer } from "./props.js";
import { readScope, SCOPE_SHAPES } from "./scope.js";
import { shownValue } from "./shown-value.js";
import { isUuid } from "./uuid.js";

/** What a text must be, said when it is not. */
interface Violation {
  readonly rule: BindingRule;
  readonly must: string;
  /** What is wrong with the value in particular, said of it: "has an empty segment". */
  readonly because?: string;
}

type FieldRule = (text: string) => Violation | undefined;

const WRITERS: readonly Writer[] = ["deployer", "client"];
const PUBLISH_WITH: readonly PublishWith[] = ["accessKey", "entra"];
const DIRECTIONS: readonly Direction[] = ["input", "output", "input, output"];

/** How the value of each field must look, all by itself. */
const fieldRules = {
  cloudTenantId: uuid,
  cloudSubscriptionId: uuid,
  cloudClientId: uuid,
  cloudClientSecret: secret,
  accessKey: secret,
  subscriberEndpoint,
  handshakePort,
  scope,
  eventSubscriptionName,
  topicEndpoint: secureUrl,
  cloudAuthorityHost: authorityHost,
  direction: oneOf(DIRECTIONS),
  writer: oneOf(WRITERS),
  publishWith: oneOf(PUBLISH_WITH),
  cloudEnvironment: oneOf(Object.keys(cloudEnvironments)),
  path,
  name,
} satisfies Readonly<Record<string, FieldRule>>;

/** A field that has a rule. */
export type CheckedField = keyof typeof fieldRules;

const SECRETS: ReadonlySet<string> = new Set(["accessKey", "cloudClientSecret"]);

/**
 * Checks one field's value by the rule of its own.
 *
 * @param shownAs what the message calls it: the name of an environment variable, for example
 */
export function fieldProblem(
  field: CheckedField,
  value: unknown,
  {
    shownAs = field,
    existingSubscription = false,
  }: { readonly shownAs?: string; readonly existingSubscription?: boolean } = {},
): BindingProblem | undefined {
  const received = SECRETS.has(field) ? undefined : shownValue(value);
  const violation = violationOf(field, value, existingSubscription);
  if (violation === undefined) return undefined;
  const { rule, must, because } = violation;
  if (received === undefined) return { field: shownAs, rule, message: `${shownAs} ${must}` };
  const found = because === undefined ? `is ${received}` : `${received} ${because}`;
  return { field: shownAs, rule, message: `${shownAs} ${must}, but ${found}`, received };
}

function violationOf(
  field: CheckedField,
  value: unknown,
  existingSubscription: boolean,
): Violation | undefined {
  if (typeof value !== "string") return wrongType(field, value);
  if (field === "eventSubscriptionName" && existingSubscription) return serviceName(value);
  return fieldRules[field](value);
}

function wrongType(field: string, value: unknown): Violation {
  if (field === "handshakePort" && typeof value === "number") {
    return { rule: "type", must: `must be a string (put it in quotes: "${value}")` };
  }
  if (field === "scope" && typeof value === "object" && value !== null) {
    return { rule: "type", must: "must be a string (of a resource, give its id)" };
  }
  return { rule: "type", must: "must be a string" };
}

function uuid(text: string): Violation | undefined {
  if (isUuid(text)) return undefined;
  return { rule: "uuid", must: "must be a UUID such as 11111111-2222-3333-4444-555555555555" };
}

function secret(text: string): Violation | undefined {
  if (text === "") return { rule: "secret", must: "must not be empty" };
  if (!/\s|\p{Cc}/u.test(text)) return undefined;
  return {
    rule: "secret",
    must: "must not contain white space or line ends (its value is not shown)",
  };
}

function subscriberEndpoint(text: string): Violation | undefined {
  const must = "must be an https URL with a host, such as https://orders.example.com/api/events";
  const url = readUrl(text);
  if (url?.protocol !== "https:") return { rule: "https-url", must };
  return embellished("https-url", url, text);
}

function secureUrl(text: string): Violation | undefined {
  const url = readUrl(text);
  if (url && (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url)))) {
    return embellished("loopback-or-https-url", url, text);
  }
  return {
    rule: "loopback-or-https-url",
    must: "must be an https URL (http only for this machine itself, such as http://127.0.0.1:8080)",
  };
}

function authorityHost(text: string): Violation | undefined {
  const rule = "loopback-or-https-url";
  const violation = secureUrl(text);
  if (violation) return violation;
  return text.includes("?") ? { rule, must: "must not have a query (?…)" } : undefined;
}

function embellished(rule: BindingRule, url: URL, text: string): Violation | undefined {
  if (url.username !== "" || url.password !== "" || /^[a-z]+:\/\/[^/?#]*@/i.test(text)) {
    return { rule, must: "must not contain credentials" };
  }
  if (text.includes("#")) return { rule, must: "must not have a fragment (#…)" };
  return undefined;
}

function handshakePort(text: string): Violation | undefined {
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535) return undefined;
  return { rule: "port", must: 'must be a string holding a port number from "1" to "65535"' };
}

function scope(text: string): Violation | undefined {
  const read = readScope(text);
  if (typeof read !== "string") return undefined;
  return { rule: "scope", must: `must be ${SCOPE_SHAPES}`, because: read };
}

function eventSubscriptionName(text: string): Violation | undefined {
  if (/^[a-zA-Z0-9]{3,64}$/.test(text)) return undefined;
  return { rule: "alphanumeric-name", must: "must be 3 to 64 letters and digits" };
}

function serviceName(text: string): Violation | undefined {
  if (/^[-a-zA-Z0-9]{3,64}$/.test(text)) return undefined;
  return { rule: "service-name", must: "must be 3 to 64 letters, digits and hyphens" };
}

function path(text: string): Violation | undefined {
  if (/^\/[^\s?#]*$/.test(text)) return undefined;
  return { rule: "path", must: "must be a URL's path such as /api/events, without a query" };
}

function name(text: string): Violation | undefined {
  if (/^[^\s\p{Cc}]{1,256}$/u.test(text)) return undefined;
  return { rule: "text", must: "must be 1 to 256 characters without white space" };
}

function oneOf(choices: readonly string[]): FieldRule {
  const list = choices.map((choice) => `"${choice}"`).join(", ");
  return (text) =>
    choices.includes(text) ? undefined : { rule: "choice", must: `must be one of ${list}` };
}
