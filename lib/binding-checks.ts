import { Token } from "cdktf";
import { type BindingProps, validateBinding } from "cloud-eventgrid-binding-runtime/binding";
import type { IConstruct } from "constructs";
import { accessProblems } from "./access-checks.js";
import type { CloudEventGridBindingProps, InputOptions } from "./binding-props.js";
import { type Check, earlyProblems, problemsOf } from "./check.js";
import { scopeChecks } from "./preconditions.js";
import { additionalScopeProblems, additionalScopes } from "./scope-checks.js";
import { subscriptionChecks, subscriptionProblems } from "./subscription-checks.js";
import { choiceRule, integerRule, textRule, uuidRule } from "./value-rule.js";

const inputOptions: Readonly<Record<keyof InputOptions | "application", true>> = {
  additionalScopes: true,
  adoptionLabel: true,
  advancedFilters: true,
  application: true,
  batching: true,
  deadLetter: true,
  deliveryIdentity: true,
  deliveryProperties: true,
  events: true,
  existingAssignments: true,
  existingSubscription: true,
  expirationTimeUtc: true,
  filterArrays: true,
  includedEventTypes: true,
  labels: true,
  subscribed: true,
  retryPolicy: true,
  roleEffectSeconds: true,
  servicePrincipal: true,
  subjectFilter: true,
  webhookProbe: true,
  writerPrincipals: true,
};
const waitRule = integerRule(0, 3600);
const timeoutRule = integerRule(1, 3600);
const choices = {
  providerRegistration: choiceRule("provider", "resource", "none"),
  servicePrincipal: choiceRule("lookup", "provision"),
  existingSubscription: choiceRule("adopt", "adopted"),
} as const;
const choiceFields = ["providerRegistration", "servicePrincipal", "existingSubscription"] as const;

type Props = CloudEventGridBindingProps;

/** Everything that is wrong with a binding's readable props, as far as it is known by now. */
export function bindingProblems(
  construct: IConstruct,
  props: Props,
  definition: BindingProps,
): string[] {
  const contract = validateBinding(withHosts(definition), {
    isUnresolved: Token.isUnresolved,
    existingSubscription: props.existingSubscription !== undefined,
  });
  const messages = contract.map(({ message }) => message);
  return [
    ...messages,
    ...optionChecks(props).flatMap(problemsOf),
    ...misplacedOptions(props, definition),
    ...earlyProblems(earlyOptions(props)),
    ...choiceProblems(props),
    ...accessProblems(construct, props),
    ...subscriptionProblems(props),
    ...additionalScopeProblems(props, definition),
  ];
}

/** What Terraform has to check of the construct's own options, because it is known only later. */
export function tokenChecks(props: Props, definition: BindingProps): Check[] {
  const scopes = additionalScopes(props).flatMap(({ key, settings }) =>
    scopeChecks(`additionalScopes.${key}.scope`, settings.scope, definition),
  );
  return [...optionChecks(props), ...scopes];
}

/** Where only a part of a URL is known later, what is written out is judged by now. */
function withHosts(definition: BindingProps): BindingProps {
  const { subscriberEndpoint } = definition;
  if (subscriberEndpoint === undefined || !Token.isUnresolved(subscriberEndpoint))
    return definition;
  if (!/^(?!https:)[a-z]+:|#/i.test(String(subscriberEndpoint))) return definition;
  const host = subscriberEndpoint.replace(/\$\{TfToken\[[^\]]*\]\}/g, "known-after-apply");
  return { ...definition, subscriberEndpoint: host };
}

/** Single values of the construct's own options, each with what it must be. */
function optionChecks(props: Props): Check[] {
  const { writerPrincipals = [], webhookProbe } = props;
  const timeout = typeof webhookProbe === "object" ? webhookProbe.timeoutSeconds : undefined;
  return [
    ...subscriptionChecks(props),
    ...additionalScopes(props).flatMap(({ key, settings }) => [
      ...subscriptionChecks(settings, `additionalScopes.${key}.`),
      {
        field: `additionalScopes.${key}.adoptionLabel`,
        value: settings.adoptionLabel,
        rule: textRule,
      },
    ]),
    ...writerPrincipals.map(({ objectId }, i) => ({
      field: `writerPrincipals[${i}].objectId`,
      value: objectId,
      rule: uuidRule,
    })),
    { field: "eventGridApplicationId", value: props.eventGridApplicationId, rule: uuidRule },
    { field: "roleEffectSeconds", value: props.roleEffectSeconds, rule: waitRule },
    { field: "webhookProbe.timeoutSeconds", value: timeout, rule: timeoutRule },
    { field: "adoptionLabel", value: props.adoptionLabel, rule: textRule },
  ];
}

/** Options of the input direction on a binding that only publishes. */
function misplacedOptions(props: Props, { scope, topicEndpoint }: BindingProps): string[] {
  if (scope !== undefined || topicEndpoint === undefined) return [];
  return Object.keys(inputOptions)
    .filter((option) => props[option as keyof Props] !== undefined)
    .map(
      (option) =>
        `${option} belongs to the input direction, but the binding only publishes: remove it`,
    );
}

/** Options that decide what is made: they have to be known by now. */
function earlyOptions(props: Props): Record<string, unknown> {
  const { webhookProbe, writerPrincipals = [], existingAssignments = [] } = props;
  const probe = typeof webhookProbe === "object" ? webhookProbe : {};
  return {
    roleEffectSeconds: props.roleEffectSeconds,
    subscribed: props.subscribed,
    "webhookProbe.timeoutSeconds": probe.timeoutSeconds,
    "webhookProbe.command": probe.command,
    "webhookProbe.options": probe.options,
    ...Object.fromEntries(choiceFields.map((field) => [field, props[field]])),
    ...Object.fromEntries(
      existingAssignments.map((assignment, i) => [`existingAssignments[${i}]`, assignment]),
    ),
    ...Object.fromEntries(
      writerPrincipals.map(({ type }, i) => [`writerPrincipals[${i}].type`, type]),
    ),
  };
}

function choiceProblems(props: Props): string[] {
  return choiceFields.flatMap((field) => {
    return problemsOf({ field, value: props[field], rule: choices[field] });
  });
}
