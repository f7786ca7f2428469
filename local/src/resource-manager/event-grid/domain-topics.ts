import { domainTopicNameOf, type Topic, topicIdOf } from "../../eventgrid/index.js";
import type { Resource, ResourceType } from "../engine/index.js";
import { parentNotFound } from "../resources/index.js";
import { plainFields } from "./field-rules.js";
import { eventGridLists } from "./lists.js";
import type { EventGridState } from "./state.js";
import { DOMAIN_TYPE } from "./topic-resources.js";

const DOMAIN_TOPIC_TYPE = `${DOMAIN_TYPE}/topics`;

/** The topics of domains, which Event Grid also creates and deletes with event subscriptions. */
export function domainTopicResources({
  domains,
  eventSubscriptions,
}: EventGridState): ResourceType {
  const resourceOf = (domain: Topic, name: string): Resource => ({
    id: `${domain.id}/topics/${name}`,
    name,
    type: DOMAIN_TOPIC_TYPE,
    location: domain.location,
    body: {},
  });
  return {
    type: DOMAIN_TOPIC_TYPE,
    ...eventGridLists,
    read: {
      get: (id) => {
        const domain = domains.get(topicIdOf(id));
        const wanted = domainTopicNameOf(id)?.toLowerCase();
        const name = domain?.domainTopics().find((each) => each.toLowerCase() === wanted);
        return domain && name !== undefined ? resourceOf(domain, name) : undefined;
      },
      list: () =>
        domains
          .list()
          .flatMap((domain) => domain.domainTopics().map((name) => resourceOf(domain, name))),
    },
    onWrite: ({ id, name }) => {
      const domain = domains.get(topicIdOf(id));
      if (!domain) throw parentNotFound("write", id);
      domain.addDomainTopic(name);
      return resourceOf(domain, name);
    },
    onDelete: ({ id, name }) => {
      eventSubscriptions.deleteWithin(id);
      domains.get(topicIdOf(id))?.deleteDomainTopic(name);
    },
    fields: plainFields,
    isOperation: true,
  };
}
