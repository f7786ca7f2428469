import { AppRoleAssignment } from "@cdktf/provider-azuread/lib/app-role-assignment/index.js";
import { ApplicationAppRoleA } from "@cdktf/provider-azuread/lib/application-app-role/index.js";
import { DataAzureadApplication } from "@cdktf/provider-azuread/lib/data-azuread-application/index.js";
import { DataAzureadServicePrincipal } from "@cdktf/provider-azuread/lib/data-azuread-service-principal/index.js";
import { DataAzurermClientConfig } from "@cdktf/provider-azurerm/lib/data-azurerm-client-config/index.js";
import { EventgridEventSubscription } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import { conditional, Fn, Op, type TerraformMetaArguments, TerraformResource, Token } from "cdktf";
import { Construct } from "constructs";
import {
  clientId,
  EVENT_GRID,
  SCOPE,
  SUBSCRIPTION,
  subscriptionName,
  TENANT,
  URL,
  uuidOf,
} from "./shop.js";

const ROLE = "AzureEventGridSecureWebhookSubscriber";
const CONTRIBUTOR = "428e0ff0-5e57-4d9c-a221-2c70d0e0a443";
const EVENT_TYPES = ["Write", "Delete", "Action"].flatMap((operation) =>
  ["Success", "Failure", "Cancel"].map(
    (outcome) => `Microsoft.Resources.Resource${operation}${outcome}`,
  ),
);

/** The resources that our construct creates, without its checks. */
export class BindingsByHand extends Construct {
  constructor(scope: Construct, id: string, count: number) {
    super(scope, id);
    const shared = {
      caller: new DataAzurermClientConfig(this, "caller"),
      eventGrid: new DataAzureadServicePrincipal(this, "event-grid", { clientId: EVENT_GRID }),
    };
    for (let index = 0; index < count; index += 1) {
      new BindingByHand(this, `orders-${index}`, index, shared);
    }
  }
}

/** The data sources that all bindings of a stack share. */
interface Shared {
  readonly caller: DataAzurermClientConfig;
  readonly eventGrid: DataAzureadServicePrincipal;
}

class BindingByHand extends Construct {
  constructor(scope: Construct, id: string, index: number, { caller, eventGrid }: Shared) {
    super(scope, id);
    const client = clientId(index);
    const application = new DataAzureadApplication(this, "application", { clientId: client });
    const principal = new DataAzureadServicePrincipal(this, "principal", { clientId: client });
    const ownRoleId = uuidOf(`role ${index}`);
    const appRoleId = Token.asString(Fn.lookup(application.appRoleIds, ROLE, ownRoleId));
    const ifOwnRole = Token.asNumber(conditional(Op.eq(appRoleId, ownRoleId), 1, 0));
    const role = new ApplicationAppRoleA(this, "role", {
      count: ifOwnRole,
      applicationId: `/applications/${application.objectId}`,
      roleId: ownRoleId,
      allowedMemberTypes: ["Application", "User"],
      description: "Azure Event Grid Role",
      displayName: ROLE,
      value: ROLE,
    });
    // Not cdktf's class for terraform_data, which starts the terraform program for each instance.
    const replication = new TerraformResource(this, "replication", {
      terraformResourceType: "terraform_data",
      count: ifOwnRole,
      provisioners: [{ type: "local-exec", command: "sleep 40 || ping -n 41 127.0.0.1" }],
      dependsOn: [role],
    });
    replication.addOverride("triggers_replace", { application: application.objectId });
    const assign = (holder: string, objectId: string, options: TerraformMetaArguments = {}) =>
      new AppRoleAssignment(this, holder, {
        appRoleId,
        principalObjectId: objectId,
        resourceObjectId: principal.objectId,
        dependsOn: [role, replication],
        ...options,
      });
    const isClient = Fn.contains([Fn.lower(principal.objectId)], Fn.lower(caller.objectId));
    const assignments = [
      assign("assigned-to-event-grid", eventGrid.objectId),
      assign("assigned-to-client", principal.objectId),
      assign("assigned-to-caller", caller.objectId, {
        count: Token.asNumber(conditional(isClient, 0, 1)),
      }),
    ];
    const contributor = new RoleAssignment(this, "contributor", {
      scope: SCOPE,
      principalId: principal.objectId,
      principalType: "ServicePrincipal",
      roleDefinitionId: `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/${CONTRIBUTOR}`,
      description: "The webhook's application writes event subscriptions at this scope",
    });
    new EventgridEventSubscription(this, "subscription", {
      name: subscriptionName(index),
      scope: SCOPE,
      eventDeliverySchema: "CloudEventSchemaV1_0",
      webhookEndpoint: {
        url: URL,
        activeDirectoryTenantId: TENANT,
        activeDirectoryAppIdOrUri: client,
        maxEventsPerBatch: 1,
        preferredBatchSizeInKilobytes: 64,
      },
      includedEventTypes: EVENT_TYPES,
      retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLive: 1440 },
      dependsOn: [contributor, ...assignments],
    });
  }
}
