import { type Precondition, Token } from "cdktf";
import { type BindingProps, validateBinding } from "cloud-eventgrid-binding-runtime/binding";
import type { IConstruct } from "constructs";
import { servicePrincipalRule } from "../application/index.js";
import {
  additionalScopeProblems,
  additionalScopes,
  subscriptionChecks,
  subscriptionProblems,
} from "../subscription/index.js";
import { providerRegistrations } from "../terraform/index.js";
import {
  booleanRule,
  type Check,
  choiceRule,
  earlyProblems,
  integerRule,
  onceInAnyCase,
  patternRule,
  preconditionsOf,
  problemsOf,
  providerProblems,
  textRule,
  uuidRule,
} from "../validation/index.js";
import { accessProblems } from "./access-checks.js";
import { scopePreconditions } from "./preconditions.js";
import type { CloudEventGridBindingProps } from "./props.js";
import { inputOptions } from "./props.js";

const waitRule = integerRule(0, 3600);
const timeoutRule = integerRule(1, 3600);
const argumentRule = patternRule("must be a text", "^");
const adoptionRule = choiceRule("adopt", "adopted");
const writerRule = choiceRule("user", "group", "servicePrincipal");

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
    ...earlyChecks(props).flatMap(problemsOf),
    ...probeProblems(props),
    ...providerProblems(construct, props),
    ...accessProblems(construct, props),
    ...subscriptionProblems(props),
    ...additionalScopeProblems(props, definition),
  ];
}

/** What Terraform has to check of the construct's own options, because it is known only later. */
export function optionPreconditions(props: Props, definition: BindingProps): Precondition[] {
  return [
    ...optionChecks(props).flatMap(preconditionsOf),
    ...additionalScopes(props).flatMap((scope) => scopePreconditions(scope, definition)),
  ];
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
  const { writerPrincipals = [] } = props;
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
      required: true,
    })),
    // Azure refuses the second assignment of the same role.
    ...onceInAnyCase(
      writerPrincipals.map(({ objectId }) => objectId),
      (i) => `writerPrincipals[${i}].objectId`,
    ),
    { field: "eventGridApplicationId", value: props.eventGridApplicationId, rule: uuidRule },
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

/** Options that decide what is made. */
function earlyChecks(props: Props): Check[] {
  const { webhookProbe, writerPrincipals = [] } = props;
  const probe = typeof webhookProbe === "object" ? webhookProbe : {};
  const checks: Check[] = [
    {
      field: "providerRegistration",
      value: props.providerRegistration,
      rule: choiceRule(...providerRegistrations),
    },
    { field: "servicePrincipal", value: props.servicePrincipal, rule: servicePrincipalRule },
    { field: "existingSubscription", value: props.existingSubscription, rule: adoptionRule },
    { field: "subscribed", value: props.subscribed, rule: booleanRule },
    { field: "roleEffectSeconds", value: props.roleEffectSeconds, rule: waitRule },
    { field: "webhookProbe.timeoutSeconds", value: probe.timeoutSeconds, rule: timeoutRule },
    ...additionalScopes(props).map(({ key, settings: { existingSubscription: value } }) => ({
      field: `additionalScopes.${key}.existingSubscription`,
      value,
      rule: adoptionRule,
    })),
    ...writerPrincipals.map(({ type }, i) => ({
      field: `writerPrincipals[${i}].type`,
      value: type,
      rule: writerRule,
      required: true,
    })),
  ];
  return checks.map((check) => ({ ...check, early: true }));
}

/** The lists that a probing program's other arguments are put around. */
function probeLists({ webhookProbe }: Props): Record<string, unknown> {
  if (typeof webhookProbe !== "object") return {};
  const { command, options } = webhookProbe;
  return { "webhookProbe.command": command, "webhookProbe.options": options };
}

function probeProblems(props: Props): string[] {
  return Object.entries(probeLists(props)).flatMap(([field, value]) => {
    if (Token.isUnresolved(value)) return earlyProblems({ [field]: value });
    const problems = problemsOf({ field, value, rule: argumentRule, items: true });
    const empty = field.endsWith("command") && Array.isArray(value) && value.length === 0;
    return empty ? [`${field} must name a program: leave it out for the default`] : problems;
  });
}
