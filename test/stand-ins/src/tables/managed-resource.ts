import type { Account } from "../cloud/account.js";
import type { Json, JsonObject } from "../cloud/json-client.js";
import { doing, Refusal } from "../cloud/refusal.js";
import { alreadyExists } from "../generic/generic-resource.js";
import { type DataSource, type ResourceType, text } from "../provider/provider.js";
import type { BlockSchema } from "../schema/schema.js";
import type { Attributes } from "../values/value.js";
import { type Fields, readFields, writeFields } from "./fields.js";

type Rules = Pick<
  ResourceType<Account>,
  "forceNew" | "defaults" | "filledIn" | "normalize" | "caseInsensitive"
>;

/** A resource type of Resource Manager as azurerm maps it. */
export interface ManagedResource extends Rules {
  /** Its ID, with the names of attributes in braces; `{subscription}` is the account's. */
  readonly id: string;
  /** The form of its ID in Terraform's state. @default the ID itself */
  readonly idInState?: { of(id: string): string; from(inState: string): string };
  readonly apiVersion: string;
  /** Its name in messages, with the same names in braces. */
  readonly named: string;
  readonly fields: Fields;
  /** Attributes that an update with PATCH leaves out; without it, an update is another PUT. */
  readonly patchedWithout?: readonly string[];
  /** The error code after which a PUT is tried again. */
  readonly retried?: string;
  /** Prepares the planned values, for example with what has to be looked up. */
  prepare?(planned: Attributes, account: Account): Promise<Attributes>;
  /** Changes the body of a request, which the fields have made. */
  write?(body: JsonObject): JsonObject;
  /** Changes the response, before the fields read it. */
  read?(body: Json): Json;
  /** Learns what the response does not contain. */
  learn?(id: string, learnt: Attributes, account: Account, state: Attributes): Promise<Attributes>;
  /** Throws if the real provider cannot delete it. */
  deletable?(id: string): void;
}

/** A resource type of Resource Manager, see {@link ManagedResource}. */
export function managedResource(
  type: string,
  schema: BlockSchema,
  table: ManagedResource,
): ResourceType<Account> {
  const { apiVersion, named, fields, patchedWithout } = table;
  const idOf = (state: Attributes) => table.idInState?.from(text(state, "id")) ?? text(state, "id");
  const doingTo = <Result>(
    what: string,
    id: string,
    attributes: Attributes,
    work: () => Promise<Result>,
  ) => doing(`${what} ${filled(named, { ...attributes, ...fromId(table, id) })}`, work);

  const send = async (method: "PUT" | "PATCH", id: string, planned: Attributes, by: Account) => {
    const kept = Object.entries(planned).filter(
      ([name]) => method === "PUT" || !patchedWithout?.includes(name),
    );
    const written = writeFields(schema, fields, Object.fromEntries(kept), "absent");
    const body = table.write?.(written) ?? written;
    const path = `${id}?api-version=${apiVersion}`;
    const name = method === "PUT" ? "CreateOrUpdate" : "Update";
    await by.resourceManager.eventually(async () => {
      try {
        await by.resourceManager.change(method, path, body, name);
        return true;
      } catch (error) {
        if (error instanceof Refusal && error.code === table.retried) return undefined;
        throw error;
      }
    });
  };

  return {
    ...table,

    async create(given, account) {
      const planned = (await table.prepare?.(given, account)) ?? given;
      const id = filled(table.id, { ...planned, subscription: account.subscriptionId });
      const existing = await doingTo("checking for presence of existing", id, planned, () =>
        account.resourceManager.find(`${id}?api-version=${apiVersion}`),
      );
      if (existing) throw alreadyExists(type, id);
      await doingTo("creating", id, planned, () => send("PUT", id, planned, account));
      const learnt = await readManaged(schema, table, id, planned, account);
      return { ...learnt, id: table.idInState?.of(id) ?? id };
    },

    read: (state, account) => readManaged(schema, table, idOf(state), state, account),

    async update(prior, given, account) {
      const planned = (await table.prepare?.(given, account)) ?? given;
      const id = idOf(prior);
      const method = patchedWithout === undefined ? "PUT" : "PATCH";
      await doingTo("updating", id, planned, () => send(method, id, planned, account));
      return (await readManaged(schema, table, id, planned, account)) ?? {};
    },

    async delete(state, account) {
      const id = idOf(state);
      await doingTo("deleting", id, state, async () => {
        table.deletable?.(id);
        await account.resourceManager.remove(`${id}?api-version=${apiVersion}`);
      });
    },
  };
}

/** The data source that looks up a resource by the attributes in its ID. */
export function managedDataSource(
  schema: BlockSchema,
  table: ManagedResource,
): DataSource<Account> {
  return {
    async read(config, account) {
      const values = { ...config, subscription: account.subscriptionId };
      const id = filled(table.id, values);
      const found = await readManaged(schema, table, id, config, account);
      if (found === undefined) throw new Error(`${filled(table.named, values)} was not found`);
      const known = Object.entries(found).filter(([name]) => name in (schema.attributes ?? {}));
      return { ...Object.fromEntries(known), id };
    },
  };
}

async function readManaged(
  schema: BlockSchema,
  table: ManagedResource,
  id: string,
  state: Attributes,
  account: Account,
): Promise<Attributes | undefined> {
  const values = fromId(table, id);
  const found = await doing(`retrieving ${filled(table.named, { ...state, ...values })}`, () =>
    account.resourceManager.find(`${id}?api-version=${table.apiVersion}`),
  );
  if (found === undefined) return undefined;
  const { subscription: _, ...named } = values;
  const learnt = { ...named, ...readFields(schema, table.fields, table.read?.(found) ?? found) };
  for (const [name, normalize] of Object.entries(table.normalize ?? {})) {
    learnt[name] = normalize(text(learnt, name));
  }
  return { ...learnt, ...(await table.learn?.(id, learnt, account, state)) };
}

/** The template with values in the place of the names in braces. */
function filled(template: string, values: Attributes): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => text(values, name));
}

/** The attributes in an ID. Only a scope or target may contain slashes. */
function fromId({ id: template }: ManagedResource, id: string): Attributes {
  const pattern = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    /^(scope|target_resource_id)$/.test(name) ? `(?<${name}>.*)` : `(?<${name}>[^/]*)`,
  );
  return { ...new RegExp(`^${pattern}$`, "i").exec(id)?.groups };
}
