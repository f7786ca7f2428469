import { Fn, Op, type Precondition, Token } from "cdktf";
import { type BindingProps, validateBinding } from "cloud-eventgrid-binding-runtime/binding";
import type { Construct } from "constructs";
import { type Check, preconditionsOf } from "./check.js";
import { functionArgument } from "./function-argument.js";
import { TerraformData } from "./terraform-data.js";
import { patternRule, UUID_PATTERN } from "./value-rule.js";

const SECURE_URL =
  "^(https://[^ /?#@]+|http://(localhost|127[.][0-9.]+|[[]::1.)(:[0-9]+)?)([/?][^ #]*)?$";

/** What a value of the contract must match where Terraform checks it. */
const patterns: Readonly<Record<string, string>> = {
  cloudTenantId: UUID_PATTERN,
  cloudSubscriptionId: UUID_PATTERN,
  cloudClientId: UUID_PATTERN,
  subscriberEndpoint: "^https://[^ /?#@]+([/?][^ #]*)?$",
  handshakePort:
    "^([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$",
  scope:
    "^/*[sS]ubscriptions/[0-9a-fA-F-]{36}(/[rR]esource[gG]roups/[^/]+(/[pP]roviders/[^/]+/[^/]+/[^/]+)?)?/*$",
  eventSubscriptionName: "^[0-9a-zA-Z]{3,64}$",
  topicEndpoint: SECURE_URL,
  cloudAuthorityHost: SECURE_URL,
  cloudClientSecret: "^[^ \\t\\r\\n]+$",
  accessKey: "^[^ \\t\\r\\n]+$",
};
/** An event subscription that was made by other means may have hyphens in its name. */
const existingPatterns = { eventSubscriptionName: "^[-0-9a-zA-Z]{3,64}$" };
const secrets: readonly string[] = ["cloudClientSecret", "accessKey"];
const urls: readonly string[] = ["subscriberEndpoint", "topicEndpoint", "cloudAuthorityHost"];

/** What else there is to know about a binding's values. */
export interface PreconditionOptions {
  /** Checks of the construct's own options. */
  readonly more: readonly Check[];
  /** Whether the event subscription was made by other means. */
  readonly existingSubscription: boolean;
  /** Whether the client ID is right wherever it comes from. */
  readonly clientIdIsSure: boolean;
}

interface Values {
  readonly definition: Readonly<Record<string, unknown>>;
  readonly existingSubscription: boolean;
}

/**
 * Checks by Terraform what is known only later, with the words that synthesis has for literals.
 *
 * All of it hangs on one resource that the binding's other resources depend on: a wrong value is
 * found as early as it is known, and before anything of the binding is made.
 *
 * @returns undefined where everything is a literal
 */
export function preconditions(
  construct: Construct,
  definition: BindingProps,
  { more, existingSubscription, clientIdIsSure }: PreconditionOptions,
): TerraformData | undefined {
  const rules = existingSubscription ? { ...patterns, ...existingPatterns } : patterns;
  const values: Values = { definition: { ...definition }, existingSubscription };
  const precondition = [
    ...Object.entries(rules)
      .filter(([field]) => !(clientIdIsSure && field === "cloudClientId"))
      .flatMap(([field, pattern]) => contractPrecondition(field, pattern, values) ?? []),
    ...subscriptionPrecondition(definition),
    ...more.flatMap(preconditionsOf),
  ];
  if (precondition.length === 0) return undefined;
  return new TerraformData(construct, "preconditions", { lifecycle: { precondition } });
}

/** The preconditions of further scopes, by the rules of the binding's own. */
export function scopeChecks(field: string, scope: string, definition: BindingProps): Check[] {
  const values = { definition: { ...definition }, existingSubscription: false };
  const must = requirement("scope", values).replace(/^scope /, "");
  return [{ field, value: scope, rule: patternRule(must, patterns.scope ?? "") }];
}

function contractPrecondition(
  field: string,
  pattern: string,
  values: Values,
): Precondition | undefined {
  const value = values.definition[field];
  if (typeof value !== "string" || !Token.isUnresolved(value)) return undefined;
  const shown = secrets.includes(field) ? "" : `, but is "${shownValue(field, value)}"`;
  return {
    condition: Fn.can(Fn.regex(pattern, functionArgument(value))),
    errorMessage: `${requirement(field, values)}${shown}`,
  };
}

function subscriptionPrecondition({
  scope,
  cloudSubscriptionId: own,
}: BindingProps): Precondition[] {
  if (scope === undefined || own === undefined) return [];
  if (!Token.isUnresolved(scope) && !Token.isUnresolved(own)) return [];
  const named = Fn.element(Fn.split("/", Fn.trim(functionArgument(scope), "/")), 1);
  return [
    {
      condition: Op.eq(Fn.lower(Token.asString(named)), Fn.lower(functionArgument(own))),
      errorMessage:
        `scope must lie in the subscription of cloudSubscriptionId (${own}), ` +
        `but names the subscription ${Token.asString(named)}`,
    },
  ];
}

/** What the contract says of a wrong literal, up to the value. */
function requirement(field: string, { definition, existingSubscription }: Values): string {
  const wrong = secrets.includes(field) ? " " : "?";
  const problems = validateBinding(
    { ...definition, [field]: wrong },
    { isUnresolved: Token.isUnresolved, existingSubscription },
  );
  const found = problems.find((problem) => problem.field === field);
  return found?.message.replace(/, but .*$/s, "") ?? `${field} has a wrong value`;
}

/** A URL's query is often a secret. */
function shownValue(field: string, value: string): string {
  return urls.includes(field)
    ? Token.asString(Fn.replace(functionArgument(value), "/[?#].*$/", "?…"))
    : value;
}
