import { describe, expect, it } from "vitest";
import { type Attributes, effects, EVENT_GRID as PUBLISHER } from "../world.js";
import { GROUP, LATER, of, only, planWith, type Sets, same, setsPlan } from "./changed-world.js";
import { update } from "./rights.js";

const IDENTITY = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/p`;
const APPLICATION = "/applications/aaaaaaaa-0000-4000-8000-00000000000a";
const CLIENT = "aaaaaaaa-0000-4000-8000-00000000000c";
const trust = { issuer: "https://oidc.example.com", subject: "system:serviceaccount:shop:orders" };
const audience = ["api://AzureADTokenExchange"];

const identity: Sets = {
  "azurerm_user_assigned_identity.p": same({ id: IDENTITY, principal_id: PUBLISHER }),
};
const application = { id: APPLICATION, client_id: CLIENT, password: [{ key_id: "1" }] };
const principal = {
  ...{ id: `/servicePrincipals/${PUBLISHER}`, object_id: PUBLISHER, client_id: CLIENT },
  account_enabled: true,
};
const registered: Sets = {
  "azuread_application.p": same(application),
  "azuread_service_principal.p": same(principal),
};
const ofApplication = { application_id: APPLICATION, key_id: "1" };
const ofPrincipal = { service_principal_id: `/servicePrincipals/${PUBLISHER}`, key_id: "1" };
const federated = "Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials";

/** What a publisher signs in with, and the attributes whose change makes it another credential. */
const credentials: readonly (readonly [string, Sets, Attributes, agreed: readonly string[]])[] = [
  [
    "azurerm_federated_identity_credential.c",
    identity,
    { ...trust, audience, parent_id: IDENTITY },
    ["issuer", "subject", "audience"],
  ],
  [
    "azurerm_federated_identity_credential.c",
    identity,
    { ...trust, audience, user_assigned_identity_id: IDENTITY.toUpperCase() },
    ["subject"],
  ],
  [
    "azapi_resource.c",
    identity,
    {
      ...{ type: `${federated}@2024-11-30`, parent_id: IDENTITY },
      body: { properties: { ...trust, audiences: audience } },
    },
    ["body"],
  ],
  [
    "azuread_application_federated_identity_credential.c",
    registered,
    { ...trust, audiences: audience, application_id: APPLICATION },
    ["issuer", "subject", "audiences"],
  ],
  [
    "azuread_application_flexible_federated_identity_credential.c",
    registered,
    { ...trust, claims_matching_expression: "1", application_id: APPLICATION },
    ["issuer", "claims_matching_expression"],
  ],
  ["azuread_application_password.c", registered, ofApplication, []],
  ["azuread_application_certificate.c", registered, ofApplication, []],
  ["azuread_service_principal_password.c", registered, ofPrincipal, []],
  ["azuread_service_principal_certificate.c", registered, ofPrincipal, []],
  // Of an application in another plan, nobody knows whose principal publishes.
  ["azuread_application_password.c", {}, { application_id: "/applications/elsewhere" }, []],
];

const SHOP = "azurerm_eventgrid_topic.shop";
/** A plan with nothing of the deployment but a topic, and the right to publish to it. */
const planOfTopic = (sets: Sets) =>
  setsPlan({ ...only(SHOP, "azurerm_role_assignment.publisher"), ...sets });
const signsIn = `${PUBLISHER} may no longer sign in to publish`;

/** What is said of the publisher. */
const saidOf = async (plan: string) =>
  (await effects(plan))
    .filter((text) => text.includes(" publish"))
    .map((text) => text.replace(/ \(.*/, ""));

describe("what a publisher signs in with", () => {
  it.each(credentials)("is missed: %s %#", async (address, owners, side, agreed) => {
    const changed = (actions: string[], after: Attributes | null) => {
      const plan = JSON.parse(planOfTopic({ ...owners, [address]: [side, after] }));
      const { change } = plan.resource_changes.at(-1);
      change.actions = actions;
      if (actions.join() === "create") change.before = null;
      return saidOf(JSON.stringify(plan));
    };
    const missing = `unknown role ${address}: ${signsIn}`;
    expect(await changed(["delete"], null)).toEqual([missing]);
    expect(await changed(["delete", "create"], side)).toEqual([
      `unknown role ${address}: ${PUBLISHER} may no longer publish for a moment`,
    ]);
    for (const name of agreed) {
      for (const value of [LATER, { properties: { issuer: "another" } }]) {
        expect(await changed(["update"], { ...side, [name]: value })).toEqual([missing]);
      }
    }
    expect(await changed(["create", "delete"], { ...side, key_id: "2" })).toEqual([]);
    expect(await changed(["update"], { ...side, display_name: "x" })).toEqual([]);
    expect(await changed(["forget"], null)).toEqual([]);
    expect(await changed(["create"], side)).toEqual([]);
  });

  const withoutKeys: Sets = {
    [SHOP]: same({ ...of(SHOP), local_auth_enabled: false }),
  };
  const job = (address: string, identity_ids: string[]) => ({
    "azurerm_container_app_job.j": [
      { id: "/j", identity: [{ type: "UserAssigned", identity_ids: [IDENTITY, "/other"] }] },
      { id: "/j", identity: [{ type: "UserAssigned", identity_ids }] },
    ] as const,
    [address]: same(Object(identity[address])[0]),
  });
  const trusting = { properties: { subject: "another" } };
  const policy = (name: string) => ({
    state: "enabled",
    conditions: [{ clients: [{ [name]: [PUBLISHER] }], locations: [{ excluded: ["office"] }] }],
  });
  const policyFor = (name: string, more: object = {}): Sets => ({
    "azuread_conditional_access_policy.b": [null, { ...policy(name), ...more }],
  });
  const forAll = {
    conditions: [{ clients: [{ included_service_principals: ["ServicePrincipalsInMyTenant"] }] }],
  };
  const [clients] = forAll.conditions[0]?.clients ?? [];
  const butIt = {
    conditions: [{ clients: [{ ...clients, excluded_service_principals: [PUBLISHER] }] }],
  };
  const office = { id: "office", ip: [{ ip_ranges: ["20.9.9.0/24"] }] };
  const locationOf = (name: string, after: object | null): Sets => ({
    ...registered,
    "azuread_conditional_access_policy.b": same(policy(name)),
    "azuread_named_location.b": [office, after && { ...office, ...after }],
  });
  it.each(
    Object.entries<readonly [Sets, string?]>({
      "its service principal is disabled": [
        {
          ...registered,
          ...withoutKeys,
          "azuread_service_principal.p": [principal, { ...principal, account_enabled: false }],
        },
        `lost role azuread_service_principal.p: ${signsIn}`,
      ],
      "its service principal may be disabled": [
        {
          ...registered,
          "azuread_service_principal.p": [principal, { ...principal, account_enabled: LATER }],
        },
        `unknown role azuread_service_principal.p: ${signsIn}`,
      ],
      "its application is destroyed": [
        { ...registered, ...withoutKeys, "azuread_application.p": [application, null] },
        `lost role azuread_application.p: ${signsIn}`,
      ],
      "its application has another password": [
        {
          ...registered,
          "azuread_application.p": [application, { ...application, password: [{ key_id: "2" }] }],
        },
        `unknown role azuread_application.p: ${signsIn}`,
      ],
      "a service loses the identity": [
        job("azurerm_user_assigned_identity.p", ["/other"]),
        `unknown role azurerm_container_app_job.j: ${signsIn}`,
      ],
      "azapi changes whom its identity trusts": [
        {
          ...identity,
          ...update(federated, `${IDENTITY}/federatedIdentityCredentials/c`, trusting),
        },
        `unknown role azapi_update_resource.u: ${signsIn}`,
      ],
      "azapi changes whom another identity trusts": [
        {
          ...identity,
          "azurerm_user_assigned_identity.o": same({ id: `${IDENTITY}2`, principal_id: "o" }),
          ...update(federated, `${IDENTITY}2/federatedIdentityCredentials/c`, trusting),
        },
      ],
      "a policy of conditional access is about its principal": [
        { ...registered, ...policyFor("included_service_principals") },
        `unknown role azuread_conditional_access_policy.b: ${signsIn}`,
      ],
      "a policy of conditional access is about all service principals": [
        { ...registered, ...policyFor("", forAll) },
        `unknown role azuread_conditional_access_policy.b: ${signsIn}`,
      ],
      "such a policy is about one of another plan, too": [
        policyFor("", forAll),
        `unknown role azuread_conditional_access_policy.b: ${signsIn}`,
      ],
      "a policy for all others comes": [{ ...registered, ...policyFor("", butIt) }],
      "a policy for all others than one of another plan comes": [policyFor("", butIt)],
      "a policy for all others is about its principal, too": [
        {
          ...registered,
          "azuread_conditional_access_policy.b": [
            { ...policy(""), ...butIt },
            { ...policy(""), ...forAll },
          ],
        },
        `unknown role azuread_conditional_access_policy.b: ${signsIn}`,
      ],
      "a policy of conditional access only reports": [
        {
          ...registered,
          ...policyFor("included_service_principals", {
            state: "enabledForReportingButNotEnforced",
          }),
        },
      ],
      "a policy of conditional access is disabled": [
        { ...registered, ...policyFor("included_service_principals", { state: "disabled" }) },
      ],
      "an address that such a policy excepts changes": [
        locationOf("included_service_principals", { ip: [] }),
        `unknown role azuread_named_location.b: ${signsIn}`,
      ],
      "the addresses that such a policy excepts are destroyed": [
        locationOf("included_service_principals", null),
        `unknown role azuread_named_location.b: ${signsIn}`,
      ],
      "an address that a policy for users excepts changes": [
        locationOf("included_users", { ip: [] }),
      ],
      "a policy of conditional access is about users": [
        { ...registered, ...policyFor("included_users") },
      ],
      "a service gets a new identity, too": [
        job("azurerm_user_assigned_identity.p", [IDENTITY, LATER]),
      ],
      "a service loses another identity": [job("azurerm_user_assigned_identity.p", [IDENTITY])],
      "its application changes otherwise": [
        { ...registered, "azuread_application.p": [application, { ...application, notes: "x" }] },
      ],
    }),
  )("is missed, or not: %s", async (_, [sets, expected]) => {
    expect(await saidOf(planOfTopic(sets))).toEqual(expected === undefined ? [] : [expected]);
  });

  const CLUSTER = `${GROUP}/providers/Microsoft.ContainerService/managedClusters/k`;
  const cluster = {
    ...{ id: CLUSTER, oidc_issuer_url: trust.issuer, oidc_issuer_enabled: true },
    ...{ workload_identity_enabled: true, automatic_upgrade_channel: "patch" },
  };
  const profiles = (isOn: boolean) => ({
    oidcIssuerProfile: { enabled: isOn },
    securityProfile: { workloadIdentity: { enabled: isOn } },
  });
  const azapiCluster = (isOn: boolean, more: Attributes = {}) => ({
    ...{ id: CLUSTER, type: "Microsoft.ContainerService/managedClusters@2024-09-01" },
    output: { properties: { oidcIssuerProfile: { issuerURL: trust.issuer } } },
    body: { properties: { ...profiles(isOn), ...more } },
  });
  const KUBERNETES = "azurerm_kubernetes_cluster.k";
  const noMore = (address: string) => [`unknown role ${address}: ${signsIn}`];
  it.each<readonly [string, Sets, string[]]>([
    ...[false, null, LATER].flatMap((off) =>
      ["oidc_issuer_enabled", "workload_identity_enabled"].map((name): [string, Sets, string[]] => [
        `${name} is ${off}`,
        { [KUBERNETES]: [cluster, { ...cluster, [name]: off }] },
        noMore(KUBERNETES),
      ]),
    ),
    ["it is destroyed", { [KUBERNETES]: [cluster, null] }, noMore(KUBERNETES)],
    [
      "it is replaced",
      { [KUBERNETES]: [cluster, { ...cluster, id: LATER }, ["create", "delete"]] },
      noMore(KUBERNETES),
    ],
    [
      "it gets another issuer",
      { [KUBERNETES]: [cluster, { ...cluster, oidc_issuer_url: LATER }] },
      noMore(KUBERNETES),
    ],
    [
      "it gets workload identities",
      { [KUBERNETES]: [{ ...cluster, workload_identity_enabled: false }, cluster] },
      [],
    ],
    [
      "it is upgraded otherwise",
      { [KUBERNETES]: [cluster, { ...cluster, automatic_upgrade_channel: "stable" }] },
      [],
    ],
    [
      "another one loses its issuer",
      {
        [KUBERNETES]: [
          { ...cluster, oidc_issuer_url: "https://other" },
          { ...cluster, oidc_issuer_url: "https://other", oidc_issuer_enabled: false },
        ],
      },
      [],
    ],
    [
      "azapi switches it off",
      { "azapi_resource.k": [azapiCluster(true), { ...azapiCluster(false), output: LATER }] },
      noMore("azapi_resource.k"),
    ],
    [
      "azapi changes something else",
      {
        "azapi_resource.k": [
          azapiCluster(true),
          { ...azapiCluster(true, { dnsPrefix: "x" }), output: LATER },
        ],
      },
      [],
    ],
    [
      "azapi switches it off beside azurerm",
      {
        [KUBERNETES]: same(cluster),
        ...update("Microsoft.ContainerService/managedClusters", CLUSTER, {
          properties: profiles(false),
        }),
      },
      noMore("azapi_update_resource.u"),
    ],
  ])("is missed or not in a cluster whose tokens it trusts: %s", async (_, sets, expected) => {
    const credential = { issuer: `${trust.issuer}/`, parent_id: IDENTITY };
    const trusting = { "azurerm_federated_identity_credential.c": same(credential) };
    expect(await saidOf(planOfTopic({ ...identity, ...trusting, ...sets }))).toEqual(expected);
  });

  it("is nothing that Event Grid signs in with", async () => {
    const sender = "azurerm_user_assigned_identity.sender";
    const credential = { id: "/c", parent_id: of(sender).id, ...trust };
    const destroyed: Sets = { "azurerm_federated_identity_credential.c": [credential, null] };
    expect(await effects(planWith(destroyed))).toEqual([]);
  });
});
