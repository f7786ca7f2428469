import type { Permissions, Role } from "./world.js";

const blobs = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs";
const messages = "Microsoft.Storage/storageAccounts/queueServices/queues/messages";
const data = (...dataActions: readonly string[]): Permissions => ({ dataActions });

/**
 * Azure's roles that are about event subscriptions and where they deliver, with their GUIDs and what they
 * allow. Actions that no rule asks for are left out.
 *
 * @see https://learn.microsoft.com/azure/role-based-access-control/built-in-roles
 */
const ROLES = {
  Owner: ["8e3af657-a8ff-443c-a75c-2fe8c4bcb635", { actions: ["*"] }],
  Contributor: [
    "b24988ac-6180-42a0-ab88-20f7382dd24c",
    {
      actions: ["*"],
      notActions: ["Microsoft.Authorization/*/Delete", "Microsoft.Authorization/*/Write"],
    },
  ],
  Reader: ["acdd72a7-3385-48ef-bd42-f606fba81ae7", { actions: ["*/read"] }],
  "EventGrid EventSubscription Contributor": [
    "428e0ff0-5e57-4d9c-a221-2c70d0e0a443",
    { actions: ["Microsoft.EventGrid/eventSubscriptions/*"] },
  ],
  "EventGrid EventSubscription Reader": [
    "2414bbcf-6497-4faf-8c65-045460748405",
    { actions: ["Microsoft.EventGrid/eventSubscriptions/read"] },
  ],
  "EventGrid Contributor": [
    "1e241071-0855-49ea-94dc-649edcd759de",
    { actions: ["Microsoft.EventGrid/*"] },
  ],
  "EventGrid Data Contributor": [
    "1d8c3fe3-8864-474b-8749-01e3783e8157",
    data("Microsoft.EventGrid/events/send/action", "Microsoft.EventGrid/events/receive/action"),
  ],
  "EventGrid Data Sender": [
    "d5a91429-5739-47e2-a06b-3470a27159e7",
    data("Microsoft.EventGrid/events/send/action"),
  ],
  // The action of receiving is not documented: the role has it by its name.
  "EventGrid Data Receiver": [
    "78cbd9e7-9798-4e2e-9b5a-547d9ebb31fb",
    data("Microsoft.EventGrid/events/receive/action"),
  ],
  "Storage Blob Data Owner": ["b7e6dc6d-f1e8-4753-8033-0f276bb0955b", data(`${blobs}/*`)],
  "Storage Blob Data Contributor": [
    "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
    data(`${blobs}/read`, `${blobs}/write`, `${blobs}/delete`, `${blobs}/add/action`),
  ],
  "Storage Blob Data Reader": ["2a2b9908-6ea1-4ae2-8e65-a410df84e7d1", data(`${blobs}/read`)],
  "Storage Queue Data Contributor": [
    "974c5e8b-45b9-4653-ba55-5f855dd0fb88",
    data(
      `${messages}/read`,
      `${messages}/write`,
      `${messages}/delete`,
      `${messages}/process/action`,
    ),
  ],
  "Storage Queue Data Message Sender": [
    "c6a89b2d-59bc-44d0-9896-0f6e12d7b80a",
    data(`${messages}/add/action`),
  ],
  "Storage Queue Data Message Processor": [
    "8a0f0c08-91a1-4084-bc3d-661d67233fed",
    data(`${messages}/read`, `${messages}/process/action`),
  ],
  "Storage Queue Data Reader": ["19e7f393-937e-4f77-808e-94535e297925", data(`${messages}/read`)],
  "Azure Event Hubs Data Owner": [
    "f526a384-b230-433a-b45c-95f59c4a2dec",
    data("Microsoft.EventHub/*"),
  ],
  "Azure Event Hubs Data Sender": [
    "2b629674-e913-4c01-ae53-ef4638d8f975",
    data("Microsoft.EventHub/*/send/action"),
  ],
  "Azure Event Hubs Data Receiver": [
    "a638d3c7-ab3a-418d-83e6-5f17a39d4fde",
    data("Microsoft.EventHub/*/receive/action"),
  ],
  "Azure Service Bus Data Owner": [
    "090c5cfd-751d-490a-894a-3ce6f1109419",
    data("Microsoft.ServiceBus/*"),
  ],
  "Azure Service Bus Data Sender": [
    "69a216fc-b8fb-44d8-bc22-1f3c2cd27a39",
    data("Microsoft.ServiceBus/*/send/action"),
  ],
  "Azure Service Bus Data Receiver": [
    "4f6d3b9b-027b-4f4c-9142-0e5a2a2247e0",
    data("Microsoft.ServiceBus/*/receive/action"),
  ],
  "Azure Relay Owner": ["2787bf04-f1f5-4bfe-8383-c8a24483ee38", data("Microsoft.Relay/*")],
  "Azure Relay Listener": [
    "26e0b698-aa6d-4085-9386-aadae190014d",
    data("Microsoft.Relay/*/listen/action"),
  ],
  "Azure Relay Sender": [
    "26baccc8-eea7-41f1-98f4-1762cc7f685d",
    data("Microsoft.Relay/*/send/action"),
  ],
} as const satisfies Readonly<Record<string, readonly [string, Permissions]>>;

/** The name of one of Azure's roles. */
export type RoleName = keyof typeof ROLES;

const roles: ReadonlyMap<string, Role> = new Map(
  Object.entries(ROLES).flatMap(([name, [id, permissions]]): [string, Role][] => {
    const role = { id, permissions: [permissions] };
    return [
      [name.toLowerCase(), role],
      [id, role],
    ];
  }),
);

/** One of Azure's roles by its name, its GUID, or the ID of its definition. */
export function builtInRole(nameOrId: string): Role | undefined {
  return roles.get(String(nameOrId.split("/").at(-1)).toLowerCase());
}
