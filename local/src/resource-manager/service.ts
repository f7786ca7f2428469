import { type ApiRequest, type ApiResponse, type ApiService, Router } from "../api/index.js";
import { ServiceError, subscriptionOf } from "../base/index.js";
import { addRoleAssignmentRoutes, addRoleDefinitionRoutes } from "./authorization/index.js";
import { addDeploymentRoutes } from "./deployments/index.js";
import {
  addEventSubscriptionLists,
  addEventSubscriptionRoutes,
  addSystemTopicRoutes,
  addTopicRoutes,
  addTopicTypeRoutes,
  EventGridResources,
  type EventGridState,
} from "./event-grid/index.js";
import { addGenericRoutes, resourceTypes } from "./generic/index.js";
import {
  addOperationRoutes,
  addProviderRoutes,
  addResourceGroupRoutes,
  addSubscriptionRoutes,
} from "./resources/index.js";

/** Azure Resource Manager for Event Grid and its deployment. */
export function resourceManagerService(state: EventGridState): ApiService {
  const router = new SubscriptionRouter(state);
  const resources = new EventGridResources(state);
  addSubscriptionRoutes(router, state);
  addProviderRoutes(router, state, knownTypes);
  addOperationRoutes(router, state);
  addRoleDefinitionRoutes(router);
  addRoleAssignmentRoutes(router, state);
  addResourceGroupRoutes(router, state, resources);
  addTopicTypeRoutes(router);
  addEventSubscriptionLists(router, state);
  addEventSubscriptionRoutes(router, state);
  addTopicRoutes(router, state, resources);
  addSystemTopicRoutes(router, state, resources);
  addDeploymentRoutes(router, state, (request) => router.handle(request));
  addGenericRoutes(router, state);
  return {
    roots: ["subscriptions", "providers", "tenants"],
    router,
    unauthenticated: (reason) => new ServiceError(401, "AuthenticationFailed", reason),
    unknownRoute: (method, path) =>
      new ServiceError(
        404,
        "NotFound",
        `The local Resource Manager does not serve ${method} ${path}.`,
      ),
  };
}

/** Resource types that are served, for the list of resource providers. */
const knownTypes = [
  "Microsoft.EventGrid/topics",
  "Microsoft.EventGrid/systemTopics",
  "Microsoft.EventGrid/eventSubscriptions",
  "Microsoft.Authorization/roleAssignments",
  "Microsoft.Authorization/roleDefinitions",
  "Microsoft.Resources/resourceGroups",
  "Microsoft.Resources/deployments",
  ...resourceTypes.map(({ type }) => type),
];

/** Refuses callers of other tenants, and requests for other subscriptions. */
class SubscriptionRouter extends Router {
  constructor(private readonly state: EventGridState) {
    super();
  }

  override async handle(request: ApiRequest): Promise<ApiResponse | undefined> {
    const { subscriptionId, tenantId } = this.state;
    const requested = subscriptionOf(request.path);
    if (requested !== undefined && requested.toLowerCase() !== subscriptionId) {
      throw new ServiceError(
        404,
        "SubscriptionNotFound",
        `The subscription '${requested}' could not be found.`,
      );
    }
    if (request.caller.tenantId !== tenantId) {
      throw new ServiceError(
        401,
        "InvalidAuthenticationTokenTenant",
        `The access token is from the wrong issuer. It must match the tenant '${tenantId}' associated with this subscription.`,
      );
    }
    return super.handle(request);
  }
}
