/** A built-in role. */
export interface RoleDefinition {
  /** Azure's ID of the role, the same in every tenant. */
  readonly id: string;
  readonly roleName: string;
  readonly description: string;
  /** Management actions; `*` stands for any characters. */
  readonly actions: readonly string[];
  readonly notActions: readonly string[];
  /** Actions on data, such as publishing. */
  readonly dataActions: readonly string[];
}

/** ID of the role that may do everything. */
export const OWNER = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635";

const reading = [
  "Microsoft.Authorization/*/read",
  "Microsoft.Resources/subscriptions/resourceGroups/read",
];
const operating = [
  ...reading,
  "Microsoft.Insights/alertRules/*",
  "Microsoft.Resources/deployments/*",
  "Microsoft.Support/*",
];
const subscriptionLists = [
  "Microsoft.EventGrid/topicTypes/eventSubscriptions/read",
  "Microsoft.EventGrid/locations/eventSubscriptions/read",
  "Microsoft.EventGrid/locations/topicTypes/eventSubscriptions/read",
];
const readingTopics = ["Microsoft.EventGrid/topics/read", "Microsoft.EventGrid/namespaces/read"];
const SEND = "Microsoft.EventGrid/events/send/action";
const RECEIVE = "Microsoft.EventGrid/events/receive/action";
const CONTAINERS = "Microsoft.Storage/storageAccounts/blobServices/containers";

/** The built-in roles for Event Grid, its deployment and its dead letters, as Azure describes them. */
export const roleDefinitions: readonly RoleDefinition[] = [
  role(OWNER, "Owner", {
    description:
      "Grants full access to manage all resources, including the ability to assign roles in Azure RBAC.",
    actions: ["*"],
  }),
  role("b24988ac-6180-42a0-ab88-20f7382dd24c", "Contributor", {
    description:
      "Grants full access to manage all resources, but does not allow you to assign roles in Azure RBAC, manage assignments in Azure Blueprints, or share image galleries.",
    actions: ["*"],
    notActions: [
      "Microsoft.Authorization/*/Delete",
      "Microsoft.Authorization/*/Write",
      "Microsoft.Authorization/elevateAccess/Action",
      "Microsoft.Blueprint/blueprintAssignments/write",
      "Microsoft.Blueprint/blueprintAssignments/delete",
      "Microsoft.Compute/galleries/share/action",
      "Microsoft.Purview/consents/write",
      "Microsoft.Purview/consents/delete",
      "Microsoft.Resources/deploymentStacks/manageDenySetting/action",
      "Microsoft.Subscription/cancel/action",
      "Microsoft.Subscription/enable/action",
    ],
  }),
  role("acdd72a7-3385-48ef-bd42-f606fba81ae7", "Reader", {
    description: "View all resources, but does not allow you to make any changes.",
    actions: ["*/read"],
  }),
  role("18d7d88d-d35e-4fb5-a5c3-7773c20a72d9", "User Access Administrator", {
    description: "Lets you manage user access to Azure resources.",
    actions: ["*/read", "Microsoft.Authorization/*", "Microsoft.Support/*"],
  }),
  role("f58310d9-a9f6-439a-9e8d-f62e7b41a168", "Role Based Access Control Administrator", {
    description:
      "Manage access to Azure resources by assigning roles using Azure RBAC. This role does not allow you to manage access using other ways, such as Azure Policy.",
    actions: [
      "Microsoft.Authorization/roleAssignments/write",
      "Microsoft.Authorization/roleAssignments/delete",
      "*/read",
      "Microsoft.Support/*",
    ],
  }),
  role("1e241071-0855-49ea-94dc-649edcd759de", "EventGrid Contributor", {
    description: "Lets you manage EventGrid operations.",
    actions: [...operating, "Microsoft.EventGrid/*"],
  }),
  role("428e0ff0-5e57-4d9c-a221-2c70d0e0a443", "EventGrid EventSubscription Contributor", {
    description: "Lets you manage EventGrid event subscription operations.",
    actions: [...operating, "Microsoft.EventGrid/eventSubscriptions/*", ...subscriptionLists],
  }),
  role("2414bbcf-6497-4faf-8c65-045460748405", "EventGrid EventSubscription Reader", {
    description: "Lets you read EventGrid event subscriptions.",
    actions: [...reading, "Microsoft.EventGrid/eventSubscriptions/read", ...subscriptionLists],
  }),
  role("d5a91429-5739-47e2-a06b-3470a27159e7", "EventGrid Data Sender", {
    description: "Allows send access to event grid events.",
    actions: [
      ...reading,
      ...readingTopics,
      "Microsoft.EventGrid/domains/read",
      "Microsoft.EventGrid/partnerNamespaces/read",
    ],
    dataActions: [SEND],
  }),
  role("78cbd9e7-9798-4e2e-9b5a-547d9ebb31fb", "EventGrid Data Receiver", {
    description: "Allows receive access to event grid events.",
    actions: [...reading, ...readingTopics],
    dataActions: [RECEIVE],
  }),
  role("1d8c3fe3-8864-474b-8749-01e3783e8157", "EventGrid Data Contributor", {
    description: "Allows send and receive access to event grid events.",
    actions: [...reading, ...readingTopics],
    dataActions: [SEND, RECEIVE],
  }),
  role("ba92f5b4-2d11-453d-a403-e96b0029c9fe", "Storage Blob Data Contributor", {
    description:
      "Allows for read, write and delete access to Azure Storage blob containers and data",
    actions: [
      ...["delete", "read", "write"].map((verb) => `${CONTAINERS}/${verb}`),
      "Microsoft.Storage/storageAccounts/blobServices/generateUserDelegationKey/action",
    ],
    dataActions: ["delete", "read", "write", "move/action", "add/action"].map(
      (verb) => `${CONTAINERS}/blobs/${verb}`,
    ),
  }),
];

function role(
  id: string,
  roleName: string,
  rest: Pick<RoleDefinition, "description" | "actions"> & Partial<RoleDefinition>,
): RoleDefinition {
  return { id, roleName, notActions: [], dataActions: [], ...rest };
}
