import { textAt } from "../control-plane/json-fields.js";
import { invalidRequest } from "../errors.js";
import type { EventSubscription } from "../eventgrid/subscriptions/index.js";
import type { ResourceManagerState } from "./state.js";

const WRITE_BLOB = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write";

/**
 * A subscription that dead-letters with the topic's own identity needs that right when it is
 * written: Azure looks.
 * @throws ServiceError `InvalidRequest`
 */
export function requireDeadLetterRole(
  state: ResourceManagerState,
  subscription: EventSubscription,
): void {
  const problem = deadLetterProblem(state, subscription);
  if (problem !== undefined) throw invalidRequest(problem);
}

/**
 * Why a subscription cannot dead-letter with the topic's own identity, if it is to: there must be a
 * topic, or a system topic for its scope, that has one, and the identity must be allowed to write
 * into the container. Identities that users manage are unknown here.
 */
export function deadLetterProblem(
  { authorization, identities, systemTopics }: ResourceManagerState,
  { scope, settings }: EventSubscription,
): string | undefined {
  const { deadLetter, attributes } = settings;
  const type = textAt(attributes, "deadLetterWithResourceIdentity", "identity", "type");
  if (deadLetter === undefined || !/^SystemAssigned$/i.test(type ?? "")) return undefined;
  const topicId = systemTopics.ofSource(scope)?.id ?? scope;
  const principalId = identities.principalOf(topicId);
  if (principalId === undefined) {
    return `The event subscription dead-letters with a system-assigned identity, but '${topicId}' has none. Enable the identity of the topic, or of a system topic for this scope.`;
  }
  const container = `${deadLetter.storageAccountId}/blobServices/default/containers/${deadLetter.container}`;
  if (authorization.allowsData(principalId, WRITE_BLOB, container)) return undefined;
  return `The managed identity with object id '${principalId}' is not allowed to dead-letter into '${container}'. Assign it the role 'Storage Blob Data Contributor' there. If access was recently granted, wait until it has taken effect.`;
}
