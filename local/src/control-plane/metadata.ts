import { type Route, sendJson } from "../http/index.js";
import { locations } from "./locations.js";

/**
 * Where the services of this cloud are: what a Terraform provider asks first, at the host that
 * `ARM_METADATA_HOSTNAME` names. Needs no token.
 */
export function metadataRoute(): Route {
  return (exchange) => {
    const { method, url, origin } = exchange;
    if (method !== "GET" || url.pathname !== "/metadata/endpoints") return false;
    const version = url.searchParams.get("api-version") ?? "";
    sendJson(exchange, 200, answerOf(version, origin, url.host));
    return true;
  };
}

/** Before 2022 it was a list of clouds, and before 2019 something else altogether. */
function answerOf(version: string, origin: string, host: string) {
  if (version < "2019") return olderMetadata(host);
  return version < "2022" ? [metadata(origin)] : metadata(origin);
}

/** The providers join a path to `resourceManager` without looking: no slash at its end. */
function metadata(origin: string) {
  return {
    name: "AzureCloud",
    resourceManager: origin,
    microsoftGraphResourceId: origin,
    authentication: {
      loginEndpoint: origin,
      audiences: ["https://management.core.windows.net/"],
      tenant: "common",
      identityProvider: "AAD",
    },
    suffixes: {
      keyVaultDns: "vault.localhost",
      storage: "core.localhost",
    },
  };
}

/** What the version of 2018 answers: the azurerm provider reads from it which locations there are. */
function olderMetadata(host: string) {
  return { cloudEndpoint: { public: { endpoint: host, locations } } };
}
