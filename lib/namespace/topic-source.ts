import type { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import { Annotations } from "cdktf";
import {
  azureRules,
  bindingFields,
  boolean,
  type Checks,
  existingSubscriptionNameRule,
  uuidRule,
} from "cloud-eventgrid-binding-runtime/internal";
import { Construct } from "constructs";
import { type Diagnostics, diagnosticSetting, diagnosticsCheck } from "../monitoring/index.js";
import { grantAzureRole, waitForRoles } from "../roles/index.js";
import {
  chosenByCatalogue,
  containerCheck,
  type DeadLetterContainer,
  eventTypeProblems,
  eventTypes,
  filterWarnings,
  grantContainer,
  normalisedScope,
  refuseSecond,
  refuseUnknownTypes,
  type SubscriptionSettings,
  settingsChecks,
  storageSubjectProblems,
  systemTopicProblems,
  twiceChosenProblems,
  warnOfClosedAccount,
} from "../subscription/index.js";
import {
  AzapiResource,
  Dependencies,
  EVENT_GRID_API_VERSION,
  protection,
  trimmedId,
  withPrincipals,
} from "../terraform/index.js";
import { defaultName, group, literal, report, required, validated } from "../validation/index.js";
import type { NamespaceOfTopics } from "./namespace-props.js";
import { pushBody } from "./push-body.js";

type Settings = Pick<
  SubscriptionSettings,
  "events" | "includedEventTypes" | "subjectFilter" | "advancedFilters" | "retryPolicy"
>;

import { isFirstToLog, placeProblems, systemTopicOf } from "./system-topic.js";

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

const sourceChecks: Checks<NamespaceTopicSourceProps> = {
  scope: required(bindingFields.scope.rule),
  events: settingsChecks.events,
  includedEventTypes: settingsChecks.includedEventTypes,
  subjectFilter: settingsChecks.subjectFilter,
  advancedFilters: settingsChecks.advancedFilters,
  retryPolicy: settingsChecks.retryPolicy,
  deadLetter: containerCheck,
  location: azureRules.location,
  resourceGroupName: azureRules.resourceGroupName,
  systemTopic: group<ExistingSystemTopic>({
    id: required(azureRules.resourceId),
    principalId: required(uuidRule),
  }),
  eventSubscriptionName: existingSubscriptionNameRule,
  diagnostics: diagnosticsCheck,
  protect: literal(boolean),
  roleEffectSeconds: literal(azureRules.roleEffectSeconds),
};

/**
 * The events of an Azure service, delivered to a topic of a namespace: a system topic with an identity
 * that may publish there, and its event subscription.
 */
export class NamespaceTopicSource extends Construct {
  /**
   * The system topic, which sources of the same resource in a stack share; undefined if it exists
   * already, or the props have problems.
   */
  readonly systemTopic: AzapiResource | undefined;
  /** The event subscription; undefined if the props have problems. */
  readonly subscription: AzapiResource | undefined;

  /** Use {@link CloudEventGridNamespaceTopic.addSource} instead. */
  constructor(
    scope: Construct,
    id: string,
    namespace: NamespaceOfTopics,
    topicId: string,
    rawProps: NamespaceTopicSourceProps,
  ) {
    super(scope, id);
    const { props, ...checked } = validated(
      withPrincipals(this, chosenByCatalogue(rawProps)),
      sourceChecks,
    );
    const problems = [
      ...checked.problems,
      ...(props.systemTopic === undefined ? placeProblems(props) : []),
      ...systemTopicProblems(this, {}, props.scope),
      ...eventTypeProblems(this, props, props.scope),
      ...twiceChosenProblems(this, rawProps),
      ...storageSubjectProblems(this, props, props.scope),
    ];
    report(this, () => problems);
    if (problems.length > 0) return;

    const source = normalisedScope(props.scope);
    for (const warning of filterWarnings(this, props, props.scope)) {
      Annotations.of(this).addWarning(warning);
    }
    if (props.deadLetter) {
      warnOfClosedAccount(this, "deadLetter", props.deadLetter, "SystemAssigned");
    }
    const { events, includedEventTypes } = props;
    const isCatalogue = includedEventTypes === undefined;
    const named = includedEventTypes ?? events?.types;
    const types = eventTypes(this, source, named, isCatalogue);
    if (props.systemTopic === undefined) {
      this.systemTopic = systemTopicOf(this, source, namespace, props);
    }
    const { id: systemTopicId, principalId } =
      props.systemTopic ?? this.systemTopic ?? NO_SYSTEM_TOPIC;
    if (props.diagnostics && isFirstToLog(this, systemTopicId)) {
      diagnosticSetting(this, systemTopicId, "systemTopic", props.diagnostics, namespace.azurerm);
    }
    const grants = this.#grant(namespace, principalId, props);
    const before = new Dependencies();
    before.add(...grants, ...waitForRoles(this, props.roleEffectSeconds ?? 60, grants));
    const { eventSubscriptionName: name = defaultName(this, "eventSubscription") } = props;
    refuseSecond(this, trimmedId(systemTopicId), name);
    this.subscription = new AzapiResource(this, "subscription", {
      type: `Microsoft.EventGrid/systemTopics/eventSubscriptions@${EVENT_GRID_API_VERSION}`,
      name,
      parentId: systemTopicId,
      provider: namespace.azapi,
      ignoreCasing: true,
      body: pushBody(topicId, props, types),
      ...protection(props.protect),
    });
    refuseUnknownTypes(this.subscription, source, named);
    before.attachTo(this.subscription);
  }

  #grant(
    namespace: NamespaceOfTopics,
    principalId: string,
    { deadLetter }: NamespaceTopicSourceProps,
  ): RoleAssignment[] {
    const sending = grantAzureRole(this, {
      role: "EventGrid Data Sender",
      scope: namespace.id,
      principalId,
      description: "Event Grid delivers system events to this namespace",
      azurerm: namespace.azurerm,
    });
    if (deadLetter === undefined) return [sending];
    return [sending, grantContainer(this, deadLetter, principalId, namespace.azurerm)];
  }
}

const NO_SYSTEM_TOPIC = { id: "", principalId: "" };
