import type { EventgridEventSubscription } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import {
  Fn,
  type ITerraformDependable,
  TerraformDataSource,
  TerraformModule,
  type TerraformProvider,
  TerraformResource,
  Token,
} from "cdktf";
import {
  type BindingProps,
  bindingEnvironment,
  type ResolvedBinding,
  resolveBinding,
  validateBinding,
} from "cloud-eventgrid-binding-runtime/binding";
import { Construct, type IConstruct } from "constructs";
import { type CloudEventGridBindingProps, contractOf, type InputOptions } from "./binding-props.js";
import { clientProvider, waitForRoles } from "./client-writer.js";
import { Dependencies } from "./dependencies.js";
import { identityOf, shortHash } from "./deterministic-id.js";
import { eventSubscription } from "./event-subscription.js";
import { ExistingWebhookApplication } from "./existing-webhook-application.js";
import type { IWebhookApplication } from "./i-webhook-application.js";
import { preconditions } from "./preconditions.js";
import { registerEventGrid } from "./provider-registration.js";
import { probeWebhook } from "./readiness-probe.js";
import { type AzureRoleAssignment, grantAzureRole } from "./role-assignment.js";
import { RuntimeEnvironment } from "./runtime-environment.js";
import { StackParts } from "./stack-parts.js";
import { literalPath, registeredUrl } from "./webhook-url.js";
import { assignAppRoleToWriters, principalTypes } from "./writers.js";

/** What a service is told beyond the props. */
export interface RuntimeEnvironmentOptions {
  /**
   * Path that the listener serves. Needed where the path of `subscriberEndpoint` is known only
   * after deployment, and where a gateway rewrites the public path.
   *
   * @default the path of `subscriberEndpoint`
   */
  readonly path?: string;
  /**
   * What the binding is called: the default `source` of the events it publishes.
   *
   * @default the construct's id
   */
  readonly name?: string;
}

type InputHalf = Extract<ResolvedBinding, { readonly cloudTenantId: string }>;

/**
 * Provisions a binding: what a person would otherwise set up by hand so that Event Grid delivers to
 * a webhook, and what the service must be told to serve it and to publish.
 */
export class CloudEventGridBinding extends Construct {
  /** The webhook's application; undefined for a binding that only publishes. */
  readonly application: IWebhookApplication | undefined;
  /** The event subscriptions: that of `scope`, then those of `additionalScopes`. */
  readonly subscriptions: readonly EventgridEventSubscription[] = [];
  readonly #contract: BindingProps;
  readonly #valid: boolean;
  readonly #beforeHandshake = new Dependencies();

