import type { Account } from "../../cloud/account.js";
import { stringAt } from "../../cloud/json-client.js";
import { doing, Refusal } from "../../cloud/refusal.js";
import { alreadyExists } from "../../generic/generic-resource.js";
import { type ResourceType, text } from "../../provider/provider.js";
import type { Attributes } from "../../values/value.js";
import { eventGrid } from "../versions.js";
import { check } from "./check.js";
import { fromCloud } from "./from-cloud.js";
import type { Place } from "./place.js";
import { toCloud } from "./to-cloud.js";

/**
 * `azurerm_eventgrid_event_subscription`, and the same for system topics.
 *
 * As in the real provider, the ID enters the state only after the operation has succeeded: a create
 * whose handshake fails leaves a subscription in the cloud that is missing from the state, and the
 * next apply fails because it already exists.
 */
export function eventSubscription(place: Place): ResourceType<Account> {
  const { named } = place;

  const put = async (id: string, planned: Attributes, account: Account): Promise<void> => {
    const body = toCloud(planned);
    await doing(`creating/updating ${named(id)}`, () =>
      account.resourceManager.change("PUT", eventGrid(id), body, "CreateOrUpdate"),
    );
  };
  const read = async (
    id: string,
    state: Attributes,
    account: Account,
  ): Promise<Attributes | undefined> => {
    const found = await doing(`retrieving ${named(id)}`, () =>
      account.resourceManager.find(eventGrid(id)),
    );
    if (found === undefined) return undefined;
    const fullUrl = await doing(`retrieving full url for ${named(id)}`, () => urlOf(id, account));
    return { ...fromCloud(found, fullUrl, state), ...place.attributesOf(id) };
  };

  return {
    forceNew: ["name", ...place.attributes, "event_delivery_schema"],
    filledIn: ["retry_policy"],
    defaults: {
      event_delivery_schema: "EventGridSchema",
      advanced_filtering_on_arrays_enabled: false,
    },
    check,

    async create(planned, account) {
      const id = place.idOf(planned, account);
      const existing = await doing(`checking for presence of existing ${named(id)}`, () =>
        account.resourceManager.find(eventGrid(id)),
      );
      if (existing) throw alreadyExists(place.type, id);
      await put(id, planned, account);
      return { ...(await read(id, planned, account)), id };
    },

    read: (state, account) => read(text(state, "id"), state, account),

    async update(prior, planned, account) {
      const id = text(prior, "id");
      await put(id, planned, account);
      return (await read(id, planned, account)) ?? {};
    },

    delete: (state, account) =>
      doing(`deleting ${named(text(state, "id"))}`, () => {
        const id = text(state, "id");
        // If the scope ends with a slash, the real provider polls for thirty minutes and then
        // fails.
        if (id.includes("//")) throw new Error("polling after Delete: context deadline exceeded");
        return account.resourceManager.remove(eventGrid(id));
      }),
  };
}

/** Only a webhook has a URL; for any other destination the service answers 400. */
async function urlOf(id: string, account: Account): Promise<string> {
  try {
    const { body } = await account.resourceManager.call("POST", eventGrid(`${id}/getFullUrl`));
    return stringAt(body, "endpointUrl");
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return "";
    throw error;
  }
}
