import type { AppRole } from "./applications.js";

/** Event Grid's own application, the same in every tenant of the public cloud. */
export const EVENT_GRID_CLIENT_ID = "4962773b-9cdb-44cf-a8bf-237846a00ab7";

/** The role that Event Grid needs to deliver to a webhook, and a principal to subscribe it. */
export const SECURE_WEBHOOK_ROLE = "AzureEventGridSecureWebhookSubscriber";

/** Microsoft Graph's own application, whose app roles are the Graph permissions. */
export const GRAPH_CLIENT_ID = "00000003-0000-0000-c000-000000000000";

/** An application of Microsoft: tenants have its service principal only. */
export interface FirstPartyApplication {
  readonly clientId: string;
  readonly displayName: string;
  readonly servicePrincipalNames: readonly string[];
  readonly appRoles: readonly AppRole[];
}

const permission = <const Value extends string>(id: string, value: Value) =>
  ({
    id,
    value,
    displayName: value,
    description: `Graph permission ${value}`,
    allowedMemberTypes: ["Application"],
    isEnabled: true,
  }) as const satisfies AppRole;

/** The supported Graph permissions, with Microsoft's IDs. */
const graphPermissions = [
  permission("9a5d68dd-52b0-4cc2-bd40-abcf44ac3a30", "Application.Read.All"),
  permission("1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9", "Application.ReadWrite.All"),
  permission("18a4783c-866b-4cc7-a460-3d5e5662c884", "Application.ReadWrite.OwnedBy"),
  permission("06b708a9-e830-4db3-a914-8e69da51d44f", "AppRoleAssignment.ReadWrite.All"),
  permission("7ab1d382-f21e-4acd-a863-ba3e13f7da61", "Directory.Read.All"),
  permission("62a82d76-70ea-41e2-9197-370581804d09", "Group.ReadWrite.All"),
  permission("19dbc75e-c2e2-444c-a770-ec69d8559fc7", "Directory.ReadWrite.All"),
];

export type GraphPermission = (typeof graphPermissions)[number]["value"];

export const firstPartyApplications: readonly FirstPartyApplication[] = [
  {
    clientId: EVENT_GRID_CLIENT_ID,
    displayName: "Microsoft.EventGrid",
    servicePrincipalNames: [EVENT_GRID_CLIENT_ID, "https://eventgrid.azure.net"],
    appRoles: [],
  },
  {
    clientId: GRAPH_CLIENT_ID,
    displayName: "Microsoft Graph",
    servicePrincipalNames: [GRAPH_CLIENT_ID, "https://graph.microsoft.com"],
    appRoles: graphPermissions,
  },
];
