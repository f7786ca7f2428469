import {
  field,
  hyphenated,
  invalidRequest,
  isAddressRange,
  listAt,
  objectAt,
  textAt,
  textOrEmpty,
} from "../../base/index.js";

/*
 * What the schemas of bodies do not say of values: names, addresses and ranges. The numbers are those
 * of the REST reference.
 */

/** @throws ServiceError 400 with every problem */
export function requireValues(problems: Iterable<string>): void {
  const all = [...problems];
  if (all.length > 0) throw invalidRequest(`${all.join(". ")}.`);
}

/** @see https://learn.microsoft.com/azure/event-grid/quotas-limits */
const MAX_IP_RULES = 128;

/** An address, or a range of addresses. Azure keeps one with host bits, such as `10.2.0.0/8`. */
export function* ipRuleProblems(properties: unknown): Generator<string> {
  const rules = listAt(properties, "inboundIpRules");
  if (rules.length > MAX_IP_RULES) {
    yield `properties.inboundIpRules must have at most ${MAX_IP_RULES} rules, not ${rules.length}`;
  }
  for (const [index, rule] of rules.entries()) {
    const mask = textOrEmpty(rule, "ipMask");
    if (isAddressRange(mask)) continue;
    yield `properties.inboundIpRules[${index}].ipMask must be an IP address or a range such as 10.0.0.0/8, not ${JSON.stringify(mask)}`;
  }
}

/** The validation of azurerm; Microsoft's templates say 50 characters at most for those of domains. */
const TOPIC_NAME = hyphenated(3, 128);

export function* topicNameProblems(kind: "domain" | "system", name: string): Generator<string> {
  if (TOPIC_NAME.allows(name)) return;
  yield `The name of a ${kind} topic must have ${TOPIC_NAME}, not '${name}'`;
}

/**
 * How many identities one may have. The pages of system topics say nothing of it, and Microsoft's
 * documentation not whether a topic may have a system-assigned and user-assigned ones at once.
 *
 * @see https://azure.github.io/PSRule.Rules.Azure/en/rules/Azure.EventGrid.ManagedIdentity/
 * @see https://learn.microsoft.com/azure/event-grid/event-grid-namespace-managed-identity
 */
export function* identityProblems(
  kind: "topic" | "domain" | "namespace",
  identity: unknown,
): Generator<string> {
  const { length } = Object.keys(objectAt(identity, "userAssignedIdentities"));
  if (length > 2) yield `A ${kind} may have two user-assigned identities, not ${length}`;
}

/**
 * A custom schema needs a mapping, and the other schemas have none.
 *
 * @see https://learn.microsoft.com/cli/azure/eventgrid/topic#az-eventgrid-topic-create
 */
export function* inputMappingProblems(properties: unknown): Generator<string> {
  const isCustom = textAt(properties, "inputSchema") === "CustomEventSchema";
  const isMapped = field(properties, "inputSchemaMapping") != null;
  if (isCustom && !isMapped) {
    yield "properties.inputSchemaMapping is missing: the input schema 'CustomEventSchema' needs it";
  }
  if (!isCustom && isMapped) {
    yield "properties.inputSchemaMapping is only for the input schema 'CustomEventSchema'";
  }
}

const namespaceRanges = [
  { path: ["sku", "capacity"], most: 40 },
  { path: ["properties", "topicSpacesConfiguration", "maximumSessionExpiryInHours"], most: 8 },
  {
    path: ["properties", "topicSpacesConfiguration", "maximumClientSessionsPerAuthenticationName"],
    most: 100,
  },
];

export function* namespaceProblems(body: Readonly<Record<string, unknown>>): Generator<string> {
  for (const { path, most } of namespaceRanges) {
    const value = field(body, ...path) ?? 1;
    if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most) continue;
    yield `${path.join(".")} must be an integer from 1 to ${most}, not ${value}`;
  }
  yield* ipRuleProblems(body.properties);
  yield* identityProblems("namespace", body.identity);
}
