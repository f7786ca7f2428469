import { objectAt, ServiceError } from "../base/index.js";
import { domainTopicNameOf, type Topic, type Topics, topicIdOf } from "./topics/index.js";

/** The name of the topic or domain with this resource ID: NAMESPACE/TOPIC in a namespace. */
export function topicNameOf(id: string): string {
  const [, namespace, name = ""] = /(?:\/namespaces\/([^/]+)\/topics)?\/([^/]+)$/i.exec(id) ?? [];
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** What event subscriptions may belong to. */
export class Scopes {
  constructor(
    private readonly eventGrid: {
      readonly topics: Topics;
      readonly domains: Topics;
      readonly hasSubscriptions: (scope: string) => boolean;
    },
  ) {}

  /** The topic or domain whose events a scope has, which may be a domain's topic. */
  topicOf(scope: string): Topic | undefined {
    const { topics, domains } = this.eventGrid;
    return topics.get(scope) ?? domains.get(topicIdOf(scope));
  }

  /** A domain's topic is created with its first event subscription. */
  createDomainTopic(scope: string): void {
    const name = domainTopicNameOf(scope);
    if (name !== undefined) this.topicOf(scope)?.addDomainTopic(name);
  }

  /** It is deleted with its last one. */
  deleteDomainTopic(scope: string): void {
    const name = domainTopicNameOf(scope);
    const domain = this.topicOf(scope);
    if (name === undefined || !domain || isOff(domain, AUTO_DELETE)) return;
    if (!this.eventGrid.hasSubscriptions(scope)) domain.deleteDomainTopic(name);
  }

  /** Only topics and domains must exist; other resources are not known here. */
  checkExists(scope: string): void {
    const isTopic = /\/providers\/microsoft\.eventgrid\/(topics|domains)\/[^/]+$/i;
    const topic = this.topicOf(scope);
    const name = domainTopicNameOf(scope) ?? "";
    const isManaged = name === "" || topic?.hasDomainTopic(name) || !isOff(topic, AUTO_CREATE);
    if (!isTopic.test(topicIdOf(scope)) || (topic && isManaged)) return;
    throw new ServiceError(
      404,
      "ResourceNotFound",
      `The Resource '${scope}' was not found. Create it first.`,
    );
  }
}

/** @see https://learn.microsoft.com/dotnet/api/azure.resourcemanager.eventgrid.eventgriddomaindata */
const AUTO_CREATE = "autoCreateTopicWithFirstSubscription";
const AUTO_DELETE = "autoDeleteTopicWithLastSubscription";

/** Whether a domain's property, which is on by default, is off. */
function isOff(domain: Topic | undefined, property: string): boolean {
  return objectAt(domain?.attributes, "properties")[property] === false;
}
