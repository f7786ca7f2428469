import { textIn } from "../../../support/management-client.js";
import { type Area, rowsThat, type Source } from "../../row.js";
import { refusalOf } from "./writes.js";

const APPLICATION: Source = { page: "graph/api/resources/application", section: "Properties" };

/** A row about the response to the creation of an application in Graph. */
const application = rowsThat((stage, properties?: object) =>
  stage.call("POST", "/v1.0/applications", { displayName: "parity", ...properties }),
);

const credential = {
  name: "main",
  issuer: "https://token.actions.githubusercontent.com",
  subject: "repo:shop/orders:ref:refs/heads/main",
  audiences: ["api://AzureADTokenExchange"],
};

/** A row about the second of two federated credentials, which has these properties of the first. */
const secondCredential = rowsThat(async (stage, change?: object) => {
  const { body } = await stage.call("POST", "/v1.0/applications", { displayName: "parity" });
  const path = `/v1.0/applications/${textIn(body, "id")}/federatedIdentityCredentials`;
  await stage.call("POST", path, credential);
  return stage.call("POST", path, { ...credential, ...change });
});

const group = rowsThat((stage, properties?: object) =>
  stage.call("POST", "/v1.0/groups", { displayName: "parity", ...properties }),
);

/** A row about the response to a `GET`. */
const get = rowsThat((stage, path?: string) => stage.call("GET", path ?? ""));

export const graphRefusals: Area = {
  title: "What Microsoft Graph refuses",
  rows: [
    application(
      {
        page: "https://github.com/pnp/PnP-Sites-Core/issues/1807",
        section: "the reported error",
      },
      "An object of Graph with a property that does not exist",
    )
      .documented("400 `Request_BadRequest`, “Invalid property 'responseHeaders'.”")
      .with({ responseHeaders: {} })
      .gives("Invalid property 'responseHeaders'.", ({ body }) => textIn(body, "error", "message")),
    application(APPLICATION, 'An application with `identifierUris: "x"`')
      .documented("a collection of strings; the text of the refusal is open")
      .unknown("400 `Request_BadRequest`, which names the property and its type")
      .with({ identifierUris: "x" })
      .gives([400, "Request_BadRequest"], refusalOf),
    secondCredential(
      {
        page: "https://github.com/Azure/azure-dev/issues/1482",
        section: "the reported error",
      },
      "A second federated credential with the same name",
    )
      .documented("409 `Request_MultipleObjectsWithSameKeyValue`")
      .gives([409, "Request_MultipleObjectsWithSameKeyValue"], refusalOf),
    secondCredential(
      {
        page: "https://github.com/Azure/azure-workload-identity/issues/434",
        section: "the reported error",
      },
      "A second federated credential with the same issuer and subject",
    )
      .documented("400 `InvalidFederatedIdentityCredentialValue`")
      .with({ name: "other" })
      .gives([400, "InvalidFederatedIdentityCredentialValue"], refusalOf),
    group(
      { page: "graph/api/group-post-groups", section: "Request body" },
      "A group without a `mailNickname`",
    )
      .documented("required; the text of the refusal is open")
      .unknown("400 `Request_BadRequest`, which names the property")
      .with({ mailEnabled: false, securityEnabled: true })
      .gives([400, "Request_BadRequest"], refusalOf),
    group(
      { page: "graph/api/group-post-groups", section: "Request body" },
      "A security group, and its members",
    )
      .documented("201; members are added later")
      .differs("201; members are not kept, and adding one is refused")
      .with({ mailEnabled: false, mailNickname: "parity", securityEnabled: true })
      .gives(201, refusalOf),
    get({ page: "graph/api/domain-list", section: "HTTP request" }, "The domains of the tenant")
      .documented("200")
      .with("/v1.0/domains")
      .gives(200, refusalOf),
    get(
      {
        page: "https://github.com/microsoftgraph/microsoft-graph-docs/issues/21648",
        section: "the reported error",
      },
      "A path with a segment that Graph does not have",
    )
      .documented("400 `BadRequest`, “Resource not found for the segment …”")
      .with("/v1.0/wizards")
      .gives([400, "BadRequest"], refusalOf),
    get(
      {
        page: "https://github.com/microsoftgraph/microsoft-graph-docs/issues/21648",
        section: "the reported error",
      },
      "A path that Graph has, and the local one has not",
    )
      .documented("200, or 403 without the right")
      .differs("400 `BadRequest`, as for a segment that Graph does not have")
      .with("/v1.0/devices")
      .gives([400, "BadRequest"], refusalOf),
  ],
};
