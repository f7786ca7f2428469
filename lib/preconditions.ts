import { DataResource, Fn, Op, type Precondition, Token } from "cdktf";
import { type BindingProps, validateBinding } from "cloud-eventgrid-binding-runtime/binding";
import type { Construct } from "constructs";

/** What a value must match, as Terraform's regular expressions have it. */
const patterns: Readonly<Record<string, string>> = {
  cloudTenantId: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
  cloudSubscriptionId: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
  cloudClientId: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
  subscriberEndpoint: "^https://[^][:space:]/?#@]+(/[^[:space:]#]*|[?][^[:space:]#]*)?$",
  handshakePort:
    "^([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$",
  scope:
    "^/*[sS]ubscriptions/[0-9a-fA-F-]{36}(/[rR]esource[gG]roups/[^/]+(/providers/[^/]+/[^/]+/[^/]+)?)?/*$",
  eventSubscriptionName: "^[0-9a-zA-Z]{3,64}$",
  topicEndpoint: "^(https://|http://(localhost|127[.]|[[]::1]))[^[:space:]#@]+$",
  cloudAuthorityHost: "^(https://|http://(localhost|127[.]|[[]::1]))[^[:space:]#@]+$",
};
const secrets = ["cloudClientSecret", "accessKey"] as const;

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
  contract: BindingProps,
): DataResource | undefined {
  const values: Readonly<Record<string, unknown>> = { ...contract };
  const checks = [
    ...Object.keys(patterns).flatMap((field) => fieldPrecondition(field, values) ?? []),
    ...secrets.flatMap((field) => secretPrecondition(field, values[field]) ?? []),
    ...scopePrecondition(contract),
  ];
  if (checks.length === 0) return undefined;
  return new DataResource(construct, "preconditions", { lifecycle: { precondition: checks } });
}

function fieldPrecondition(
  field: string,
  values: Readonly<Record<string, unknown>>,
): Precondition | undefined {
  const value = values[field];
  const pattern = patterns[field];
  if (typeof value !== "string" || pattern === undefined || !Token.isUnresolved(value))
    return undefined;
  return {
    condition: Fn.can(Fn.regex(pattern, value)),
    errorMessage: `${requirement(field, values)}, but is "${shown(value)}"`,
  };
}

function secretPrecondition(field: string, value: unknown): Precondition | undefined {
  if (typeof value !== "string" || !Token.isUnresolved(value)) return undefined;
  return {
    condition: Fn.can(Fn.regex("^[^[:space:]]+$", value)),
    errorMessage: `${field} must not be empty nor contain white space (its value is not shown)`,
  };
}

function scopePrecondition({ scope, cloudSubscriptionId }: BindingProps): Precondition[] {
  if (scope === undefined || cloudSubscriptionId === undefined) return [];
  if (!Token.isUnresolved(scope) && !Token.isUnresolved(cloudSubscriptionId)) return [];
  const named = Fn.element(Fn.split("/", Fn.trimprefix(scope, "/")), 1);
  return [
    {
      condition: Op.eq(Fn.lower(named), Fn.lower(cloudSubscriptionId)),
      errorMessage:
        `scope must lie in the subscription of cloudSubscriptionId (${cloudSubscriptionId}), ` +
        `but is "${scope}"`,
    },
  ];
}

/** What the contract says of a wrong literal, up to the value. */
function requirement(field: string, values: Readonly<Record<string, unknown>>): string {
  const problems = validateBinding(
    { ...values, [field]: "?" },
    { isUnresolved: Token.isUnresolved },
  );
  const message = problems.find((problem) => problem.field === field)?.message;
  return message?.replace(/, but .*$/s, "") ?? `${field} has a wrong value`;
}

/** A URL's query is often a secret. */
function shown(value: string): string {
  return Token.asString(Fn.replace(value, "/[?#].*$/", "?…"));
}
