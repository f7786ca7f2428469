import type { LocalCloud, NewEventSubscription, Topic } from "cloud-eventgrid-local";

/** What a service needs to receive the events of a topic of a local Azure, and to publish to it. */
export function webhookBinding(cloud: LocalCloud, topic: Topic, displayName: string) {
  const { clientId } = cloud.applications.create({ displayName });
  return {
    cloudTenantId: cloud.tenantId,
    cloudClientId: clientId,
    cloudAuthorityHost: cloud.authorityHost,
    handshakePort: "9000",
    path: "/api/events",
    topicEndpoint: topic.endpoint,
    accessKey: topic.accessKey,
  };
}

/** Subscribes a service at a port of this machine to a topic, as `https://NAME.example.com`. */
export async function subscribeWebhook(
  cloud: LocalCloud,
  topic: Topic,
  { port, name, ...settings }: WebhookSubscription,
): Promise<void> {
  const origin = `https://${name}.example.com`;
  cloud.ingress.route(origin, `http://127.0.0.1:${port}`);
  await cloud.eventSubscriptions.create({
    name,
    scope: topic.id,
    endpointUrl: `${origin}/api/events`,
    ...settings,
  });
}

type WebhookSubscription = Pick<
  NewEventSubscription,
  "name" | "clientId" | "filter" | "deadLetterDestination"
> & { readonly port: number };
