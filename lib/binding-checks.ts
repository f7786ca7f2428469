import { TerraformStack, Token } from "cdktf";
import { type BindingProps, validateBinding } from "cloud-eventgrid-binding-runtime/binding";
import type { IConstruct } from "constructs";
import type { AdditionalScope, CloudEventGridBindingProps, InputOptions } from "./binding-props.js";
import { scopeChecks } from "./preconditions.js";
import { subscriptionChecks, subscriptionProblems } from "./subscription-checks.js";
import {
  type Check,
  choiceRule,
  integerRule,
  problemOf,
  received,
  textRule,
  uuidRule,
} from "./value-rule.js";

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
  retired: true,
  retryPolicy: true,
  roleEffectSeconds: true,
  servicePrincipal: true,
  subjectFilter: true,
  webhookProbe: true,
  writerPrincipals: true,
};
const choices = {
  providerRegistration: choiceRule("provider", "resource", "none"),
  servicePrincipal: choiceRule("lookup", "provision"),
  existingSubscription: choiceRule("adopt", "adopted"),
} as const;
const assignmentRule = choiceRule(
  "eventGrid",
  "client",
  "writers",
  "clientAtScope",
  "writersAtScope",
);
const typeRule = choiceRule("user", "group", "servicePrincipal");

type Props = CloudEventGridBindingProps & InputOptions;

/** Everything that is wrong with a binding, as far as it is known by now. */
export function bindingProblems(
  construct: IConstruct,
  props: Props,
  definition: BindingProps,
): string[] {
  const contract = validateBinding(withHosts(definition), {
    isUnresolved: Token.isUnresolved,
    existingSubscription: props.existingSubscription !== undefined,
  });
  return [
    ...contract.map(({ message }) => message),
    ...optionChecks(props).flatMap((check) => problemOf(check) ?? []),
    ...optionProblems(props, definition),
    ...foreignApplication(construct, props),
  ];
}

/** The application's roles and assignments are made where it is, and cannot wait for another stack. */
function foreignApplication(construct: IConstruct, { application }: Props): string[] {
  if (application === undefined) return [];
  const stack = TerraformStack.of(application);
  if (stack === TerraformStack.of(construct)) return [];
  return [
    `application belongs to the stack ${stack.node.id}: in this one, use ` +
      "WebhookApplication.fromClientId with its clientId, and existingAssignments " +
      '["eventGrid", "client"]',
  ];
}

/** What Terraform has to check of the construct's own options, because it is known only later. */
export function tokenChecks(props: Props, definition: BindingProps): Check[] {
  const scopes = additionalScopes(props).flatMap(({ key, settings }) =>
    scopeChecks(`additionalScopes.${key}.scope`, settings.scope, definition),
  );
  return [...optionChecks(props), ...scopes].filter(({ value }) => Token.isUnresolved(value));
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

/** The settings of one event subscription of a binding, and what messages call it. */
export interface NamedScope {
  readonly key: string;
  readonly settings: AdditionalScope;
}

/** The additional scopes, each in its long form. */
export function additionalScopes({ additionalScopes: scopes = {} }: Props): NamedScope[] {
  return Object.entries(scopes).map(([key, scope]) => ({
    key,
    settings: typeof scope === "string" ? { scope } : scope,
  }));
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
    { field: "roleEffectSeconds", value: props.roleEffectSeconds, rule: integerRule(0, 3600) },
    { field: "webhookProbe.timeoutSeconds", value: timeout, rule: integerRule(1, 3600) },
    { field: "adoptionLabel", value: props.adoptionLabel, rule: textRule },
  ];
}

