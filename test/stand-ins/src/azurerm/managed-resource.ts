import type { Account } from "../cloud/account.js";
import { doing } from "../cloud/client.js";
import { type Fields, readFields, writeFields } from "../provider/fields.js";
import {
  alreadyExists,
  type DataSource,
  type ResourceType,
  UnfinishedCreation,
} from "../provider/provider.js";
import { type Attributes, text, type Value } from "../values/value.js";
import type { Behaviour } from "./releases.js";

/**
 * The feature, off by default, with which azurerm 5 keeps a resource whose long-running creation fails, as
 * tainted: SetIDCallback in internal/sdk. Without it, and in azurerm 4, the ID enters the state last.
 */
const PERSISTS = "persist_id_on_create_before_polling_for_completion";

/** A resource type of Resource Manager as azurerm maps it. */
export interface ManagedResource extends Pick<ResourceType, "forceNew" | "defaults" | "filledIn"> {
  /** Its ID, with the names of attributes in braces; `{subscription}` is the account's. */
  readonly id: string;
  readonly apiVersion: string;
  /** What it is called in messages. */
  readonly named: string;
  readonly fields: Fields;
  /** Further attributes whose change replaces the resource in a release. */
  alsoForceNew?(behaviour: Behaviour): readonly string[];
  /** Whether its creation takes long enough to be polled. */
  readonly isLongRunning?: true;
  /** Prepares the planned values, for example with what has to be looked up. */
  prepare?(planned: Attributes, account: Account): Promise<Attributes>;
  /** Changes the body of a request, which the fields have made. */
  write?(body: Attributes): object;
  /** Changes the response, before the fields read it. */
  read?(body: Value): Value;
  /** Learns what the response does not contain. */
  learn?(id: string, learnt: Attributes, account: Account, state: Attributes): Promise<Attributes>;
}

/** A resource type of Resource Manager, see {@link ManagedResource}. An update is another PUT. */
export function managedResource(
  type: string,
  table: ManagedResource,
  behaviour: Behaviour,
): ResourceType {
  const { apiVersion, named, fields, defaults, filledIn } = table;

  async function put(
    what: string,
    id: string,
    planned: Attributes,
    account: Account,
    onAccepted = () => {},
  ) {
    const body = table.write?.(writeFields(fields, planned)) ?? writeFields(fields, planned);
    await doing(`${what} ${named} "${id}"`, () =>
      account.resourceManager.put(`${id}?api-version=${apiVersion}`, body, onAccepted),
    );
    return (await readManaged(table, id, planned, account)) ?? {};
  }

  return {
    forceNew: [...table.forceNew, ...(table.alsoForceNew?.(behaviour) ?? [])],
    ...(defaults && { defaults }),
    ...(filledIn && { filledIn }),

    async create(given, account) {
      const planned = (await table.prepare?.(given, account)) ?? given;
      const id = filled(table.id, planned, account);
      const existing = await doing(`checking for presence of existing ${named} "${id}"`, () =>
        account.resourceManager.find(`${id}?api-version=${apiVersion}`),
      );
      if (existing !== undefined) throw alreadyExists(type, id);
      let isAccepted = false;
      try {
        const learnt = await put("creating", id, planned, account, () => {
          isAccepted = true;
        });
        return { ...learnt, id };
      } catch (error) {
        const isStored = isAccepted && account.features.has(PERSISTS) && table.isLongRunning;
        throw isStored ? new UnfinishedCreation({ ...planned, id }, error) : error;
      }
    },

    read: (state, account) => readManaged(table, text(state, "id"), state, account),

    async update(prior, given, account) {
      const planned = (await table.prepare?.(given, account)) ?? given;
      return put("updating", text(prior, "id"), planned, account);
    },

    async delete(state, account) {
      const id = text(state, "id");
      await doing(`deleting ${named} "${id}"`, () =>
        account.resourceManager.remove(`${id}?api-version=${apiVersion}`),
      );
    },
  };
}

/** The data source that looks up a resource by the attributes in its ID. */
export function managedDataSource(table: ManagedResource): DataSource {
  return async (config, account) => {
    const id = filled(table.id, config, account);
    const found = await readManaged(table, id, config, account);
    if (found === undefined) throw new Error(`${table.named} "${id}" was not found`);
    return { ...found, id };
  };
}

async function readManaged(
  table: ManagedResource,
  id: string,
  state: Attributes,
  account: Account,
): Promise<Attributes | undefined> {
  const found = await doing(`retrieving ${table.named} "${id}"`, () =>
    account.resourceManager.find(`${id}?api-version=${table.apiVersion}`),
  );
  if (found === undefined) return undefined;
  const body = table.read?.(found) ?? found;
  const learnt = { ...attributesIn(table, id), ...readFields(table.fields, body) };
  return { ...learnt, ...(await table.learn?.(id, learnt, account, state)) };
}

/** The template with values in the place of the names in braces. */
function filled(template: string, values: Attributes, { subscriptionId }: Account): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === "subscription" ? subscriptionId : text(values, name),
  );
}

/** The attributes in an ID. Only a scope or another ID may contain slashes. */
function attributesIn({ id: template }: ManagedResource, id: string): Attributes {
  const pattern = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    /^(scope|\w+_id)$/.test(name) ? `(?<${name}>.*)` : `(?<${name}>[^/]*)`,
  );
  return { ...new RegExp(`^${pattern}$`, "i").exec(id)?.groups };
}
