import type { Account } from "../../cloud/account.js";
import { text } from "../../provider/provider.js";
import type { Attributes } from "../../values/value.js";

/** Where the event subscriptions of a resource type are, and how the type writes that down. */
export interface Place {
  readonly type: string;
  /** The attributes that define the place. Changing one replaces the event subscription. */
  readonly attributes: readonly string[];
  idOf(planned: Attributes, account: Account): string;
  /** The attributes that the ID contains, the name included. */
  attributesOf(id: string): Attributes;
  /** Its name in the real provider's messages. */
  named(id: string): string;
}

const PATH = "/providers/Microsoft.EventGrid/eventSubscriptions/";

/** At a scope: a subscription, a resource group, a resource or a topic. */
export const atScope: Place = {
  type: "azurerm_eventgrid_event_subscription",
  attributes: ["scope"],
  idOf: (planned) => `${text(planned, "scope")}${PATH}${text(planned, "name")}`,
  attributesOf(id) {
    const [scope = "", name = ""] = id.split(PATH);
    return { scope, name };
  },
  named(id) {
    const [scope, name] = id.split(PATH);
    return `Scoped Event Subscription (Scope: "${scope}"\nEvent Subscription Name: "${name}")`;
  },
};

/** On a system topic. */
export const onSystemTopic: Place = {
  type: "azurerm_eventgrid_system_topic_event_subscription",
  attributes: ["resource_group_name", "system_topic"],
  idOf: (planned, { subscriptionId }) =>
    `/subscriptions/${subscriptionId}/resourceGroups/${text(planned, "resource_group_name")}/providers/Microsoft.EventGrid/systemTopics/${text(planned, "system_topic")}/eventSubscriptions/${text(planned, "name")}`,
  attributesOf(id) {
    const segments = id.split("/");
    return {
      resource_group_name: segments[4] ?? "",
      system_topic: segments[8] ?? "",
      name: segments[10] ?? "",
    };
  },
  named(id) {
    const { resource_group_name, system_topic, name } = onSystemTopic.attributesOf(id);
    return `Event Subscription (Resource Group Name: "${resource_group_name}"\nSystem Topic Name: "${system_topic}"\nEvent Subscription Name: "${name}")`;
  },
};
