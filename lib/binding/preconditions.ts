import { Fn, Op, type Precondition, Token } from "cdktf";
import { type BindingProps, validateBinding } from "cloud-eventgrid-binding-runtime/binding";
import {
  bindingRules,
  existingSubscriptionNameRule,
} from "cloud-eventgrid-binding-runtime/internal";
import type { Construct } from "constructs";
import type { NamedScope } from "../subscription/index.js";
import { functionArgument, TerraformData } from "../terraform/index.js";
import {
  patternRule,
  preconditionsOf,
  unlessSensitive,
  type ValueRule,
} from "../validation/index.js";

/** The fields of the contract that Terraform checks where their values are known only later. */
const fieldRules = {
  cloudTenantId: bindingRules.cloudTenantId,
  cloudSubscriptionId: bindingRules.cloudSubscriptionId,
  cloudClientId: bindingRules.cloudClientId,
  subscriberEndpoint: bindingRules.subscriberEndpoint,
  handshakePort: bindingRules.handshakePort,
  scope: bindingRules.scope,
  eventSubscriptionName: bindingRules.eventSubscriptionName,
  topicEndpoint: bindingRules.topicEndpoint,
  cloudAuthorityHost: bindingRules.cloudAuthorityHost,
  cloudClientSecret: bindingRules.cloudClientSecret,
  accessKey: bindingRules.accessKey,
};
const secrets: readonly string[] = ["cloudClientSecret", "accessKey"];
const urls: readonly string[] = ["subscriberEndpoint", "topicEndpoint", "cloudAuthorityHost"];

/** What else there is to know about a binding's values. */
export interface PreconditionOptions {
  /** Those of the construct's own options. */
  readonly more: readonly Precondition[];
  /** Whether the event subscription was made by other means. */
  readonly existingSubscription: boolean;
  /** Whether the client ID is right wherever it comes from. */
  readonly clientIdIsSure: boolean;
}

interface Values {
  readonly definition: Readonly<Record<string, unknown>>;
  readonly existingSubscription: boolean;
  /** What the messages put before a field. */
  readonly prefix: string;
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
  const values: Values = { definition: { ...definition }, existingSubscription, prefix: "" };
  const fields = Object.keys(fieldRules).filter(
    (field) => !(clientIdIsSure && field === "cloudClientId"),
  );
  const precondition = [
    ...fields.flatMap((field) => contractPreconditions(field, values)),
    ...subscriptionPrecondition(values),
    ...more,
  ];
  if (precondition.length === 0) return undefined;
  return new TerraformData(construct, "preconditions", { lifecycle: { precondition } });
}

/** The preconditions of a further scope, by the rules of the binding's own. */
export function scopePreconditions(
  { key, settings }: NamedScope,
  { cloudSubscriptionId }: BindingProps,
): Precondition[] {
  const { scope, eventSubscriptionName, existingSubscription } = settings;
  const values: Values = {
    definition: { cloudSubscriptionId, scope, eventSubscriptionName },
    existingSubscription: existingSubscription !== undefined,
    prefix: `additionalScopes.${key}.`,
  };
  return [
    ...contractPreconditions("scope", values),
    ...contractPreconditions("eventSubscriptionName", values),
    ...subscriptionPrecondition(values),
  ];
}

function contractPreconditions(field: string, values: Values): Precondition[] {
  const value = values.definition[field];
  if (!Token.isUnresolved(value)) return [];
  const existing = values.existingSubscription
    ? { eventSubscriptionName: existingSubscriptionNameRule }
    : {};
  const { pattern = "" } = { ...fieldRules, ...existing }[field as keyof typeof fieldRules];
  const rule: ValueRule = {
    ...patternRule(requirement(field, values), pattern),
    shown: shownAs(field),
  };
  return preconditionsOf({ field: `${values.prefix}${field}`, value, rule });
}

function shownAs(field: string): ValueRule["shown"] {
  if (secrets.includes(field)) return "hidden";
  return urls.includes(field) ? "url" : "text";
}

function subscriptionPrecondition({ definition, prefix }: Values): Precondition[] {
  const { scope, cloudSubscriptionId: own } = definition;
  if (typeof scope !== "string" || typeof own !== "string") return [];
  if (!Token.isUnresolved(scope) && !Token.isUnresolved(own)) return [];
  const named = Token.asString(Fn.element(Fn.split("/", Fn.trim(functionArgument(scope), "/")), 1));
  const must = `${prefix}scope must lie in the subscription of cloudSubscriptionId`;
  return [
    {
      condition: Op.eq(Fn.lower(named), Fn.lower(functionArgument(own))),
      errorMessage: unlessSensitive(
        `${must} (${own}), but names the subscription ${named}`,
        `${must}, but names another`,
      ),
    },
  ];
}

/** What the contract says of a wrong literal, between the field and the value. */
function requirement(field: string, { definition, existingSubscription }: Values): string {
  const wrong = secrets.includes(field) ? " " : "?";
  const problems = validateBinding(
    { ...definition, [field]: wrong },
    { isUnresolved: Token.isUnresolved, existingSubscription },
  );
  const found = problems.find((problem) => problem.field === field);
  const said = found?.message.replace(/, but .*$|\(its value is not shown\)$/s, "").trimEnd();
  return said?.slice(field.length + 1) ?? "has a wrong value";
}