/** What is wrong with the construct's own options as a whole, where it is known by now. */
function optionProblems(props: Props, contract: BindingProps): string[] {
  return [
    ...misplacedOptions(props, contract),
    ...choiceProblems(props),
    ...writerProblems(props),
    ...applicationProblems(props),
    ...subscriptionProblems(props),
    ...additionalScopes(props).flatMap((scope) => scopeProblems(scope, contract)),
    ...sameSubscription(props, contract),
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

/** Words that decide what is made: they have to be known by now. */
function choiceProblems(props: Props): string[] {
  const { existingAssignments = [], writerPrincipals = [] } = props;
  const single = (
    ["providerRegistration", "servicePrincipal", "existingSubscription"] as const
  ).map((field) => ({ field, value: props[field], rule: choices[field] }));
  const assignments = existingAssignments.map((value, i) => ({
    field: `existingAssignments[${i}]`,
    value,
    rule: assignmentRule,
  }));
  const types = writerPrincipals.map(({ type }, i) => ({
    field: `writerPrincipals[${i}].type`,
    value: type,
    rule: typeRule,
  }));
  return [...single, ...assignments, ...types].flatMap((check) => problemOf(check) ?? []);
}

function writerProblems({ writer, writerPrincipals, roleEffectSeconds }: Props): string[] {
  const problems: string[] = [];
  if (writer === "client" && writerPrincipals !== undefined) {
    problems.push('writerPrincipals is not used where writer is "client": remove one of the two');
  }
  if (writer !== "client" && roleEffectSeconds !== undefined) {
    problems.push(
      'roleEffectSeconds is used only where writer is "client": the deployer\'s own rights have taken effect',
    );
  }
  if (writerPrincipals?.length === 0) {
    problems.push("writerPrincipals must name somebody: leave it out for whoever applies now");
  }
  const seen = new Set<string>();
  for (const [i, { objectId }] of (writerPrincipals ?? []).entries()) {
    const same = String(objectId).toLowerCase();
    if (!Token.isUnresolved(objectId) && seen.has(same)) {
      problems.push(`writerPrincipals[${i}] names ${received(objectId)} a second time`);
    }
    seen.add(same);
  }
  return problems;
}

function applicationProblems(props: Props): string[] {
  const { application, writer, existingAssignments = [] } = props;
  const problems: string[] = [];
  if (application === undefined) return problems;
  if (props.cloudClientId !== undefined) {
    problems.push("cloudClientId and application name the same thing: give one of the two");
  }
  if (writer === "client" && application.provisioned) {
    problems.push(
      'writer "client" cannot sign in as an application that the same stack makes: its credentials ' +
        "are unknown when Terraform plans. Make the application in a stack of its own, or leave " +
        "writer to the deployer",
    );
  }
  const elsewhere = [
    ...(["servicePrincipal", "eventGridApplicationId"] as const).filter(
      (field) => props[field] !== undefined,
    ),
    ...existingAssignments
      .filter((value) => value === "eventGrid" || value === "client")
      .map((value) => `existingAssignments "${value}"`),
  ];
  problems.push(
    ...elsewhere.map((what) => `${what} is said where the application is made, not on the binding`),
  );
  return problems;
}

function scopeProblems({ key, settings }: NamedScope, contract: BindingProps): string[] {
  const field = `additionalScopes.${key}`;
  const { scope, eventSubscriptionName, existingSubscription } = settings;
  const problems = validateBinding(
    { ...contract, scope, ...(eventSubscriptionName !== undefined && { eventSubscriptionName }) },
    {
      isUnresolved: Token.isUnresolved,
      existingSubscription: existingSubscription !== undefined,
    },
  )
    .filter((problem) =>
      problem.field === "scope"
        ? true
        : problem.field === "eventSubscriptionName" && eventSubscriptionName !== undefined,
    )
    .map(({ message }) => `${field}.${message}`);
  if (!/^[a-zA-Z0-9-]{1,40}$/.test(key)) {
    problems.push(
      `additionalScopes must have keys of 1 to 40 letters, digits and hyphens, but has ${received(key)}`,
    );
  }
  return [...problems, ...subscriptionProblems(settings, `${field}.`)];
}

/** Two subscriptions of the same name at the same scope would be one. */
function sameSubscription(props: Props, contract: BindingProps): string[] {
  const seen = new Set<string>();
  const own = {
    scope: contract.scope ?? "",
    eventSubscriptionName: contract.eventSubscriptionName,
  };
  seen.add(identity(own.scope, own.eventSubscriptionName));
  return additionalScopes(props).flatMap(({ key, settings }) => {
    const name = settings.eventSubscriptionName ?? own.eventSubscriptionName;
    const id = identity(settings.scope, name);
    if (seen.has(id)) {
      return [
        `additionalScopes.${key} repeats a scope of this binding: give it an eventSubscriptionName of its own`,
      ];
    }
    seen.add(id);
    return [];
  });
}

function identity(scope: string, name: string | undefined): string {
  return `${String(scope).replace(/^\/+|\/+$/g, "")} ${name ?? ""}`.toLowerCase();
}
