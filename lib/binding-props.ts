import type { TerraformProvider } from "cdktf";
import type {
  InputBindingProps,
  InputOutputBindingProps,
  OutputBindingProps,
} from "cloud-eventgrid-binding-runtime/binding";
import type { EventGridIdentityProps } from "./event-grid-principal.js";
import type { IWebhookApplication } from "./i-webhook-application.js";
import type { ProviderRegistration } from "./provider-registration.js";
import type { WebhookProbe } from "./readiness-probe.js";
import type { SubscriptionSettings } from "./subscription-settings.js";
import type { WriterPrincipal } from "./writers.js";

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
export interface InputOptions extends SubscriptionSettings, ExistingSubscriptionOptions {
  /**
   * More resources to receive events from, each with an event subscription of its own. The keys
   * name them within the binding.
   *
   * @default only `scope`
   */
  readonly additionalScopes?: Readonly<Record<string, string | AdditionalScope>>;
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

/**
 * A further resource to receive events from.
 *
 * Which of its events are delivered is said here alone (`includedEventTypes`, `subjectFilter`,
 * `advancedFilters`, `filterArrays`): the binding's own belong to its `scope`. Without event types,
 * the binding's `events` are taken. All other settings that are left out are the binding's own.
 */
export interface AdditionalScope extends SubscriptionSettings, ExistingSubscriptionOptions {
  /** Resource whose events are received, too: an ID of the four shapes of `scope`. */
  readonly scope: string;
  /** @default the name of the binding's own event subscription */
  readonly eventSubscriptionName?: string;
}

/** How an event subscription is taken over that was made by other means. */
export interface ExistingSubscriptionOptions {
  /**
   * The event subscription was there before: made by a sidecar, or left behind by a failed
   * handshake. Its name may have hyphens.
   *
   * `"adopt"` imports it and updates it at once, so that the handshake happens. Say `"adopted"` as
   * soon as that is applied: an import that stays in the code breaks a later plan from scratch.
   *
   * @default the event subscription is made here
   */
  readonly existingSubscription?: "adopt" | "adopted";
  /**
   * Label that an adopted subscription gets, so that there is something to update: an import alone
   * never shakes hands. A new label makes Event Grid shake hands again.
   *
   * @default "adopted"
   */
  readonly adoptionLabel?: string;
}

/**
 * An assignment that exists already: the app role of Event Grid (`eventGrid`), of the application
 * itself (`client`) or of the writers (`writers`), the right of the client or the writers to write
 * event subscriptions at the scope (`clientAtScope`, `writersAtScope`), or the right of the
 * identities that dead-letter to write into their containers (`deadLetter`).
 */
export type ExistingAssignment =
  | "eventGrid"
  | "client"
  | "writers"
  | "clientAtScope"
  | "writersAtScope"
  | "deadLetter";

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
