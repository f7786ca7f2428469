import {
  azureRules,
  bindingFields,
  boolean,
  type Checks,
  existingSubscriptionNameRule,
  nonEmptyString,
  type Problem,
  problem,
  uuidRule,
} from "cloud-eventgrid-binding-runtime/internal";
import { type Diagnostics, diagnosticsCheck } from "../monitoring/index.js";
import {
  containerCheck,
  type DeadLetterContainer,
  type SubscriptionSettings,
  settingsChecks,
} from "../subscription/index.js";
import { scopeNamedBy } from "../terraform/index.js";
import { group, literal, required } from "../validation/index.js";

type Settings = Pick<
  SubscriptionSettings,
  "events" | "includedEventTypes" | "subjectFilter" | "advancedFilters" | "retryPolicy"
>;

/** Props of {@link CloudEventGridNamespaceTopic.addSource}. */
export interface NamespaceTopicSourceProps extends Settings {
  /** The resource whose events are received: a resource ID in one of the forms of `scope`. */
  readonly scope: string;
  /**
   * Region of the resource, in which its system topic is created: `global` for resource groups and
   * subscriptions. Not needed with `systemTopic`.
   */
  readonly location?: string;
  /**
   * Resource group of the system topic.
   *
   * @default that of the resource
   */
  readonly resourceGroupName?: string;
  /**
   * The system topic of the resource, if it has one already: Azure allows one for each resource. It
   * needs a system-assigned identity.
   *
   * @default a system topic is created
   */
  readonly systemTopic?: ExistingSystemTopic;
  /**
   * Name of the event subscription.
   *
   * @default the construct's id and a short hash of its path
   */
  readonly eventSubscriptionName?: string;
  /**
   * Container for events that the namespace refuses or cannot take. The system topic's identity gets
   * the role that writing requires.
   *
   * @default none: such events are dropped
   */
  readonly deadLetter?: DeadLetterContainer;
  /**
   * Where the logs and metrics of the system topic are stored.
   *
   * @default nowhere
   */
  readonly diagnostics?: Diagnostics;
  /**
   * Whether Terraform refuses plans that would destroy or replace the event subscription and lose its
   * events (`prevent_destroy`).
   *
   * @default false
   */
  readonly protect?: boolean;
  /**
   * Seconds to wait until the system topic's identity may publish to the namespace.
   *
   * @default 60
   */
  readonly roleEffectSeconds?: number;
}

/** A system topic that exists already, or one of the stack's own. */
export interface ExistingSystemTopic {
  /** Resource ID. */
  readonly id: string;
  /** Object ID of its system-assigned identity. */
  readonly principalId: string;
}

export const sourceChecks: Checks<NamespaceTopicSourceProps> = {
  scope: required(bindingFields.scope.rule),
  events: settingsChecks.events,
  includedEventTypes: settingsChecks.includedEventTypes,
  subjectFilter: settingsChecks.subjectFilter,
  advancedFilters: settingsChecks.advancedFilters,
  retryPolicy: settingsChecks.retryPolicy,
  deadLetter: containerCheck,
  location: nonEmptyString,
  resourceGroupName: nonEmptyString,
  systemTopic: group<ExistingSystemTopic>({
    id: required(azureRules.resourceId),
    principalId: required(uuidRule),
  }),
  eventSubscriptionName: existingSubscriptionNameRule,
  diagnostics: diagnosticsCheck,
  protect: literal(boolean),
  roleEffectSeconds: literal(azureRules.roleEffectSeconds),
};

/** A system topic needs a region and a resource group. */
export function placeProblems({
  systemTopic,
  location,
  resourceGroupName,
  scope,
}: NamespaceTopicSourceProps): Problem[] {
  if (systemTopic !== undefined) return [];
  const problems: Problem[] = [];
  if (location === undefined) {
    const message = "is required to create the system topic of the resource: pass its region";
    problems.push(problem("location", "required", message));
  }
  if (resourceGroupName === undefined && scopeNamedBy(scope)?.kind === "subscription") {
    const message = "is required for the system topic of a subscription: name a resource group";
    problems.push(problem("resourceGroupName", "required", message));
  }
  return problems;
}
