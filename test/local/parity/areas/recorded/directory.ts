import { textIn } from "../../../support/management-client.js";
import { type Area, row, rowsThat } from "../../row.js";
import { GROUP, type Stage } from "../../stage.js";
import { cli, java, location, operator, PROVIDERS, propertiesOf, ROOT } from "./recordings.js";

const APPLICATION = cli("test_sp_credential", 2022, "v1.0");
const ROLES = cli("test_role_assignment_create_update", 2023, "2022-04-01");
const PROVIDER = java("canUnregisterAndRegisterProvider", 2020, "2020-06-01");
const TOPIC_TYPES = cli("test_topic_types", 2022, "2021-10-15-preview");

const NO_ROLE = "00000000-0000-0000-0000-000000000000";
const ROLE_DEFINITIONS = `${ROOT}/providers/Microsoft.Authorization/roleDefinitions`;
const roleDefinitionId = `${ROLE_DEFINITIONS}/acdd72a7-3385-48ef-bd42-f606fba81ae7`;
const NAME = "99999999-9999-4999-8999-999999999999";

/** A row about a new application with a name only. */
const application = rowsThat(async (stage) => {
  const call: Stage["call"] = (...request) => stage.call(...request);
  const answer = await call("POST", "/v1.0/applications", { displayName: "parity" });
  /** Creates the service principal. */
  const principal = () =>
    call("POST", "/v1.0/servicePrincipals", { appId: textIn(answer.body, "appId") });
  return { call, ...answer, principal };
});

/** A row about what is written in the group. */
const inGroup = rowsThat(async (stage) => {
  await stage.call("PUT", GROUP, { location });
  const call: Stage["call"] = (...request) => stage.call(...request);
  return call;
});

