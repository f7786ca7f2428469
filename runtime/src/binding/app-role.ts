/** App role that Event Grid's service principal and the writers of a subscription must hold. */
export const SECURE_WEBHOOK_ROLE = "AzureEventGridSecureWebhookSubscriber";
