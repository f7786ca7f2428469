import type { EventgridEventSubscription } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import { type ITerraformDependable, Token } from "cdktf";
import {
  BindingConfigurationError,
  type BindingProps,
  bindingEnvironment,
  resolveBinding,
} from "cloud-eventgrid-binding-runtime/binding";
import { Construct, type IConstruct } from "constructs";
import { type IWebhookApplication, namedApplication } from "../application/index.js";
import { literalPath, warnOfLiteralSecrets } from "../subscription/index.js";
import { Dependencies, shortHash } from "../terraform/index.js";
import { bindingProblems, optionPreconditions } from "./binding-checks.js";
import { definitionOf } from "./definition.js";
import { provisionInput } from "./input.js";
import { addPrefixedOutputs } from "./outputs.js";
import { preconditions } from "./preconditions.js";
import type { CloudEventGridBindingProps } from "./props.js";
import { readableProps } from "./readable-props.js";
import {
  checkEnvironmentOptions,
  RuntimeEnvironment,
  type RuntimeEnvironmentOptions,
} from "./runtime-environment.js";
import { addWaits } from "./wait-for.js";

/**
 * Provisions a binding: what a person would otherwise set up by hand so that Event Grid delivers to
 * a webhook, and what the service must be told to serve it and to publish.
 *
 * What is wrong with the props is said at synthesis, all of it together; what is known only later is
 * checked by Terraform before anything of the binding is made.
 */
export class CloudEventGridBinding extends Construct {
  /** The definition, with the name of the event subscription filled in: for a component document. */
  readonly definition: BindingProps;
  /** The webhook's application; undefined for a binding that only publishes. */
  readonly application: IWebhookApplication | undefined;
  /** The event subscriptions: that of `scope`, then those of `additionalScopes`. */
  readonly subscriptions: readonly EventgridEventSubscription[] = [];
  readonly #valid: boolean;
  #byScope: ReadonlyMap<string, EventgridEventSubscription> = new Map();
  readonly #beforeHandshake: Dependencies;

  constructor(scope: Construct, id: string, given: CloudEventGridBindingProps) {
    super(scope, id);
    const { props, problems: unreadable } = readableProps(this, given);
    this.definition = definitionOf(props, this.#defaultName());
    const problems = [...unreadable, ...bindingProblems(this, props, definitionOf(props))];
    this.node.addValidation({ validate: () => problems });
    this.#valid = problems.length === 0;
    this.#beforeHandshake = new Dependencies();
    if (!this.#valid) return;

    warnOfLiteralSecrets(this, this.definition);
    const existingSubscription = props.existingSubscription !== undefined;
    const binding = resolveBinding(this.definition, {
      isUnresolved: Token.isUnresolved,
      existingSubscription,
    });
    const checked = preconditions(this, this.definition, {
      more: optionPreconditions(props, this.definition),
      existingSubscription,
      // What Entra gives an application that the stack makes needs no check.
      clientIdIsSure: props.application?.provisioned === true,
    });
    if (!("cloudTenantId" in binding)) return;

    this.application = props.application ?? namedApplication(this, props);
    const input = provisionInput(this, binding, props, this.application, checked);
    this.subscriptions = input.subscriptions;
    this.#byScope = input.byScope;
    this.#beforeHandshake = input.beforeHandshake;
  }

  /**
   * Has the event subscription wait for whatever serves the webhook, because Event Grid shakes hands
   * with it as soon as the subscription is made.
   *
   * @param targets resources, or constructs with resources inside
   * @throws {WaitTargetError} for the binding itself, what is around it or within it, and what is
   * nothing of Terraform's
   */
  waitFor(...targets: readonly (IConstruct | ITerraformDependable)[]): void {
    addWaits(this, this.#beforeHandshake, targets);
  }

  /**
   * Adds Terraform outputs: `<prefix>_client_id`, and `<prefix>_event_subscription_ids` with
   * the keys of `additionalScopes`, and `scope` for the binding's own.
   *
   * @param prefix letters, digits, hyphens and underscores, not a digit or hyphen first; unique
   * among the outputs of the stack, which synthesis checks
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
   * What the service needs in its environment for `bindingFromEnvironment(prefix)`.
   *
   * It names nothing of the webhook's public address but the path, so that a compute resource can
   * take it before its own host name is known.
   *
   * @throws {BindingConfigurationError} for a prefix that is not in upper snake case, unknown options,
   * and where the listener's path is not known
   */
  runtimeEnvironment(prefix: string, options: RuntimeEnvironmentOptions = {}): RuntimeEnvironment {
    if (!this.#valid) return new RuntimeEnvironment({ variables: {}, secrets: {} });
    checkEnvironmentOptions(options);
    const { subscriberEndpoint } = this.definition;
    const { path = subscriberEndpoint && literalPath(subscriberEndpoint), name = this.node.id } =
      options;
    if (subscriberEndpoint !== undefined && path === undefined) throw pathRequired(prefix);
    return new RuntimeEnvironment(
      bindingEnvironment(this.definition, prefix, {
        isUnresolved: Token.isUnresolved,
        // Whether the name may have hyphens was asked before, and the runtime does not read it.
        existingSubscription: true,
        name,
        ...(path !== undefined && { path }),
      }),
    );
  }

  #defaultName(): string {
    return `${this.node.id.replace(/[^a-zA-Z0-9]/g, "").slice(0, 56)}${shortHash(this.node.path)}`;
  }
}

function pathRequired(prefix: string): BindingConfigurationError {
  const message =
    "path is required where subscriberEndpoint is known only after deployment: say which path the " +
    `listener serves, as in runtimeEnvironment(${JSON.stringify(prefix)}, { path: "/api/events" })`;
  return new BindingConfigurationError([{ field: "path", rule: "required", message }]);
}
