import type { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import { Fn, Token } from "cdktf";
import { AZURE_LIMITS } from "cloud-eventgrid-binding-runtime/internal";
import { Construct } from "constructs";
import { diagnosticSetting } from "../monitoring/index.js";
import { grantAzureRole, waitForRoles } from "../roles/index.js";
import {
  eventTypeProblems,
  eventTypes,
  grantContainer,
  normalisedScope,
  systemTopicProblems,
} from "../subscription/index.js";
import {
  AzapiResource,
  Dependencies,
  defaultName,
  functionArgument,
  protection,
  resourceIdSegment,
  tagged,
  withPrincipals,
} from "../terraform/index.js";
import { report, validated } from "../validation/index.js";
import { API_VERSION, deadLetterDestination, filterBody } from "./bodies.js";
import type { NamespaceOfTopics } from "./namespace-props.js";
import { type NamespaceTopicSourceProps, placeProblems, sourceChecks } from "./source-props.js";

/**
 * The events of an Azure service, delivered to a topic of a namespace: a system topic with an identity
 * that may publish there, and its event subscription.
 */
export class NamespaceTopicSource extends Construct {
  /** The system topic; undefined if it exists already, or the props have problems. */
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
    const { props, ...checked } = validated(withPrincipals(this, rawProps), sourceChecks);
    const problems = [
      ...checked.problems,
      ...placeProblems(props),
      ...systemTopicProblems(this, {}, props.scope),
      ...eventTypeProblems(this, props, props.scope),
    ];
    report(this, () => problems);
    if (problems.length > 0) return;

    const source = normalisedScope(props.scope);
    const { events, includedEventTypes = events?.types } = props;
    if (props.systemTopic === undefined) {
      this.systemTopic = this.#createSystemTopic(source, namespace, props);
    }
    const { id: systemTopicId, principalId } = props.systemTopic ?? this.systemTopic ?? NONE;
    if (props.diagnostics) {
      diagnosticSetting(this, systemTopicId, "systemTopic", props.diagnostics, namespace.azurerm);
    }
    const grants = this.#grant(namespace, principalId, props);
    const before = new Dependencies();
    before.add(...grants, ...waitForRoles(this, props.roleEffectSeconds ?? 60, grants));
    this.subscription = new AzapiResource(this, "subscription", {
      type: `Microsoft.EventGrid/systemTopics/eventSubscriptions@${API_VERSION}`,
      name: props.eventSubscriptionName ?? defaultName(this),
      parentId: systemTopicId,
      provider: namespace.azapi,
      ignoreCasing: true,
      body: subscriptionBody(topicId, props, eventTypes(this, source, includedEventTypes)),
      ...protection(props.protect),
    });
    before.attachTo(this.subscription);
  }

  #createSystemTopic(
    source: string,
    { azapi, tags }: NamespaceOfTopics,
    { location, resourceGroupName }: NamespaceTopicSourceProps,
  ): AzapiResource {
    const id = functionArgument(source);
    const group = resourceGroupName ?? resourceIdSegment(id, 4);
    return new AzapiResource(this, "system-topic", {
      type: `Microsoft.EventGrid/systemTopics@${API_VERSION}`,
      name: defaultName(this),
      parentId: `/subscriptions/${resourceIdSegment(id, 2)}/resourceGroups/${group}`,
      location,
      ...tagged(tags),
      identity: { type: "SystemAssigned" },
      provider: azapi,
      ignoreCasing: true,
      body: { properties: { source, topicType: topicTypeOf(source) } },
      // Azure does not move a system topic to another resource.
      replacedWith: ["properties.source"],
    });
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

const NONE = { id: "", principalId: "" };

/**
 * Every optional field, because azapi does not write one that is removed. Only event types that are not
 * known are left out: Azure fills in its default types, which would differ from null at every plan.
 */
function subscriptionBody(
  topicId: string,
  props: NamespaceTopicSourceProps,
  includedEventTypes: readonly string[] | undefined,
): object {
  const { subjectFilter, advancedFilters = [], retryPolicy, deadLetter } = props;
  const identity = { type: "SystemAssigned" };
  const { deliveryAttempts, eventTimeToLiveMinutes } = AZURE_LIMITS;
  return {
    properties: {
      eventDeliverySchema: "CloudEventSchemaV1_0",
      deliveryWithResourceIdentity: {
        identity,
        destination: { endpointType: "NamespaceTopic", properties: { resourceId: topicId } },
      },
      filter: {
        ...(includedEventTypes && { includedEventTypes }),
        subjectBeginsWith: subjectFilter?.beginsWith ?? "",
        subjectEndsWith: subjectFilter?.endsWith ?? "",
        isSubjectCaseSensitive: subjectFilter?.caseSensitive ?? false,
        enableAdvancedFilteringOnArrays: advancedFilters.length > 0,
        advancedFilters: advancedFilters.map(filterBody),
      },
      retryPolicy: {
        maxDeliveryAttempts: retryPolicy?.maxDeliveryAttempts ?? deliveryAttempts.max,
        eventTimeToLiveInMinutes: retryPolicy?.eventTimeToLiveMinutes ?? eventTimeToLiveMinutes.max,
      },
      deadLetterWithResourceIdentity: deadLetter
        ? { identity, deadLetterDestination: deadLetterDestination(deadLetter) }
        : null,
    },
  };
}

const PROVIDER_AND_TYPE = "/providers/([^/]+/[^/]+)/";

/** The topic type of a resource: `Microsoft.Storage.storageAccounts`, in any case. */
function topicTypeOf(source: string): string {
  if (!Token.isUnresolved(source)) {
    const type = new RegExp(PROVIDER_AND_TYPE, "i").exec(source)?.[1];
    if (type !== undefined) return type.replace("/", ".");
    return /\/resourceGroups\//i.test(source) ? RESOURCE_GROUPS : SUBSCRIPTIONS;
  }
  const id = functionArgument(source);
  const type = Fn.replace(Token.asString(Fn.element(Fn.regex(PROVIDER_AND_TYPE, id), 0)), "/", ".");
  const group = Fn.conditional(
    Fn.can(Fn.regex("/resourceGroups/", id)),
    RESOURCE_GROUPS,
    SUBSCRIPTIONS,
  );
  return Token.asString(Fn.try([type, group]));
}

const RESOURCE_GROUPS = "Microsoft.Resources.ResourceGroups";
const SUBSCRIPTIONS = "Microsoft.Resources.Subscriptions";
