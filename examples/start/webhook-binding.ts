import type { LocalCloud, Topic } from "cloud-eventgrid-local";

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
