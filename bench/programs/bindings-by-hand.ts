import { AppRoleAssignment } from "@cdktf/provider-azuread/lib/app-role-assignment/index.js";
import { ApplicationAppRoleA } from "@cdktf/provider-azuread/lib/application-app-role/index.js";
import { DataAzureadApplication } from "@cdktf/provider-azuread/lib/data-azuread-application/index.js";
import { DataAzureadServicePrincipal } from "@cdktf/provider-azuread/lib/data-azuread-service-principal/index.js";
import { DataAzurermClientConfig } from "@cdktf/provider-azurerm/lib/data-azurerm-client-config/index.js";
import { EventgridEventSubscription } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import { Construct } from "constructs";
import { clientId, EVENT_GRID, SCOPE, SUBSCRIPTION, TENANT, URL } from "./shop.js";

const ROLE = "AzureEventGridSecureWebhookSubscriber";
const CONTRIBUTOR = "428e0ff0-5e57-4d9c-a221-2c70d0e0a443";

/** The resources that our construct stands for, with nothing of its checks. */
export class BindingsByHand extends Construct {
  readonly #caller: DataAzurermClientConfig;
  readonly #eventGrid: DataAzureadServicePrincipal;

  constructor(scope: Construct, id: string, count: number) {
    super(scope, id);
    this.#caller = new DataAzurermClientConfig(this, "caller");
    this.#eventGrid = new DataAzureadServicePrincipal(this, "event-grid", { clientId: EVENT_GRID });
    for (let index = 0; index < count; index += 1) this.#binding(index);
  }

  #binding(index: number): void {
    const client = clientId(index);
    const application = new DataAzureadApplication(this, `application-${index}`, {
      clientId: client,
    });
    const principal = new DataAzureadServicePrincipal(this, `principal-${index}`, {
      clientId: client,
    });
    const role = new ApplicationAppRoleA(this, `role-${index}`, {
      applicationId: application.id,
      roleId: `44444444-4444-4444-8444-${String(index).padStart(12, "0")}`,
      allowedMemberTypes: ["Application", "User"],
      description: "Azure Event Grid Role",
      displayName: ROLE,
      value: ROLE,
    });
    const holders = {
      "event-grid": this.#eventGrid.objectId,
      client: principal.objectId,
      caller: this.#caller.objectId,
    };
    const assignments = Object.entries(holders).map(
      ([name, principalObjectId]) =>
        new AppRoleAssignment(this, `${name}-${index}`, {
          appRoleId: role.roleId,
          principalObjectId,
          resourceObjectId: principal.objectId,
          dependsOn: [role],
        }),
    );
    const contributor = new RoleAssignment(this, `contributor-${index}`, {
      scope: SCOPE,
      principalId: principal.objectId,
      principalType: "ServicePrincipal",
      roleDefinitionId: `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/${CONTRIBUTOR}`,
    });
    new EventgridEventSubscription(this, `subscription-${index}`, {
      name: `orders${index}`,
      scope: SCOPE,
      eventDeliverySchema: "CloudEventSchemaV1_0",
      webhookEndpoint: {
        url: URL,
        activeDirectoryTenantId: TENANT,
        activeDirectoryAppIdOrUri: client,
      },
      dependsOn: [contributor, ...assignments],
    });
  }
}
