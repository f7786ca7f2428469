import { parameterIn } from "../base/index.js";
import { type Route, sendJson } from "../http/index.js";
import { locations } from "../resource-manager/index.js";

/**
 * The addresses of the cloud's services. Clients request them first, without a token; Terraform
 * providers from the host in `ARM_METADATA_HOSTNAME`.
 */
export function metadataRoute(): Route {
  return (exchange) => {
    const { method, url, origin } = exchange;
    if (method !== "GET" || url.pathname !== "/metadata/endpoints") return false;
    const version = parameterIn(url.searchParams, "api-version");
    sendJson(exchange, 200, answerOf(version, origin, url.host));
    return true;
  };
}

/** Before 2022 the document was a list of clouds, and before 2019 it had other forms. */
function answerOf(version: string, origin: string, host: string) {
  if (version < "2018") return firstMetadata(origin);
  if (version < "2019") return olderMetadata(host);
  return version < "2022" ? [metadata(origin)] : metadata(origin);
}

/** No slash at the end of `resourceManager`: providers append a path to it. */
function metadata(origin: string) {
  return {
    // Clients treat the name AzureCloud specially: az then signs in at login.microsoftonline.com.
    name: "LocalAzure",
    resourceManager: origin,
    microsoftGraphResourceId: origin,
    graphAudience: origin,
    authentication: {
      loginEndpoint: origin,
      audiences: ["https://management.core.windows.net/"],
      tenant: "common",
      identityProvider: "AAD",
    },
    suffixes: {
      keyVaultDns: "vault.localhost",
      // As in the endpoints of storage accounts: azurerm fails to read containers of another domain.
      storage: "core.windows.net",
    },
  };
}

/** The version of 2015, which `az cloud register` reads. */
function firstMetadata(origin: string) {
  const { graphAudience, authentication } = metadata(origin);
  return {
    galleryEndpoint: origin,
    graphEndpoint: graphAudience,
    portalEndpoint: origin,
    authentication,
  };
}

/** The version of 2018, from which the azurerm provider reads the locations. */
function olderMetadata(host: string) {
  return { cloudEndpoint: { public: { endpoint: host, locations } } };
}
