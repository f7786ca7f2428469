import { TerraformStack, Token } from "cdktf";
import {
  azureRules,
  type BindingProps,
  bindingFields,
  boolean,
  type Checks,
  choiceRule,
  definitionFields,
  isObject,
  type Problem,
  parseBinding,
  problem,
  type ResolvedBinding,
  showValue,
  unchecked,
  wrongType,
} from "cloud-eventgrid-binding-runtime/internal";
import type { IConstruct } from "constructs";
import { SubscriberRole } from "../application/index.js";
import { existingAssignmentsCheck, writersCheck } from "../roles/index.js";
import {
  additionalScopesCheck,
  chosenByCatalogue,
  deadLetterIdentityProblems,
  eventTypeProblems,
  grantsDeadLettering,
  namedScopes,
  settingsChecks,
  storageSubjectProblems,
  subscriptionProblems,
  systemTopicProblems,
  twiceChosenProblems,
  withTopicPrincipals,
} from "../subscription/index.js";
import { defined, identityOf, providerRegistrations, withPrincipals } from "../terraform/index.js";
import { literal, provider, type Validated, validated } from "../validation/index.js";
import {
  type CloudEventGridBindingProps,
  definitionOf,
  type GivenDefinition,
  type InputProvisioningOptions,
} from "./props.js";

type Props = CloudEventGridBindingProps;

interface ValidatedBinding extends Validated<Props> {
  /** The definition with the name of its event subscription. */
  readonly definition: BindingProps;
  /** The definition in normal form; undefined if there are problems. */
  readonly binding: ResolvedBinding | undefined;
}

/**
 * Validates a binding's props: its definition by the contract, everything else by checks.
 *
 * @param defaultName name of the event subscription, if the props have none
 */
export function validatedBinding(
  construct: IConstruct,
  rawProps: Props,
  defaultName: string,
): ValidatedBinding {
  const existing = rawProps.existingSubscription !== undefined;
  const { props: usable, ...checked } = validated(
    withPrincipals(construct, chosenByCatalogue(rawProps)),
    bindingChecks(construct),
    meaningOf,
  );
  const props = withTopicPrincipals(construct, usable);
  const definition = definitionOf(props, defaultName);
  const { eventSubscriptionName } = definition;
  const parsed = parseBinding(
    // Without the default name, which messages would count among the fields that are set.
    { ...props, ...definition, eventSubscriptionName: props.eventSubscriptionName },
    { isUnresolved: Token.isUnresolved, existingSubscription: existing },
  );
  const isInvalid = Array.isArray(parsed);
  const problems = [
    ...(isInvalid ? parsed.map(namingApplication) : []),
    ...checked.problems,
    ...tokenProblems(construct, props, definition),
    ...systemTopicProblems(construct, props, definition.scope),
    ...eventTypeProblems(construct, props, definition.scope),
    ...twiceChosenProblems(construct, rawProps),
    ...storageSubjectProblems(construct, props, definition.scope),
    ...misplacedOptions(props, definition),
    ...writerProblems(props),
    ...roleEffectProblems(props),
    ...protectedProblems(props),
    ...applicationProblems(construct, props),
    ...deadLetterIdentityProblems(construct, props),
    ...subscriptionProblems(props, definition),
  ];
  return {
    props,
    definition: definition as BindingProps,
    binding:
      isInvalid || problems.length > 0
        ? undefined
        : { ...parsed, ...defined({ eventSubscriptionName }) },
    problems,
  };
}

/** Explains the names that a field has in documents of Dapr's component. */
function meaningOf(name: string): string | undefined {
  const field = fieldsOfDocuments.get(name.toLowerCase());
  if (field === undefined) return undefined;
  return name.startsWith("azure") || name.startsWith("spn")
    ? `it is a name of Dapr's component, whose prefix is cloud here: rename it to ${field}`
    : `did you mean ${field}?`;
}

/** The fields of a definition by the names that only documents use. */
const fieldsOfDocuments: ReadonlyMap<string, string> = new Map(
  definitionFields(bindingFields).flatMap(({ name, documentNames = {} }) =>
    Object.values(documentNames)
      .filter((other) => other !== null)
      .map((other): [string, string] => [other.toLowerCase(), name]),
  ),
);

/** An application has the client ID, too. */
function namingApplication(problem: Problem): Problem {
  if (problem.field !== "cloudClientId" || problem.rule !== "required") return problem;
  return { ...problem, message: `${problem.message}, unless there is an application` };
}

const inputChecks: Checks<InputProvisioningOptions & { application: unknown }> = {
  ...settingsChecks,
  application: literal({ problems: applicationTypeProblems }),
  additionalScopes: additionalScopesCheck,
  writerPrincipals: writersCheck,
  existingAssignments: existingAssignmentsCheck,
  webhookProbe: literal(boolean),
  roleEffectSeconds: literal(azureRules.roleEffectSeconds),
  subscribed: literal(boolean),
  protect: literal(boolean),
};

function bindingChecks(construct: IConstruct): Checks<Props> {
  return {
    ...inputChecks,
    ...definitionChecks,
    providerRegistration: literal(choiceRule(...providerRegistrations)),
    azurerm: provider("azurerm", construct),
  };
}

