import type { TerraformProvider } from "cdktf";
import type {
  BindingProps,
  InputBindingProps,
  InputOutputBindingProps,
  OutputBindingProps,
} from "cloud-eventgrid-binding-runtime/binding";
import type { EventGridIdentityProps, IWebhookApplication } from "../application/index.js";
import type { ExistingAssignment, WriterPrincipal } from "../roles/index.js";
import {
  type SubscriptionOptions,
  subscriptionOptionNames,
  type WebhookProbe,
} from "../subscription/index.js";
import type { ProviderRegistration } from "../terraform/index.js";
import type { All, Keys } from "../validation/index.js";

/** What a construct takes of a set of props whose client ID may be that of an application construct. */
type WithApplication<Props> = Props extends { cloudClientId: string }
  ?
      | (Omit<Props, "cloudClientId"> & {
          readonly cloudClientId?: never;
          /** The webhook's application; its client ID is the binding's `cloudClientId`. */
          readonly application: IWebhookApplication;
        })
      | (Props & { readonly application?: never })
  : Props;

/** What the construct needs beyond the contract, for a binding that receives events. */
export interface InputOptions extends SubscriptionOptions {
  /**
   * Who may write the event subscription, where `writer` is `"deployer"`: the pipeline's identity,
   * or a group of engineers. Each is given the app role, and the right to write event
   * subscriptions at the scope.
   *
   * @default whoever applies now. That suits a single deployer only: an apply by somebody else
   * replaces the assignment
   */
  readonly writerPrincipals?: readonly WriterPrincipal[];
  /**
   * Whether the application's service principal is looked up or made, where `cloudClientId` names
   * the application.
   *
   * @default "lookup"
   */
  readonly servicePrincipal?: "lookup" | "provision";
  /**
   * Assignments that somebody made before, which must not be made again.
   *
   * @default none
   */
  readonly existingAssignments?: readonly ExistingAssignment[];
  /**
   * Shakes hands with the webhook from where Terraform runs, before the event subscription is made
   * or its endpoint changed, and explains what is wrong.
   *
   * @default false
   */
  readonly webhookProbe?: boolean | WebhookProbe;
  /**
   * Seconds to wait until new role assignments take effect before the event subscriptions are
   * written: those of the client, where `writer` is `"client"`, and those of the identities that
   * dead-letter. 0 for none; nothing waits where no such assignment is made.
   *
   * Said explicitly, it holds for `writerPrincipals`, too: for a pipeline that gets its right to
   * write event subscriptions from the apply that makes the first one.
   *
   * @default 60
   */
  readonly roleEffectSeconds?: number;
  /**
   * Whether there are event subscriptions. Without them everything else is provisioned: the first
   * step where the webhook cannot be reached during an apply, and the last one before a binding
   * whose `writer` is `"client"` is removed from the code, because its provider goes with it.
   *
   * @default true
   */
  readonly subscribed?: boolean;
}

/** What the construct needs beyond the contract, in either direction. */
export interface CommonOptions extends EventGridIdentityProps {
  /**
   * How Event Grid is registered in the subscription: by the azurerm provider whenever Terraform
   * runs (`provider`), as a resource of the stack (`resource`), or not at all (`none`).
   *
   * @default "provider"
   */
  readonly providerRegistration?: ProviderRegistration;
  /** @default the stack's azurerm provider */
  readonly azurerm?: TerraformProvider;
  /** @default the stack's azuread provider */
  readonly azuread?: TerraformProvider;
}

/**
 * Props of {@link CloudEventGridBinding}: the binding's definition, and how it is provisioned.
 *
 * The options of the input direction are no discriminants: the compiler would misjudge a definition
 * that is spread into the props. A binding that only publishes is refused them at synthesis.
 */
export type CloudEventGridBindingProps = CommonOptions &
  InputOptions &
  (
    | (OutputBindingProps & { readonly application?: never })
    | WithApplication<InputOutputBindingProps>
    // The usual case comes last: of a union the compiler explains the last member.
    | WithApplication<InputBindingProps>
  );

/** The fields of a binding's definition, which the runtime shares; all else is the construct's own. */
export const definitionFields: Readonly<Record<Keys<BindingProps>, true>> = {
  direction: true,
  cloudEnvironment: true,
  cloudAuthorityHost: true,
  cloudTenantId: true,
  cloudSubscriptionId: true,
  cloudClientId: true,
  cloudClientSecret: true,
  subscriberEndpoint: true,
  handshakePort: true,
  scope: true,
  eventSubscriptionName: true,
  writer: true,
  topicEndpoint: true,
  publishWith: true,
  accessKey: true,
};

/** The options of the input direction. */
export const inputOptions: All<InputOptions & { application: unknown }> = {
  ...subscriptionOptionNames,
  application: true,
  writerPrincipals: { objectId: true, type: true } satisfies All<WriterPrincipal>,
  servicePrincipal: true,
  existingAssignments: true,
  webhookProbe: { timeoutSeconds: true, command: true, options: true } satisfies All<WebhookProbe>,
  roleEffectSeconds: true,
  subscribed: true,
};

/** The props of a binding. */
export const bindingProps: All<CloudEventGridBindingProps> = {
  ...definitionFields,
  ...inputOptions,
  providerRegistration: true,
  eventGridApplicationId: true,
  azurerm: true,
  azuread: true,
};