export const directory: Area = {
  title: "Recorded answers: Graph, roles, providers and topic types",
  rows: [
    application(APPLICATION, "An application that is created with a name only")
      .documented("for all accounts, with tokens of version 2")
      .gives(["AzureADandPersonalMicrosoftAccount", 2], ({ body }) => {
        const { signInAudience, api } = Object(body);
        return [signInAudience, api.requestedAccessTokenVersion];
      }),
    application(APPLICATION, "Every response of Graph")
      .documented(
        "`@odata.context`, `OData-Version: 4.0`, `odata.metadata=minimal`; a 201 also `Location`",
      )
      .gives(["$metadata#applications/$entity", "4.0", true, true, false], ({ body, headers }) => [
        new URL(textIn(body, "@odata.context")).href.split("/v1.0/")[1],
        headers["odata-version"],
        /^application\/json;odata.metadata=minimal/.test(String(headers["content-type"])),
        /directoryObjects\/.*\.Application$/.test(String(headers.location)),
        Object.hasOwn(Object(body), "@odata.type"),
      ]),
    application(
      APPLICATION,
      "`info` and `verifiedPublisher` of an application and its service principal",
    )
      .documented("objects with null fields; the principal has `createdDateTime`")
      .gives([[null, null], [null, null], "string"], async ({ body, principal }) => {
        const made = Object((await principal()).body);
        const texts = [Object(body), made].map(({ info, verifiedPublisher }) => [
          info.logoUrl,
          verifiedPublisher.displayName,
        ]);
        return [...texts, typeof made.createdDateTime];
      }),
    row(
      cli("test_app_scenario", 2022, "v1.0"),
      "A certificate of an application, and its optional claims",
    )
      .documented(
        "the certificate has its subject as name and its thumbprint, and never its key; a claim has all four fields",
      )
      .differs("the certificate has the name that the client wrote: none can be signed in with")
      .gives(
        [null, null, [{ name: "email", essential: false, additionalProperties: [], source: null }]],
        async (stage) => {
          const credential = { type: "AsymmetricX509Cert", usage: "Verify" };
          const { body } = await stage.call("POST", "/v1.0/applications", {
            displayName: "parity",
            keyCredentials: [{ ...credential, displayName: null, key: "MIIB" }],
            optionalClaims: { idToken: [{ name: "email", essential: false }] },
          });
          const [{ key, displayName }] = Object(body).keyCredentials;
          return [key, displayName, Object(body).optionalClaims.idToken];
        },
      ),
    application(
      { page: "graph/api/serviceprincipal-post-approleassignedto", section: "Response" },
      "The entries of `appRoleAssignedTo`",
    )
      .documented("201, with the context `appRoleAssignments/$entity`; no recording was found")
      .gives([201, "appRoleAssignments/$entity"], async ({ call, principal }) => {
        const id = textIn((await principal()).body, "id");
        const path = `/v1.0/servicePrincipals/${id}/appRoleAssignedTo`;
        const assignment = { principalId: id, resourceId: id, appRoleId: NO_ROLE };
        const { status, body } = await call("POST", path, assignment);
        return [status, textIn(body, "@odata.context").split("#")[1]];
      }),
    row(ROLES, "A built-in role")
      .documented("has `createdOn` and `updatedOn`; `createdBy` and `updatedBy` are null")
      .gives(
        ["View all resources, but does not allow you to make any changes.", "string", null, null],
        async (stage) => {
          const { body } = await stage.call(
            "GET",
            `${ROLE_DEFINITIONS}?$filter=roleName%20eq%20'reader'`,
          );
          const { description, createdOn, createdBy, updatedBy } = Object(body).value[0].properties;
          return [description, typeof createdOn, createdBy, updatedBy];
        },
      ),
    inGroup(ROLES, "A role assignment")
      .documented(
        "201 with `createdBy` null, then the principal that wrote it; fields without value are null, and absent before 2020",
      )
      .gives([201, null, true, null, null, undefined], async (call) => {
        const id = `${PROVIDERS}/Microsoft.Authorization/roleAssignments/${NAME}`;
        const principal = { principalId: NAME, principalType: "ServicePrincipal" };
        const first = await call("PUT", id, { properties: { ...principal, roleDefinitionId } });
        const last = propertiesOf(await call("GET", id));
        const old = propertiesOf(await call("GET", `${id}?api-version=2018-01-01-preview`));
        const { createdBy, updatedBy, delegatedManagedIdentityResourceId: delegated } = last;
        await call("DELETE", id);
        const isSame = createdBy === updatedBy && typeof createdBy === "string";
        const unwritten = [last.condition, delegated, old.condition];
        return [first.status, propertiesOf(first).createdBy, isSame, ...unwritten];
      }),
    inGroup(
      operator("Test_ManagedIdentity_UserAssignedIdentity_20230131_CRUD", 2026, "2023-01-31"),
      "The ID of a user-assigned identity",
    )
      .documented("with `resourcegroups` in lower case")
      .gives(true, async (call) => {
        const id = `${PROVIDERS}/Microsoft.ManagedIdentity/userAssignedIdentities/lower`;
        const { body } = await call("PUT", id, { location });
        await call("DELETE", id);
        return textIn(body, "id") === id.replace("/resourceGroups/", "/resourcegroups/");
      }),
    inGroup(
      java("canAssignRolesToIdentity", 2019, "2018-01-01-preview"),
      "A role for an identity that was just created",
    )
      .documented("400 `PrincipalNotFound` for two or three minutes")
      .differs("201 at once, so that clients do not wait")
      .gives(201, async (call) => {
        const identity = `${PROVIDERS}/Microsoft.ManagedIdentity/userAssignedIdentities/new`;
        const { principalId } = propertiesOf(await call("PUT", identity, { location }));
        const id = `${PROVIDERS}/Microsoft.Authorization/roleAssignments/${NAME.replaceAll("9", "8")}`;
        const properties = { principalId, roleDefinitionId };
        const { status } = await call("PUT", id, { properties });
        await call("DELETE", id);
        await call("DELETE", identity);
        return status;
      }),
    row(PROVIDER, "`register` of a resource provider, and the provider read")
      .documented("`Registering` for more than a minute, then `Registered`")
      .differs("`Registered` when it is read, so that clients do not wait")
      .gives(["Registering", "Registered"], async (stage) => {
        const path = `${ROOT}/providers/Microsoft.ContainerRegistry`;
        const answers = [
          await stage.call("POST", `${path}/register`),
          await stage.call("GET", path),
        ];
        return answers.map(({ body }) => textIn(body, "registrationState"));
      }),
    row(PROVIDER, "`authorizations` of a resource provider")
      .documented("the applications that get a role, for `Microsoft.EventGrid` its own")
      .differs("empty for other providers")
      .gives([[["applicationId", "roleDefinitionId"]], []], async (stage) => {
        const namesOf = async (namespace: string) => {
          const { body } = await stage.call("GET", `${ROOT}/providers/${namespace}`);
          return Object(body).authorizations.map(Object.keys);
        };
        return [await namesOf("Microsoft.EventGrid"), await namesOf("Microsoft.Storage")];
      }),
    row(TOPIC_TYPES, "A topic type")
      .documented(
        "`Microsoft.Eventhub.Namespaces`, with displayed regions and the form of a source's ID; a global type has no regions",
      )
      .gives(
        [
          [
            "Microsoft.Eventhub.Namespaces",
            "providers/Microsoft.EventGrid/topicTypes/Microsoft.Eventhub.Namespaces",
            true,
          ],
          [undefined, "/subscriptions/<subscriptionId>/resourceGroups/<resourceGroupName>"],
        ],
        async (stage) => {
          const path = "/providers/Microsoft.EventGrid/topicTypes";
          const typeNamed = async (name: string) => {
            const { body } = await stage.call("GET", `${path}/Microsoft.${name}`);
            return Object(body);
          };
          const hubs = await typeNamed("EventHub.namespaces");
          const groups = await typeNamed("Resources.ResourceGroups");
          return [
            [hubs.name, hubs.id, hubs.properties.supportedLocations.includes("West US 2")],
            [groups.properties.supportedLocations, groups.properties.sourceResourceFormat],
          ];
        },
      ),
  ],
};
