import type { MonitorMetricAlert } from "@cdktf/provider-azurerm/lib/monitor-metric-alert/index.js";
import type { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import { Annotations } from "cdktf";
import { pullBindingEnvironment } from "cloud-eventgrid-binding-runtime/internal";
import { Construct } from "constructs";
import {
  type NamespaceEnvironmentOptions,
  namespaceEnvironment,
  type RuntimeEnvironment,
} from "../binding/index.js";
import {
  createAlerts,
  type PullAlertOptions,
  pullAlertChecks,
  pullRules,
} from "../monitoring/index.js";
import { grantAzureRole, waitForRoles, warnWithoutRole } from "../roles/index.js";
import {
  grantContainer,
  refuseSecond,
  schemaKeyWarnings,
  warnOfClosedAccount,
} from "../subscription/index.js";
import {
  AzapiResource,
  Dependencies,
  defined,
  EVENT_GRID_API_VERSION,
  protection,
  requireTerraformVersion,
  withPrincipals,
} from "../terraform/index.js";
import { named, report, validated } from "../validation/index.js";
import {
  type CloudEventGridPullBindingProps,
  type PullDeadLetterProps,
  pullChecks,
  pullProblems,
  receivers,
} from "./pull-props.js";
import { queueBody } from "./queue-body.js";

/**
 * An event subscription from which services pull the events of a namespace topic, and the right to do
 * so. Services need no public endpoint: they connect to the namespace.
 *
 * Synthesis reports all problems of the props together.
 */
export class CloudEventGridPullBinding extends Construct {
  /** The event subscription; undefined if the props have problems. */
  readonly subscription: AzapiResource | undefined;
  readonly #props: CloudEventGridPullBindingProps;
  #usesAccessKey = false;

  constructor(scope: Construct, id: string, rawProps: CloudEventGridPullBindingProps) {
    super(scope, id);
    requireTerraformVersion(this);
    const { props, problems } = validated(withPrincipals(this, rawProps), pullChecks);
    const all = [...problems, ...pullProblems(this, props)];
    report(this, () => all);
    this.#props = props;
    if (all.length > 0) return;

    const { topic, deadLetter, roleEffectSeconds = 60 } = props;
    const { namespace } = topic;
    for (const warning of schemaKeyWarnings(props.filters, "filters")) {
      Annotations.of(this).addWarning(warning);
    }
    if (deadLetter) {
      const { type = "SystemAssigned" } = deadLetter.identity ?? {};
      warnOfClosedAccount(this, "deadLetter", deadLetter, type);
    }
    refuseSecond(this, topic.id, props.eventSubscriptionName);
    this.#grantReceiving();
    if (props.receiver === undefined) warnWithoutRole(this, () => this.#neededRole());
    const grants = this.#grantDeadLettering(deadLetter);
    const before = new Dependencies();
    before.add(...grants, ...waitForRoles(this, roleEffectSeconds, grants));
    this.subscription = new AzapiResource(this, "subscription", {
      type: `Microsoft.EventGrid/namespaces/topics/eventSubscriptions@${EVENT_GRID_API_VERSION}`,
      name: props.eventSubscriptionName,
      parentId: topic.id,
      provider: namespace.azapi,
      // Azure may write the case of a resource ID as it likes.
      ignoreCasing: true,
      body: queueBody(props),
      ...protection(props.protect),
    });
    before.attachTo(this.subscription);
  }

  /**
   * The environment that the service needs for `pullBindingFromEnvironment(prefix)`.
   *
   * @throws {ConfigurationError} if the prefix is not in upper snake case, or an option is invalid
   */
  runtimeEnvironment(
    prefix: string,
    options: NamespaceEnvironmentOptions = {},
  ): RuntimeEnvironment {
    const { topic, eventSubscriptionName, receiveLockSeconds } = this.#props;
    if (options.accessKey !== undefined) this.#usesAccessKey = true;
    return namespaceEnvironment(this, options, (common, isUnresolved) =>
      pullBindingEnvironment(
        {
          ...common,
          ...defined({ receiveLockSeconds }),
          namespaceEndpoint: topic.namespace.endpoint,
          topicName: topic.topicName,
          eventSubscriptionName,
          receiveWith: common.accessKey === undefined ? "entra" : "accessKey",
        },
        prefix,
        { isUnresolved },
      ),
    );
  }

  /**
   * Creates metric alerts in the resource group of the namespace. Azure counts dropped and dead-lettered
   * events only for the whole namespace, so that one binding of a namespace should have these two.
   */
  alerts(options: PullAlertOptions): MonitorMetricAlert[] {
    const { props, problems } = validated(options, pullAlertChecks);
    if (problems.length > 0) report(this, () => named("alerts", problems));
    if (problems.length > 0 || this.subscription === undefined) return [];
    const { topic, eventSubscriptionName: name } = this.#props;
    const target = {
      id: "alerts",
      resourceId: topic.namespace.id,
      metricNamespace: "Microsoft.EventGrid/namespaces",
      dimensions: { Topic: topic.topicName, EventSubscriptionName: name },
      azurerm: topic.namespace.azurerm,
    };
    return createAlerts(this, target, pullRules, props);
  }

  /** At the namespace: assigned at the topic, the role does not suffice to acknowledge. */
  #grantReceiving(): void {
    const { azurerm, id } = this.#props.topic.namespace;
    for (const { principalId, principalType } of receivers(this.#props)) {
      grantAzureRole(this, {
        role: "EventGrid Data Receiver",
        scope: id,
        principalId,
        principalType,
        description: "Receives events from this namespace",
        azurerm,
      });
    }
  }

  #neededRole() {
    if (this.#usesAccessKey) return undefined;
    return {
      role: "EventGrid Data Receiver",
      scope: this.#props.topic.namespace.id,
      warning:
        "receiver is not set, so that nobody gets the right to receive: name the identity of the " +
        "service, or pass an empty list if it has the role EventGrid Data Receiver already",
    } as const;
  }

  #grantDeadLettering(deadLetter: PullDeadLetterProps | undefined): RoleAssignment[] {
    const { topic, existingAssignments = [] } = this.#props;
    const principalId = deadLetter?.identity?.principalId ?? topic.namespace.principalId;
    if (deadLetter === undefined || principalId === undefined) return [];
    if (existingAssignments.includes("deadLetter")) return [];
    return [grantContainer(this, deadLetter, principalId, topic.namespace.azurerm)];
  }
}
