/** The Azure cloud that a binding lives in, by the short name the Terraform providers use. */
export type CloudEnvironmentName = "public" | "usgovernment" | "china";

/** What differs between the clouds, as far as Event Grid and its identities are concerned. */
export interface CloudEnvironment {
  readonly name: CloudEnvironmentName;
  /** Entra's base URL, without a trailing slash: metadata, signing keys and tokens live below it. */
  readonly authorityHost: string;
  /** Base of the `iss` of v1 access tokens, without a trailing slash. */
  readonly v1IssuerBase: string;
  /** Origins that Event Grid names in `WebHook-Request-Origin` when it shakes hands. */
  readonly handshakeOrigins: readonly string[];
  /**
   * Application ID of Event Grid's own first-party application, the caller of every delivery.
   * Not published for the China cloud: there it has to be configured.
   */
  readonly eventGridApplicationId?: string;
  /** Entra scope of a token that publishes to a topic. */
  readonly publishScope: string;
}

/** The three clouds. */
export const cloudEnvironments: Readonly<Record<CloudEnvironmentName, CloudEnvironment>> = {
  public: {
    name: "public",
    authorityHost: "https://login.microsoftonline.com",
    v1IssuerBase: "https://sts.windows.net",
    handshakeOrigins: ["eventgrid.azure.net"],
    eventGridApplicationId: "4962773b-9cdb-44cf-a8bf-237846a00ab7",
    publishScope: "https://eventgrid.azure.net/.default",
  },
  usgovernment: {
    name: "usgovernment",
    authorityHost: "https://login.microsoftonline.us",
    v1IssuerBase: "https://sts.windows.net",
    handshakeOrigins: ["eventgrid.azure.us"],
    eventGridApplicationId: "54316b56-3481-47f9-8f30-0300f5542a7b",
    publishScope: "https://eventgrid.azure.us/.default",
  },
  china: {
    name: "china",
    authorityHost: "https://login.partner.microsoftonline.cn",
    v1IssuerBase: "https://sts.chinacloudapi.cn",
    handshakeOrigins: ["eventgrid.azure.cn"],
    publishScope: "https://eventgrid.azure.cn/.default",
  },
};

/** App role that Event Grid's service principal, and whoever writes a subscription, must hold. */
export const SECURE_WEBHOOK_ROLE = "AzureEventGridSecureWebhookSubscriber";

/** Whether a value is the short name of a cloud. */
export function isCloudEnvironmentName(value: unknown): value is CloudEnvironmentName {
  return typeof value === "string" && Object.hasOwn(cloudEnvironments, value);
}
