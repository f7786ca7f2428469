import { type ApiRequest, type ApiResponse, type ApiService, Router } from "../api/index.js";
import { groupsOf, sameText, serviceError, subscriptionOf, UUID } from "../base/index.js";
import { addResourceRoutes, locksAt, type ResourceType } from "./engine/index.js";
import {
  addEventSubscriptionLists,
  addMetricsRoute,
  addTopicTypeRoutes,
  DOMAIN_TYPE,
  domainTopicResources,
  type EventGridState,
  eventSubscriptionResources,
  extensionTopicResources,
  namespaceResources,
  namespaceType,
  privateEndpointTypes,
  systemTopicResources,
  TOPIC_TYPE,
  topicResources,
  withPrivateLinks,
} from "./event-grid/index.js";
import {
  addOperationRoutes,
  addProviderRoutes,
  addSubscriptionRoutes,
  FROM_GATEWAY,
} from "./resources/index.js";
import {
  addPermissionsRoute,
  addTagRoutes,
  monitorTypes,
  resourceGroups,
  roleAssignmentResources,
  roleDefinitionResources,
  storedTypes,
  userAssignedIdentities,
} from "./services/index.js";

/** Azure Resource Manager for Event Grid and its deployment. */
export function resourceManagerService(state: EventGridState): ApiService {
  const { resources, topics, domains } = state;
  const groups = resourceGroups(state);
  const types = [
    groups,
    ...withPrivateLinks(resources, topicResources(TOPIC_TYPE, topics, resources)),
    ...withPrivateLinks(resources, topicResources(DOMAIN_TYPE, domains, resources)),
    domainTopicResources(state),
    systemTopicResources(state),
    extensionTopicResources(resources),
    ...eventSubscriptionResources(state),
    ...withPrivateLinks(resources, namespaceType(state)),
    ...namespaceResources(state),
    userAssignedIdentities(state),
    roleAssignmentResources(state),
    roleDefinitionResources(state),
    locksAt(resources),
    ...monitorTypes(resources),
    ...privateEndpointTypes(resources),
    ...storedTypes(resources),
  ];
  resources.define(types);
  const routers = state.subscriptionIds.map((subscriptionId) => {
    const own = { ...state, subscriptionId };
    const router = new Router();
    addRoutes(router, own, types, groups);
    return [subscriptionId, router] as const;
  });
  const router = new SubscriptionRouter(state, new Map(routers));
  addRoutes(router, state, types, groups);
  return {
    roots: ["subscriptions", "providers", "tenants"],
    router,
    name: "Resource Manager",
    codes: {
      missingToken: "AuthenticationFailed",
      invalidToken: "InvalidAuthenticationToken",
      expiredToken: "ExpiredAuthenticationToken",
      wrongAudience: "InvalidAuthenticationTokenAudience",
      unknownRoute: "NotFound",
    },
  };
}

/** Adds the routes of one subscription, and those that belong to none. */
function addRoutes(
  router: Router,
  state: EventGridState,
  types: readonly ResourceType[],
  groups: ResourceType,
): void {
  addSubscriptionRoutes(router, state);
  addProviderRoutes(router, state, types);
  addOperationRoutes(router, state);
  addTopicTypeRoutes(router, state);
  addEventSubscriptionLists(router, state);
  addMetricsRoute(router, state);
  addTagRoutes(router, state);
  addPermissionsRoute(router, state);
  for (const rest of ["", "/*rest"]) {
    router.refuse(
      `/*scope/providers/Microsoft.Resources/deployments${rest}`,
      "The local Azure does not deploy ARM templates and Bicep files. Create the resources with Terraform, an SDK or az, for example with 'az resource create'.",
    );
  }
  addResourceRoutes(router, state, groups);
}

/** Refuses callers of other tenants, and requests for other subscriptions. */
class SubscriptionRouter extends Router {
  constructor(
    private readonly state: EventGridState,
    private readonly routers: ReadonlyMap<string, Router>,
  ) {
    super();
  }

  override async handle(request: ApiRequest): Promise<ApiResponse | undefined> {
    const { tenantId } = this.state;
    const requested = subscriptionOf(request.path);
    if (requested !== undefined && !UUID.test(requested)) {
      throw serviceError.InvalidSubscriptionId(
        `The provided subscription identifier '${requested}' is malformed or invalid.`,
      );
    }
    const own = requested === undefined ? undefined : this.routers.get(requested.toLowerCase());
    if (requested !== undefined && own === undefined) {
      throw serviceError.SubscriptionNotFound(
        `The subscription '${requested}' could not be found.`,
        FROM_GATEWAY,
      );
    }
    if (request.caller.tenantId !== tenantId) {
      throw serviceError.InvalidAuthenticationTokenTenant(
        `The access token is from the wrong issuer. It must match the tenant '${tenantId}' associated with this subscription.`,
      );
    }
    const query = named(request.query);
    requireVersion(query.get("api-version"));
    return own ? own.handle({ ...request, query }) : super.handle({ ...request, query });
  }
}

/** The query with the name of the version in lower case: names have no case. */
function named(query: URLSearchParams): URLSearchParams {
  const result = new URLSearchParams();
  for (const [name, value] of query) {
    result.append(sameText(name, "api-version") ? "api-version" : name, value);
  }
  return result;
}

/**
 * Any date is a version: which ones a type has changes every few months.
 *
 * @throws ServiceError 400 for a missing or malformed version
 */
function requireVersion(version: string | null): void {
  if (version === null || version === "") {
    throw serviceError.MissingApiVersionParameter(
      "The api-version query parameter (?api-version=) is required for all requests.",
    );
  }
  const [date] = groupsOf(/^(\d{4}-\d{2}-\d{2})(-[a-z]+)?$/i, version);
  const time = Date.parse(date);
  // A day that a month does not have becomes another one.
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(date)) return;
  throw serviceError.InvalidApiVersionParameter(
    `The api-version '${version}' is invalid. It must be a date such as 2025-02-15, with -preview for previews.`,
  );
}
