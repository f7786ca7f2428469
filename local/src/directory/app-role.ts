/** A role that an application defines, for assignment to principals on its service principal. */
export interface AppRole {
  readonly id: string;
  /** The value in the `roles` claim of tokens. A role with an empty value is not in tokens. */
  readonly value: string;
  readonly displayName: string;
  readonly description: string;
  readonly allowedMemberTypes: readonly ("Application" | "User")[];
  readonly isEnabled: boolean;
}

/** The role that Event Grid needs to deliver to a webhook, and a principal to subscribe it. */
export const SECURE_WEBHOOK_ROLE = "AzureEventGridSecureWebhookSubscriber";
