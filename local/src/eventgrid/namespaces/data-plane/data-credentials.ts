import type { CredentialChecks, CredentialTarget } from "../../credentials.js";
import type { Namespace } from "../namespace.js";

export interface DataCredentialChecks extends CredentialChecks {
  /** Whether the principal with this object ID may receive events from the resource. */
  readonly mayReceive: (principalId: string, resourceId: string) => boolean;
}

/**
 * What a request to a namespace signs in to.
 *
 * @param topic name of the topic, which may not exist
 * @param subscription name of the event subscription; `undefined` for publishing
 */
export function dataTarget(
  namespace: Namespace,
  topic: string,
  subscription: string | undefined,
  { maySend, mayReceive }: DataCredentialChecks,
): CredentialTarget {
  const topicId = `${namespace.id}/topics/${topic}`;
  const path = `${namespace.path}/topics/${topic}`.toLowerCase();
  const common = {
    keys: [namespace, namespace.topics.get(topic) ?? []]
      .flat()
      .flatMap((owner) => Object.values(owner.keys())),
    allowsSharedAccessKey: true,
  };
  const refusals = (action: string, role: string) => ({
    none: "The request has no credentials: a bearer token, a SharedAccessKey or a SharedAccessSignature in Authorization, or aeg-sas-key or aeg-sas-token.",
    key: () => "The key is not one of the namespace or the topic.",
    principal: (id: string) =>
      `The principal '${id}' may not ${action} events of ${topicId}. Assign it the role 'EventGrid Data ${role}' at the namespace.`,
  });
  if (subscription === undefined) {
    return {
      ...common,
      path,
      isAllowed: (id) => maySend(id, topicId),
      refusals: refusals("send", "Sender"),
    };
  }
  return {
    ...common,
    path: `${path}/eventsubscriptions/${subscription}`.toLowerCase(),
    isAllowed: (id) => mayReceive(id, `${topicId}/eventSubscriptions/${subscription}`),
    refusals: refusals("receive", "Receiver"),
  };
}