  constructor(scope: Construct, id: string, props: CloudEventGridBindingProps) {
    super(scope, id);
    this.#contract = contractOf(props);
    const problems = validateBinding(this.#contract, { isUnresolved: Token.isUnresolved });
    this.node.addValidation({ validate: () => problems.map(({ message }) => message) });
    this.#valid = problems.length === 0;
    if (!this.#valid) return;

    const resolved = resolveBinding(this.#contract, { isUnresolved: Token.isUnresolved });
    const checked = preconditions(this, this.#contract);
    if (resolved.direction === "output") return;
    if (props.scope === undefined) return;
    this.application = props.application ?? this.#existingApplication(props);
    this.subscriptions = this.#receive(resolved, props, this.application, checked);
  }

  /**
   * Has the event subscription wait for whatever serves the webhook, because Event Grid shakes hands
   * with it as soon as the subscription is made.
   */
  waitFor(...targets: readonly (IConstruct | ITerraformDependable)[]): void {
    for (const target of targets) {
      if (!Construct.isConstruct(target)) this.#beforeHandshake.add(target);
      else this.#beforeHandshake.addLater(() => target.node.findAll().filter(isDependable));
    }
  }

  /**
   * What the service needs in its environment for `bindingFromEnvironment(prefix)`.
   *
   * It names nothing of the webhook's public address but the path, so that a compute resource can
   * take it before its own host name is known.
   *
   * @throws {BindingConfigurationError} for a prefix that is not in upper snake case, and where the
   * listener's path is not known
   */
  runtimeEnvironment(prefix: string, options: RuntimeEnvironmentOptions = {}): RuntimeEnvironment {
    if (!this.#valid) return new RuntimeEnvironment({ variables: {}, secrets: {} });
    const { subscriberEndpoint } = this.#contract;
    const path = options.path ?? (subscriberEndpoint && literalPath(subscriberEndpoint));
    return new RuntimeEnvironment(
      bindingEnvironment(this.#contract, prefix, {
        isUnresolved: Token.isUnresolved,
        name: options.name ?? this.node.id,
        ...(path !== undefined && { path }),
      }),
    );
  }

  #receive(
    binding: InputHalf,
    props: CloudEventGridBindingProps & InputOptions,
    application: IWebhookApplication,
    checked: ITerraformDependable | undefined,
  ): EventgridEventSubscription[] {
    const before = this.#beforeHandshake;
    if (props.providerRegistration !== "none") registerEventGrid(this, props.azurerm);
    const scope = normalisedScope(binding.scope);
    const grants = this.#grantAtScope(scope, binding, props, application);
    for (const { resource, dependencies } of grants) {
      before.add(resource);
      if (checked) dependencies.add(checked);
    }
    before.add(...(checked ? [checked] : []), ...application.subscriberRole.assignments);
    let provider: TerraformProvider | undefined = props.azurerm;
    if (binding.writer === "client") {
      provider = clientProvider(this, binding);
      const wait = waitForRoles(
        this,
        props.roleEffectSeconds ?? 60,
        grants.map(({ resource }) => resource),
      );
      before.add(wait);
    } else
      before.add(
        ...assignAppRoleToWriters(this, application, props.writerPrincipals, props.azurerm),
      );
    const url = registeredUrl(binding.subscriberEndpoint);
    const probed = this.#probe(url, props);
    const includedEventTypes = props.includedEventTypes ?? props.events?.types;
    const subscription = eventSubscription(
      this,
      "subscription",
      {
        name: binding.eventSubscriptionName ?? this.#defaultName(),
        scope,
        url,
        tenantId: binding.cloudTenantId,
        clientId: binding.cloudClientId,
        provider,
      },
      { ...props, ...(includedEventTypes && { includedEventTypes }) },
    );
    subscription.dependsOn = (probed ?? before).list;
    return [subscription];
  }

  #grantAtScope(
    scope: string,
    binding: InputHalf,
    { azurerm, writerPrincipals = [] }: CloudEventGridBindingProps & InputOptions,
    application: IWebhookApplication,
  ): AzureRoleAssignment[] {
    const grant = {
      role: "EventGrid EventSubscription Contributor",
      scope,
      subscriptionId: binding.cloudSubscriptionId,
      azurerm,
    } as const;
    return [
      grantAzureRole(this, {
        ...grant,
        principalId: application.principalId,
        principalType: "ServicePrincipal",
        description: "The webhook's application writes event subscriptions at this scope",
      }),
      ...writerPrincipals.map(({ objectId, type }) =>
        grantAzureRole(this, {
          ...grant,
          principalId: objectId,
          principalType: principalTypes[type],
          description: "Writes event subscriptions at this scope",
        }),
      ),
    ];
  }

  #probe(url: string, { webhookProbe }: InputOptions): Dependencies | undefined {
    if (!webhookProbe) return undefined;
    const probe = probeWebhook(this, url, webhookProbe === true ? {} : webhookProbe);
    probe.dependsOn = this.#beforeHandshake.list;
    const after = new Dependencies();
    after.add(probe);
    return after;
  }

  /** One construct for all the bindings of the stack that name the same application. */
  #existingApplication(props: CloudEventGridBindingProps & InputOptions): IWebhookApplication {
    const parts = StackParts.of(this);
    const clientId = props.cloudClientId ?? "";
    const key = Token.isUnresolved(clientId) ? shortHash(identityOf(this, clientId)) : clientId;
    const suffix = props.azuread?.alias === undefined ? "" : `-${props.azuread.alias}`;
    return parts.applications.get(`${key}${suffix}`, () => {
      const { servicePrincipal, azuread, cloudEnvironment, eventGridApplicationId } = props;
      return new ExistingWebhookApplication(parts, `application-${key}${suffix}`, {
        clientId,
        ...(servicePrincipal && { servicePrincipal }),
        ...(azuread && { azuread }),
        ...(cloudEnvironment && { cloudEnvironment }),
        ...(eventGridApplicationId !== undefined && { eventGridApplicationId }),
      });
    });
  }

  #defaultName(): string {
    return `${this.node.id.replace(/[^a-zA-Z0-9]/g, "").slice(0, 56)}${shortHash(this.node.path)}`;
  }
}

function isDependable(target: IConstruct): target is IConstruct & ITerraformDependable {
  return (
    TerraformResource.isTerraformResource(target) ||
    TerraformDataSource.isTerraformDataSource(target) ||
    target instanceof TerraformModule
  );
}

function normalisedScope(scope: string): string {
  return Token.isUnresolved(scope) ? `/${Token.asString(Fn.trim(scope, "/"))}` : scope;
}
