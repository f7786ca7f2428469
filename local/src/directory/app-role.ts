/** A role that an application defines and that principals are given on its service principal. */
export interface AppRole {
  readonly id: string;
  /** What stands in the `roles` claim of a token; empty for a role that none tells. */
  readonly value: string;
  readonly displayName: string;
  readonly description: string;
  readonly allowedMemberTypes: readonly ("Application" | "User")[];
  readonly isEnabled: boolean;
}

/** The role that lets Event Grid deliver to a webhook, and a principal point a subscription at it. */
export const SECURE_WEBHOOK_ROLE = "AzureEventGridSecureWebhookSubscriber";
