import { entraRoute } from "./entra/index.js";
import { dataRoute, publishRoute } from "./eventgrid/index.js";
import type { Route } from "./http/index.js";
import type { ServerNames } from "./network/index.js";
import type { Parts } from "./parts.js";

/** What Azure itself serves: the endpoints of topics and namespaces, Entra, and validation URLs. */
export function azureRoutes(
  { eventGrid, directory, keys, tokens, faults, clock, permissions, now, controlPlane }: Parts,
  serverNames: ServerNames,
): Route[] {
  const common = {
    verify: (token: string) => tokens.verify(token),
    now,
    serverNames,
    eventTime: () => clock.now(),
  };
  const isUnreachable = () => faults.isIssuerUnreachable;
  return [
    publishRoute({
      ...common,
      topicAt: (path) => eventGrid.topicAt(path),
      maySend: (principalId, topic) => permissions.maySend(principalId, topic.id),
      accept: (topic, events) => eventGrid.acceptance.accept(topic, events),
      onRequest: (topic, outcome) => {
        if (typeof outcome === "number") eventGrid.stages.published(topic, outcome);
        else eventGrid.stages.refused(topic, outcome, clock.now());
      },
      fault: () => faults.nextForPublishing(),
    }),
    dataRoute({
      ...common,
      namespaceAt: (path) => eventGrid.namespaces.atPath(path),
      maySend: (principalId, id) => permissions.maySend(principalId, id),
      mayReceive: (principalId, id) => permissions.mayReceive(principalId, id),
      accept: (topic, events) => eventGrid.acceptance.acceptInNamespace(topic, events),
      save: () => eventGrid.saveLocks(),
      publishFault: () => faults.nextForPublishing(),
      receivingFault: (operation, name) => faults.nextForReceiving(operation, name),
    }),
    entraRoute({ directory, keys, tokens, now, isUnreachable }),
    ...(controlPlane ? [controlPlane.identityEndpoint.route(isUnreachable)] : []),
    ...eventGrid.routes(),
  ];
}
