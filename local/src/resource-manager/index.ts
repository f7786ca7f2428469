import type { ApiService } from "../control-plane/api-route.js";
import { type ApiAnswer, type ApiRequest, Router } from "../control-plane/router.js";
import { ServiceError } from "../errors.js";
import { EventGridResources } from "./event-grid-resources.js";
import type { EventGridStores } from "./event-grid-stores.js";
import { addEventSubscriptionRoutes } from "./event-subscription-routes.js";
import { addOperationRoutes } from "./operation-routes.js";
import { addProviderRoutes } from "./provider-routes.js";
import { addResourceGroupRoutes } from "./resource-group-routes.js";
import { addRoleAssignmentRoutes } from "./role-assignment-routes.js";
import { addRoleDefinitionRoutes } from "./role-definition-routes.js";
import { subscriptionOf } from "./scopes.js";
import type { ResourceManagerState } from "./state.js";
import { addSubscriptionRoutes } from "./subscription-routes.js";
import { addSystemTopicRoutes } from "./system-topic-routes.js";
import { addTopicRoutes } from "./topic-routes.js";

/** Azure Resource Manager, as far as Event Grid and who sets it up need it. */
export function resourceManagerService(
  state: ResourceManagerState,
  stores: EventGridStores,
): ApiService {
  const { topics, eventSubscriptions } = stores;
  const router = new SubscriptionRouter(state);
  const resources = new EventGridResources(state, stores);
  addSubscriptionRoutes(router, state);
  addProviderRoutes(router, state);
  addOperationRoutes(router, state);
  addRoleDefinitionRoutes(router);
  addRoleAssignmentRoutes(router, state);
  addResourceGroupRoutes(router, state, resources);
  addEventSubscriptionRoutes(router, state, eventSubscriptions);
  addTopicRoutes(router, state, topics, resources);
  addSystemTopicRoutes(router, state, resources);
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

/** Lets in who belongs to the subscription's tenant, and only to the subscription that there is. */
class SubscriptionRouter extends Router {
  constructor(private readonly state: ResourceManagerState) {
    super();
  }

  override async handle(request: ApiRequest): Promise<ApiAnswer | undefined> {
    const { subscriptionId, tenantId } = this.state;
    const asked = subscriptionOf(request.path);
    if (asked !== undefined && asked.toLowerCase() !== subscriptionId) {
      throw new ServiceError(
        404,
        "SubscriptionNotFound",
        `The subscription '${asked}' could not be found.`,
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
