import {
  type BindingField,
  bindingFields,
  definitionFields,
  type InputBindingProps,
  type InputOutputBindingProps,
  type OutputBindingProps,
} from "cloud-eventgrid-binding-runtime/internal";
import type { IWebhookApplication } from "../application/index.js";
import type { ExistingAssignment, WriterPrincipal } from "../roles/index.js";
import type { SubscriptionOptions } from "../subscription/index.js";
import type { CloudEventGridTopicProps } from "../topic/index.js";

/** The webhook's application by its client ID. The compiler shows this name if both are missing. */
interface ClientIdUnlessApplication {
  /** Client ID of the existing application that deliveries are authenticated with. */
  readonly cloudClientId: string;
  readonly application?: never;
}

interface ApplicationInsteadOfClientId {
  readonly cloudClientId?: never;
  /** The webhook's application. Its client ID becomes the binding's `cloudClientId`. */
  readonly application: IWebhookApplication;
}

/** Props whose client ID may come from an application construct instead. */
type WithApplication<Props> = Props extends { cloudClientId: string }
  ?
      | (ClientIdUnlessApplication & Omit<Props, "cloudClientId">)
      | (ApplicationInsteadOfClientId & Omit<Props, "cloudClientId">)
  : Props;

/** Options of a binding that receives events, beyond its definition. */
export interface InputProvisioningOptions extends SubscriptionOptions {
  /**
   * Who may write the event subscription when `writer` is `"deployer"`: the pipeline's identity, or a
   * group of engineers. Each gets the app role, and the right to write event subscriptions at the
   * scope.
   *
   * @default the identity that applies. That suits a single deployer only, because an apply by another
   * identity replaces the assignment
   */
  readonly writerPrincipals?: readonly WriterPrincipal[];
  /**
   * Assignments that exist already and must not be created again.
   *
   * @default none
   */
  readonly existingAssignments?: readonly ExistingAssignment[];
  /**
   * Whether to probe the webhook from the machine that runs Terraform, before the event subscription
   * is created or its endpoint is changed. The probe waits up to five minutes for a webhook that is
   * still starting, and explains what is wrong with it. It runs the package `cloud-eventgrid` in
   * `node_modules` of the folder where Terraform runs, or of one above it. Nothing is downloaded:
   * synthesis warns when it is not installed.
   *
   * @default false
   */
  readonly webhookProbe?: boolean;
  /**
   * Seconds to wait for new role assignments to take effect before the event subscriptions are
   * written: those of the client when `writer` is `"client"`, and those of identities that
   * dead-letter. 0 disables the wait.
   *
   * If set explicitly, it also applies to the assignments of `writerPrincipals`: for a pipeline that
   * gets its right to write event subscriptions in the same apply.
   *
   * @default 60
   */
  readonly roleEffectSeconds?: number;
  /**
   * Whether to create the event subscriptions. `false` provisions everything else: as a first step if
   * the webhook is not reachable during an apply, and as the last step before a binding whose
   * `writer` is `"client"` is removed from the code, because its provider is removed with it.
   *
   * @default true
   */
  readonly subscribed?: boolean;
  /**
   * Whether Terraform refuses plans that would destroy or replace an event subscription and lose the
   * events that it still retries (`prevent_destroy`). It cannot refuse one for a binding that is no
   * longer in the code. Not with `subscribed: false`.
   *
   * @default false
   */
  readonly protect?: boolean;
}

/** Options of a binding in either direction, beyond its definition. */
export interface ProvisioningOptions
  extends Pick<CloudEventGridTopicProps, "providerRegistration" | "azurerm"> {}

/**
 * Props of {@link CloudEventGridBinding}: the binding's definition, and how it is provisioned.
 *
 * Options of the input direction are allowed here in every case, because the compiler would otherwise
 * reject a definition that is spread into the props. A binding that only publishes refuses them at
 * synthesis.
 */
export type CloudEventGridBindingProps = ProvisioningOptions &
  InputProvisioningOptions &
  (
    | (OutputBindingProps & { readonly application?: never })
    | WithApplication<InputOutputBindingProps>
    // The usual case comes last, because the compiler explains the last member of a union.
    | WithApplication<InputBindingProps>
  );

/** A binding's definition that is not validated yet. */
export type GivenDefinition = Partial<Record<BindingField, string>>;

/**
 * The definition within the props.
 *
 * @param defaultName of the event subscription, if there is to be one
 */
export function definitionOf(
  props: CloudEventGridBindingProps,
  defaultName: string,
): GivenDefinition {
  const set = Object.entries(props).filter(
    ([name, value]) => definitionNames.has(name) && value !== undefined,
  );
  const definition: GivenDefinition = Object.fromEntries(set);
  if (props.application !== undefined) definition.cloudClientId = props.application.clientId;
  if (definition.scope !== undefined) definition.eventSubscriptionName ??= defaultName;
  return definition;
}

const definitionNames: ReadonlySet<string> = new Set(
  definitionFields(bindingFields).map(({ name }) => name),
);
