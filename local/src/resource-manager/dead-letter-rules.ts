import { textAt } from "../control-plane/json-fields.js";
import { ServiceError } from "../errors.js";
import type { EventSubscription } from "../eventgrid/subscriptions/index.js";
import type { ResourceManagerState } from "./state.js";

const WRITE_BLOB = "Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write";

/**
 * A subscription that dead-letters with the topic's own identity needs a topic, or a system topic
 * for its scope, that has one, and the identity must be allowed to write into the container: Azure
 * looks when the subscription is written. Identities that users manage are unknown here.
 * @throws ServiceError `InvalidRequest`
 */
export function requireDeadLetterRole(
  { authorization, identities, systemTopics }: ResourceManagerState,
  { scope, settings }: EventSubscription,
): void {
  const { deadLetter, attributes } = settings;
  const type = textAt(attributes, "deadLetterWithResourceIdentity", "identity", "type");
  if (deadLetter === undefined || !/^SystemAssigned$/i.test(type ?? "")) return;
  const topicId = systemTopics.ofSource(scope)?.id ?? scope;
  const principalId = identities.principalOf(topicId);
  if (principalId === undefined) {
    throw refused(
      `The event subscription dead-letters with a system-assigned identity, but '${topicId}' has none. Enable the identity of the topic, or of a system topic for this scope.`,
    );
  }
  const container = `${deadLetter.storageAccountId}/blobServices/default/containers/${deadLetter.container}`;
  if (authorization.allowsData(principalId, WRITE_BLOB, container)) return;
  throw refused(
    `The managed identity with object id '${principalId}' is not allowed to dead-letter into '${container}'. Assign it the role 'Storage Blob Data Contributor' there. If access was recently granted, wait until it has taken effect.`,
  );
}

function refused(message: string): ServiceError {
  return new ServiceError(400, "InvalidRequest", message);
}
