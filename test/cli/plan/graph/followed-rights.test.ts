import { describe, expect, it } from "vitest";
import { ACCOUNT, EVENT_GRID, effects, SYSTEM } from "../world.js";
import { changed, GROUP, LATER, of, planWith, type Sets, same } from "./changed-world.js";
import {
  ADD,
  azapiRole,
  BUS,
  custom,
  definition,
  deployed,
  deployment,
  group,
  job,
  member,
  ofGroup,
  own,
  permitting,
  pim,
  role,
  template,
  update,
} from "./rights.js";

const ROLES = "Microsoft.Authorization/roleDefinitions";
const PIM = "azuread_privileged_access_group_assignment_schedule.m";
const pimMember = (more: object) => ({
  ...{ group_id: group.object_id, principal_id: SYSTEM, assignment_type: "member" },
  ...{ permanent_assignment: true, ...more },
});
const STRANGER = "bbbbbbbb-0000-4000-8000-000000000001";
/** A group may publish. */
const publishing: Sets = {
  "azurerm_role_assignment.p": same({
    ...of("azurerm_role_assignment.publisher"),
    principal_id: group.object_id,
  }),
};
const patched = update(ROLES, definition.role_definition_resource_id, {
  properties: { permissions: [] },
});
const [ORDERS, OTHER] = ["azurerm_servicebus_queue.orders", "azurerm_servicebus_queue.other"];
const forwarded = { [ORDERS]: same({ ...of(ORDERS), forward_to: "other" }) };
const SUBSCRIPTION_OF_BUS = "azurerm_eventgrid_event_subscription.bus";
const inner = { id: "/groups/2", object_id: "aaaaaaaa-0000-4000-8000-000000000002" };
const mapped = {
  service_principal_id: of("azuread_service_principal.orders").id,
  claims_mapping_policy_id: "/policies/m",
};
const MAPPED = "azuread_service_principal_claims_mapping_policy_assignment.m";
const MAPPING = "azuread_claims_mapping_policy.m";
const mapping = { id: "/policies/m", definition: ["{}"] };
const consumers = { id: `${String(of("azurerm_eventhub.orders").id)}/consumerGroups/g`, name: "g" };
const GROUP_OF_HUB = "azurerm_eventhub_consumer_group.g";
const cuts: Readonly<Record<string, Sets>> = {
  // https://learn.microsoft.com/entra/identity-platform/reference-error-codes: AADSTS50146
  "the claims of a webhook's tokens are mapped": { [MAPPED]: [null, mapped] },
  "the mapping of a webhook's tokens changes": {
    [MAPPED]: same({ id: "m", ...mapped }),
    [MAPPING]: [mapping, { ...mapping, definition: ["{1}"] }],
  },
  "the consumers of a hub lose their group": { [GROUP_OF_HUB]: [consumers, null] },
  "a group loses a member that Privileged Identity Management adds": {
    ...ofGroup,
    "azuread_group.g": same(group),
    [PIM]: [pimMember({}), null],
  },
  "a member of a group becomes one for a limited time": {
    ...ofGroup,
    "azuread_group.g": same(group),
    [PIM]: [pimMember({}), pimMember({ permanent_assignment: false, duration: "P30D" })],
  },
  "a group of publishers loses one": {
    ...publishing,
    "azuread_group.g": [{ ...group, members: [STRANGER] }, group],
  },
  "a group of publishers gets its members by a rule": {
    ...publishing,
    "azuread_group.g": [
      group,
      { ...group, dynamic_membership: [{ rule: "user.city -eq 'Bern'" }] },
    ],
  },
  "a group of publishers is destroyed": { ...publishing, "azuread_group.g": [group, null] },
  "a publisher elsewhere leaves a group": {
    ...publishing,
    "azuread_group.g": same(group),
    "azuread_group_member.m": [{ ...member, member_object_id: STRANGER }, null],
  },
  "a publisher elsewhere may no longer join a group": {
    ...publishing,
    "azuread_group.g": same(group),
    [PIM.replace("assignment", "eligibility")]: [pimMember({ principal_id: STRANGER }), null],
  },
  "azapi changes a role of one's own": {
    ...custom,
    "azurerm_role_definition.c": same(definition),
    ...patched,
  },
  "azapi changes a role of another plan": { ...custom, ...patched },
  "the queue that a destination forwards to is disabled": {
    ...forwarded,
    [OTHER]: [of(OTHER), { ...of(OTHER), status: "Disabled" }],
  },
  "the queue that a destination forwards to is destroyed": {
    ...forwarded,
    [OTHER]: [of(OTHER), null],
  },
  "the Azure subscription is cancelled": {
    "azurerm_subscription.s": [{ id: "/a", subscription_id: GROUP.split("/")[2] }, null],
  },
  "a script is run": { "azurerm_resource_deployment_script_azure_cli.s": [null, { name: "s" }] },
  "a group loses the identity that delivers": {
    ...ofGroup,
    "azuread_group.g": same({ ...group, members: [SYSTEM] }),
    "azuread_group_member.m": [member, null],
  },
  "a group in a group loses members": {
    ...ofGroup,
    "azuread_group.g": same({ ...group, members: [inner.object_id] }),
    "azuread_group.inner": [{ ...inner, members: [SYSTEM] }, inner],
  },
  "a group loses members": {
    ...ofGroup,
    "azuread_group.g": [
      { ...group, members: [SYSTEM] },
      { ...group, members: [] },
    ],
  },
  "a group loses the role": {
    "azurerm_role_assignment.queue": [null, null],
    "azurerm_role_assignment.g": [{ ...role, principal_id: group.object_id }, null],
  },
  "a group is destroyed": { ...ofGroup, "azuread_group.g": [group, null] },
  "a role of one's own allows less": {
    ...custom,
    "azurerm_role_definition.c": [definition, permitting(["read"])],
  },
  "a role that azapi defines allows less": {
    ...custom,
    "azapi_resource.c": [azapiRole([ADD, "read"]), azapiRole(["read"])],
  },
  "an assignment of Privileged Identity Management is destroyed": {
    "azurerm_role_assignment.queue": [null, null],
    "azurerm_pim_active_role_assignment.q": [pim([]), null],
  },
  "a group gets its members by another rule": {
    ...ofGroup,
    "azuread_group.g": [
      { ...group, members: [SYSTEM], dynamic_membership: [{ rule: "user.city -eq 'Bern'" }] },
      { ...group, members: [SYSTEM], dynamic_membership: [{ rule: "user.city -eq 'Rome'" }] },
    ],
  },
  "a group is no security group any more": {
    ...ofGroup,
    "azuread_group.g": [
      { ...group, members: [SYSTEM], security_enabled: true },
      { ...group, members: [SYSTEM], security_enabled: false },
    ],
  },
  "the identity of a publisher is destroyed": {
    "azurerm_user_assigned_identity.p": [{ id: "/x/1", principal_id: EVENT_GRID }, null],
  },
  "the group of a destination is locked": {
    "azurerm_management_lock.g": [null, { scope: GROUP, lock_level: "ReadOnly" }],
  },
  "the encryption scope of a container with dead letters is disabled": {
    "azurerm_storage_encryption_scope.e": [{ storage_account_id: ACCOUNT, name: "e" }, null],
  },
  "a perimeter is put around a destination": {
    "azurerm_network_security_perimeter_association.a": [null, { resource_id: ACCOUNT }],
  },
  "a template is deployed": { [deployment]: [null, template] },
  "a template is gone": { "azapi_resource.d": [deployed, null] },
  "a publisher is replaced": { "azurerm_container_app_job.j": [job, null] },
  "a publisher loses its own identity": {
    "azurerm_container_app_job.j": [job, { ...job, identity: [] }],
  },
  "the types of a storage account are not known": {
    "azurerm_eventgrid_event_subscription.s": [
      { name: "s", scope: ACCOUNT, included_event_types: ["Microsoft.Storage.BlobCreated"] },
      { name: "s", scope: ACCOUNT, included_event_types: LATER },
    ],
  },
  "a filter has a new setting": changed("azurerm_eventgrid_event_subscription.web", {
    subject_filter: [{ brand_new: "x" }],
  }),
};