/** {@link parseBinding} tests the fields of the definition. */
const definitionChecks = Object.fromEntries(
  definitionFields(bindingFields).map(({ name }) => [name, unchecked]),
) as Checks<BindingProps>;

function applicationTypeProblems(field: string, value: unknown): Problem[] {
  if (isObject(value) && SubscriberRole.isPublishedAs(value)) return [];
  const requirement =
    "must be a WebhookApplication, or the result of WebhookApplication.fromClientId";
  return [wrongType(field, requirement, value)];
}

/** Problems of values that are known only later, which can be seen before. */
function tokenProblems(
  construct: IConstruct,
  props: Props,
  definition: GivenDefinition,
): Problem[] {
  const scopes = namedScopes(props).map(({ prefix, scope }) => [`${prefix}scope`, scope] as const);
  const problems: Problem[] = [];
  for (const [field, value] of [...Object.entries(definition), ...scopes]) {
    if (!Token.isUnresolved(value)) continue;
    // The resources of a binding have no `for_each`.
    if (/\beach[.](key|value)\b/.test(identityOf(construct, String(value)))) {
      const message =
        "comes from a TerraformIterator, but a binding cannot be repeated by Terraform: create the " +
        "bindings in a loop in TypeScript (for (const scope of scopes) …), or list the scopes in " +
        "additionalScopes";
      problems.push(problem(field, { iterator: message }));
    }
    if (field === "subscriberEndpoint" && String(value).toLowerCase().startsWith("http:")) {
      problems.push(problem(field, { "https-url": "must be an https URL, but begins with http:" }));
    }
  }
  return problems;
}

function misplacedOptions(props: Props, { scope, topicEndpoint }: GivenDefinition): Problem[] {
  if (scope !== undefined || topicEndpoint === undefined) return [];
  return Object.keys(inputChecks)
    .filter((option) => props[option as keyof Props] !== undefined)
    .map((option) => {
      const message = "belongs to the input direction, but the binding only publishes: remove it";
      return problem(option, { direction: message });
    });
}

/** Nothing waits without a role that is granted here. */
function roleEffectProblems(props: Props): Problem[] {
  const { writer, writerPrincipals, roleEffectSeconds = 0 } = props;
  const grantsRoles =
    writer === "client" || writerPrincipals !== undefined || grantsDeadLettering(props);
  if (roleEffectSeconds === 0 || grantsRoles) return [];
  const message =
    'is used only when writer is "client", when there are writerPrincipals, or when an identity of ' +
    "deadLetter gets its role: the identity that applies has its rights already";
  return [problem("roleEffectSeconds", { unused: message })];
}

/** Terraform would destroy the event subscriptions that it is to protect. */
function protectedProblems({ protect, subscribed }: Props): Problem[] {
  if (!protect || subscribed !== false) return [];
  const message =
    "must not be false while protect is true, because it destroys the event subscriptions with the " +
    "events that they still retry: leave one of the two out";
  return [problem("subscribed", { protected: message })];
}

function writerProblems({ writer, writerPrincipals, application }: Props): Problem[] {
  if (writer !== "client") return [];
  const problems: Problem[] = [];
  if (writerPrincipals !== undefined) {
    const message = 'is not used when writer is "client": remove one of the two';
    problems.push(problem("writerPrincipals", { unused: message }));
  }
  // The client's provider signs in whenever Terraform plans, including the first time.
  if (application && !SubscriberRole.of(application).principalKnownAtPlan) {
    const message =
      '"client" cannot sign in as an application or a service principal that the same stack creates, ' +
      "because Terraform signs in when it plans: create them in a stack of their own (the principal also " +
      'with az ad sp create --id), or use writer "deployer"';
    problems.push(problem("writer", { "client-sign-in": message }));
  }
  return problems;
}

function applicationProblems(construct: IConstruct, props: Props): Problem[] {
  const { application, existingAssignments = [], cloudEnvironment = "public" } = props;
  if (application === undefined) return [];
  const problems: Problem[] = [];
  if (props.cloudClientId !== undefined) {
    const message = "and application name the same application: set one of the two";
    problems.push(problem("cloudClientId", { application: message }));
  }
  if (cloudEnvironment !== application.cloudEnvironment) {
    const message =
      `is ${showValue(cloudEnvironment)}, but that of the application is ` +
      `${showValue(application.cloudEnvironment)}: use the same value for both`;
    problems.push(problem("cloudEnvironment", { application: message }));
  }
  if (existingAssignments.some((name) => name === "eventGrid" || name === "client")) {
    const message =
      '"eventGrid" and "client" belong to the application\'s own props, not to the binding';
    problems.push(problem("existingAssignments", { application: message }));
  }
  // Roles and assignments are created with the application, and cannot wait for another stack.
  const stack = TerraformStack.of(application);
  if (stack !== TerraformStack.of(construct)) {
    const message =
      `belongs to the stack ${stack.node.id}: in this stack, use WebhookApplication.fromClientId with ` +
      'its clientId, and existingAssignments ["eventGrid", "client"]';
    problems.push(problem("application", { stack: message }));
  }
  return problems;
}
