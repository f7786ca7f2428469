import type { EventgridEventSubscription } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import type { MonitorMetricAlert } from "@cdktf/provider-azurerm/lib/monitor-metric-alert/index.js";
import { type ITerraformDependable, TerraformStack, Token } from "cdktf";
import {
  type BindingProps,
  ConfigurationError,
  defaultSubscriptionName,
  environmentOf,
  problem,
  type ResolvedBinding,
} from "cloud-eventgrid-binding-runtime/internal";
import { Construct, type IConstruct } from "constructs";
import { applicationOfClientId, type IWebhookApplication } from "../application/index.js";
import type { BindingAlertOptions } from "../monitoring/index.js";
import {
  literalPath,
  type ScopedSubscription,
  scopedSubscriptions,
  warnOfLiteralSecrets,
} from "../subscription/index.js";
import { Dependencies, defined, requireTerraformVersion } from "../terraform/index.js";
import { warnOfOtherSchema, warnWithoutPublisher } from "../topic/index.js";
import { report } from "../validation/index.js";
import { bindingAlerts } from "./alerts.js";
import { provisionInput } from "./input.js";
import { addPrefixedOutputs } from "./outputs.js";
import type { CloudEventGridBindingProps } from "./props.js";
import {
  checkEnvironmentOptions,
  RuntimeEnvironment,
  type RuntimeEnvironmentOptions,
} from "./runtime-environment.js";
import { validatedBinding } from "./validate-binding.js";
import { addWaits } from "./wait-for.js";

/**
 * Provisions a binding: everything that Event Grid needs to deliver to a webhook, and the environment
 * of the service that serves the webhook and publishes.
 *
 * Synthesis reports all problems of the props together. The providers check values that are known only
 * later.
 */
export class CloudEventGridBinding extends Construct {
  /** The definition, including the name of the event subscription: for a component document. */
  readonly definition: BindingProps;
  /** The webhook's application; undefined for a binding that only publishes. */
  readonly application: IWebhookApplication | undefined;
  /** The event subscriptions: the one of `scope`, then those of `additionalScopes`. */
  readonly subscriptions: readonly EventgridEventSubscription[] = [];
  /** The definition in normal form; undefined if the props have problems. */
  readonly #binding: ResolvedBinding | undefined;
  #byScope: ReadonlyMap<string, EventgridEventSubscription> = new Map();
  /** Everything that must exist before Event Grid performs the handshake. */
  readonly #beforeHandshake = new Dependencies();
  readonly #props: CloudEventGridBindingProps;
  #scopes: readonly ScopedSubscription[] = [];

  constructor(scope: Construct, id: string, rawProps: CloudEventGridBindingProps) {
    super(scope, id);
    requireTerraformVersion(this);
    const { props, definition, binding, problems } = validatedBinding(
      this,
      rawProps,
      this.#defaultName(),
    );
    this.definition = definition;
    report(this, () => problems);
    this.#binding = binding;
    this.#props = props;
    if (binding === undefined) return;

    warnOfLiteralSecrets(this, definition);
    if ("topicEndpoint" in binding) {
      const { topicEndpoint, publishWith } = binding;
      warnOfOtherSchema(this, topicEndpoint);
      if (publishWith === "entra") warnWithoutPublisher(this, topicEndpoint);
    }
    if (!("cloudTenantId" in binding)) return;
    const scopes = scopedSubscriptions(binding, props);
    this.#scopes = scopes;
    const { application = namedApplication(this, props) } = props;
    this.application = application;
    const before = this.#beforeHandshake;
    this.#byScope = provisionInput(this, binding, props, scopes, application, before);
    this.subscriptions = [...this.#byScope.values()];
  }

  /**
   * Has the event subscription wait for the resources that serve the webhook, because Event Grid
   * performs the handshake as soon as the subscription is created.
   *
   * @param targets resources, or constructs with resources inside
   * @throws {ConfigurationError} for the binding itself, constructs around it or within it, and objects
   * that are not part of Terraform
   */
  waitFor(...targets: readonly (IConstruct | ITerraformDependable)[]): void {
    addWaits(this, this.#beforeHandshake, targets);
  }

  /**
   * Creates metric alerts for the event subscriptions of the binding, in the resource groups of their
   * topics.
   *
   * Azure counts by topics. Scopes that are not topics need their system topics in `systemTopics`;
   * otherwise synthesis fails.
   */
  alerts(options: BindingAlertOptions): MonitorMetricAlert[] {
    return bindingAlerts(this, this.#scopes, options, this.#props.azurerm);
  }

  /**
   * Adds Terraform outputs: `<prefix>_client_id`, and `<prefix>_event_subscription_ids` with
   * the keys of `additionalScopes`, and `scope` for the binding's own.
   *
   * @param prefix letters, digits, hyphens and underscores, not starting with a digit or hyphen.
   * Synthesis fails if an output of the stack has one of the names already
   */
  addOutputs(prefix: string): void {
    if (this.application === undefined) return;
    const ids = [...this.#byScope].map(([key, { id }]) => [key, id] as const);
    addPrefixedOutputs(this, prefix, {
      client_id: this.application.clientId,
      event_subscription_ids: Object.fromEntries(ids),
    });
  }

  /**
   * The environment that the service needs for `bindingFromEnvironment(prefix)`.
   *
   * Of the webhook's public address it contains only the path, so that a compute resource can use it
   * before its own host name is known.
   *
   * @throws {ConfigurationError} if the prefix is not in upper snake case, an option is unknown,
   * or the listener's path is not known
   */
  runtimeEnvironment(prefix: string, options: RuntimeEnvironmentOptions = {}): RuntimeEnvironment {
    if (this.#binding === undefined) return new RuntimeEnvironment({ variables: {}, secrets: {} });
    checkEnvironmentOptions(options, "path", "name");
    const { subscriberEndpoint } = this.definition;
    const { path = subscriberEndpoint && literalPath(subscriberEndpoint), name = this.node.id } =
      options;
    if (subscriberEndpoint !== undefined && path === undefined) throw pathRequired(prefix);
    const environment = environmentOf(this.#binding, prefix, {
      isUnresolved: Token.isUnresolved,
      otherSubscriptions: this.subscriptions.length > 1,
      name,
      ...defined({ path }),
    });
    return new RuntimeEnvironment(environment);
  }

  /** The path in the stack, so that the same stack in another app has the same names. */
  #defaultName(): string {
    const { path } = TerraformStack.of(this).node;
    return defaultSubscriptionName(this.node.path.slice(path.length + 1));
  }
}

function namedApplication(construct: Construct, props: CloudEventGridBindingProps) {
  const { cloudClientId: clientId = "", cloudEnvironment, existingAssignments } = props;
  const options = defined({ cloudEnvironment, existingAssignments });
  return applicationOfClientId(construct, { clientId, ...options });
}

function pathRequired(prefix: string): ConfigurationError {
  const message =
    "is required when subscriberEndpoint is known only after deployment: pass the path that the " +
    `listener serves, as in runtimeEnvironment(${JSON.stringify(prefix)}, { path: "/api/events" })`;
  return new ConfigurationError("The environment of a binding cannot be written", [
    problem("path", { required: message }),
  ]);
}
