/** The Azure cloud of a binding, by the short name that the Terraform providers use. */
export type CloudEnvironmentName = "public" | "usgovernment" | "china";

/** The names and IDs of Event Grid and Entra that differ between the clouds. */
export interface CloudEnvironment {
  readonly name: CloudEnvironmentName;
  /** Base URL of Entra's metadata, signing keys and tokens, without a trailing slash. */
  readonly authorityHost: string;
  /** Base of the `iss` of v1 access tokens, without a trailing slash. */
  readonly v1IssuerBase: string;
  /** Origins that Event Grid sends in `WebHook-Request-Origin` during the handshake. */
  readonly handshakeOrigins: readonly string[];
  /**
   * Application ID of Event Grid's first-party application, the caller of every delivery.
   * Microsoft does not publish the one of the China cloud.
   */
  readonly eventGridApplicationId?: string;
  /** Entra scope of a token that publishes to a topic. */
  readonly publishScope: string;
}

/** The three clouds of Azure. */
export const cloudEnvironments: {
  readonly [Name in CloudEnvironmentName]: CloudEnvironment & { readonly name: Name };
} = {
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

/** App role that Event Grid's service principal and the writers of a subscription must hold. */
export const SECURE_WEBHOOK_ROLE = "AzureEventGridSecureWebhookSubscriber";
