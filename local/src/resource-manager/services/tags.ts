import type { ApiRequest, Router } from "../../api/index.js";
import {
  field,
  isObject,
  isSubscription,
  normalizeScope,
  objectAt,
  propertiesIn,
  sameText,
  serviceError,
  textOrEmpty,
} from "../../base/index.js";
import type { Method } from "../../http/index.js";
import {
  checkTags,
  type Resource,
  type ResourceState,
  requireUnlocked,
  resourceAt,
} from "../engine/index.js";
import { resourceNotFound } from "../resources/index.js";

const TYPE = "Microsoft.Resources/tags";

type Tags = Readonly<Record<string, unknown>>;
type Change = (before: Tags, body: unknown) => Tags;

/**
 * The tags at a scope: of a resource, a group or the subscription.
 *
 * @see https://learn.microsoft.com/rest/api/resources/tags/update-at-scope
 */
export function addTagRoutes(router: Router, state: ResourceState): void {
  const path = `/*scope/providers/${TYPE}/default`;
  const answer = (scope: string, tags: Tags) => {
    const id = `${scope}/providers/${TYPE}/default`;
    return { status: 200, body: { id, name: "default", type: TYPE, properties: { tags } } };
  };
  const changes: Partial<Record<Method, Change>> = {
    PUT: (_, body) => tagsIn(body),
    PATCH: changed,
    DELETE: () => ({}),
  };

  router.on("GET", path, ({ caller }, parameter) => {
    const scope = normalizeScope(parameter("scope"));
    state.authorization.require(caller, `${TYPE}/read`, scope);
    return answer(scope, objectAt(ownerAt(state, scope).body, "tags"));
  });
  for (const [method, tagsAfter] of Object.entries(changes) as [Method, Change][]) {
    router.on(method, path, (request, parameter) => {
      const scope = normalizeScope(parameter("scope"));
      const action = method === "DELETE" ? "delete" : "write";
      state.authorization.require(request.caller, `${TYPE}/${action}`, scope);
      requireUnlocked(state.resources, { id: scope, type: { type: TYPE } }, "write");
      const owner = ownerAt(state, scope);
      const tags = tagsAfter(objectAt(owner.body, "tags"), request.body);
      checkTags(tags);
      retag(state, owner, tags, request);
      return answer(scope, tags);
    });
  }
}

/** The subscription is a resource only to have tags. */
function ownerAt({ resources }: ResourceState, scope: string): Resource {
  const owner = resources.get(scope);
  if (owner) return owner;
  if (isSubscription(scope)) return resourceAt(scope, "Microsoft.Resources/subscriptions", {});
  throw resourceNotFound(scope);
}

function retag(
  { resources }: ResourceState,
  before: Resource,
  tags: Tags,
  request: ApiRequest,
): void {
  const written = { ...before, body: { ...before.body, tags } };
  const type = resources.typeNamed(before.type);
  if (type?.read) type.onWrite?.(written, { before, request });
  else resources.store.put(written);
}

/** @throws ServiceError 400 without `properties.tags` */
function tagsIn(body: unknown): Tags {
  const tags = field(propertiesIn(body), "tags");
  if (isObject(tags)) return tags;
  const message = "The body must have the tags as an object in properties.tags.";
  throw serviceError.InvalidRequestContent(message);
}

/** @throws ServiceError 400 for an unknown operation */
function changed(before: Tags, body: unknown): Tags {
  const operation = textOrEmpty(body, "operation");
  const tags = tagsIn(body);
  if (sameText(operation, "Replace")) return tags;
  if (sameText(operation, "Merge")) return { ...before, ...tags };
  if (sameText(operation, "Delete")) {
    const rest = Object.entries(before).filter(
      ([name, value]) => !Object.hasOwn(tags, name) || (tags[name] && tags[name] !== value),
    );
    return Object.fromEntries(rest);
  }
  const message = `The operation '${operation}' is invalid. Write Merge, Replace or Delete.`;
  throw serviceError.InvalidTagsPatchOperation(message);
}