const harmless: Readonly<Record<string, Sets>> = {
  "the claims of other tokens are mapped": {
    [MAPPED]: [null, { ...mapped, service_principal_id: "/servicePrincipals/other" }],
    [MAPPING]: [mapping, { ...mapping, definition: ["{1}"] }],
  },
  "a hub gets a group of consumers": { [GROUP_OF_HUB]: [null, consumers] },
  "an owner of a group leaves": {
    ...ofGroup,
    [PIM]: [pimMember({ assignment_type: "owner" }), null],
  },
  "another group loses a member": { "azuread_group_member.m": [member, null] },
  "a group gains members": {
    ...ofGroup,
    "azuread_group.g": [
      { ...group, members: [SYSTEM] },
      { ...group, members: [SYSTEM, "2"] },
    ],
  },
  "a group loses a role that the identity has itself": {
    "azurerm_role_assignment.g": [{ ...role, principal_id: group.object_id }, null],
  },
  "a role of one's own allows more": {
    ...custom,
    "azurerm_role_definition.c": [definition, permitting([ADD, "read", "own"])],
  },
  "an identity without a role is destroyed": {
    "azurerm_user_assigned_identity.p": [{ id: "/x/1", principal_id: "2" }, null],
  },
  "another queue is created": {
    "azurerm_servicebus_queue.n": [null, { namespace_id: BUS, id: LATER }],
  },
  "the tags of a template change": { [deployment]: [template, { ...template, tags: { a: "b" } }] },
  "a job without a role is destroyed": {
    "azurerm_container_app_job.j": [
      { ...job, identity: [{ ...own, principal_id: "another" }] },
      null,
    ],
  },
  "an account gets a private endpoint": {
    "azurerm_private_endpoint.n": [
      null,
      { private_service_connection: [{ private_connection_resource_id: ACCOUNT }] },
    ],
  },
  "an app role that Event Grid does not need is taken away": {
    "azuread_app_role_assignment.r": [
      {
        ...of("azuread_app_role_assignment.event_grid"),
        principal_object_id: "1",
        app_role_id: "2",
      },
      null,
    ],
  },
  "the identity that stores dead letters gets a federated credential": {
    "azurerm_federated_identity_credential.n": [
      null,
      { parent_id: of("azurerm_user_assigned_identity.sender").id },
    ],
  },
  "a namespace gets an authorization rule": {
    "azurerm_servicebus_namespace_authorization_rule.n": [null, { namespace_id: BUS }],
  },
};

describe("what deliveries depend on besides the webhook", () => {
  it.each(Object.entries(cuts))("is followed: %s", async (_, sets) => {
    expect(await effects(planWith(sets))).not.toEqual([]);
  });

  it.each<readonly [string, readonly string[], string]>([
    ["a group loses the identity that delivers", [], "lost"],
    ["a group loses members", [], "lost"],
    ["a group in a group loses members", [], "lost"],
    ["a group is destroyed", [SYSTEM], "lost"],
    // The others may be groups with the identity.
    ["a group loses members", [STRANGER], "unknown"],
    ["a group in a group loses members", [STRANGER], "unknown"],
  ])("is certain or not where %s, with others %j", async (title, others, effect) => {
    const { "azuread_group.g": sides, ...sets } = cuts[title] ?? {};
    const [old = null, next = null] = [sides?.[0], sides?.[1]].map(
      (side) => side && { ...side, members: [side.members ?? [], others].flat() },
    );
    const found = await effects(planWith({ ...sets, "azuread_group.g": [old, next] }));
    expect(found.map((text) => text.replace(/ az.*/, ""))).toEqual([`${effect} role`]);
  });

  it.each(Object.entries(harmless))("is not all: %s", async (_, sets) => {
    expect(await effects(planWith(sets))).toEqual([]);
  });

  it.each(
    Object.entries<Sets>({
      "what a role allows is known after the apply": {
        ...custom,
        "azurerm_role_definition.c": [definition, permitting([ADD, LATER])],
      },
      "what a role excludes is known after the apply": {
        ...custom,
        "azurerm_role_definition.c": [
          definition,
          { ...definition, permissions: [{ data_actions: [ADD], not_data_actions: LATER }] },
        ],
      },
      "a role is assigned until a day": {
        "azurerm_role_assignment.queue": [null, null],
        "azurerm_pim_active_role_assignment.q": [
          pim([]),
          pim([{ expiration: [{ end_date_time: "2027-01-01T00:00:00Z" }] }]),
        ],
      },
    }),
  )("is unknown where %s", async (_, sets) => {
    const found = await effects(planWith(sets));
    expect(found.map((text) => text.replace(/ .*/, ""))).toEqual(["unknown"]);
  });

  it("is a rule of a subscription that reads a topic of Service Bus, but not its locks", async () => {
    const shop = `${BUS}/topics/shop`;
    const worker = { id: `${shop}/subscriptions/worker`, topic_id: shop, lock_duration: "PT1M" };
    const { service_bus_queue_endpoint_id: _, ...bus } = of(SUBSCRIPTION_OF_BUS);
    const plan = (sets: Sets) =>
      planWith({
        [SUBSCRIPTION_OF_BUS]: same({ ...bus, service_bus_topic_endpoint_id: shop }),
        "azurerm_servicebus_topic.shop": same({ id: shop }),
        ...sets,
      });
    const [name, rule] = [
      "azurerm_servicebus_subscription",
      "azurerm_servicebus_subscription_rule",
    ];
    const added = { id: LATER, subscription_id: worker.id };
    expect(
      await effects(plan({ [`${name}.w`]: same(worker), [`${rule}.r`]: [null, added] })),
    ).toMatchObject([expect.stringMatching(/^unknown destination /)]);
    const longer = { ...worker, lock_duration: "PT5M" };
    expect(await effects(plan({ [`${name}.w`]: [worker, longer] }))).toEqual([]);
  });

  it("is unknown where an action of a provider of Azure runs", async () => {
    const invoked = (type: string) => ({
      action_invocations: [{ address: `action.${type}.a`, type }],
    });
    expect(await effects(planWith({}, invoked("azapi_resource_action")))).toEqual([
      "unknown plan : what action.azapi_resource_action.a does is not in the plan",
    ]);
    expect(await effects(planWith({}, invoked("local_command")))).toEqual([]);
  });
});
