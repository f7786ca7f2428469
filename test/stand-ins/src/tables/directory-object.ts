import type { Account } from "../cloud/account.js";
import { type JsonObject, stringAt } from "../cloud/json-client.js";
import { doing } from "../cloud/refusal.js";
import { type ResourceType, text } from "../provider/provider.js";
import type { BlockSchema } from "../schema/schema.js";
import type { Attributes } from "../values/value.js";
import { type Fields, readFields, writeFields } from "./fields.js";

/** A resource type of Microsoft Graph as azuread maps it. */
export interface DirectoryObject extends Pick<ResourceType<Account>, "forceNew" | "defaults"> {
  readonly collection: "applications" | "servicePrincipals";
  /** What it is called in messages. */
  readonly named: string;
  readonly fields: Fields;
  /** Creates it in another way than with a POST of the body. Returns the object ID. */
  create?(planned: Attributes, body: JsonObject, account: Account): Promise<string>;
  /** Runs after an update. */
  afterUpdate?(prior: Attributes, planned: Attributes, account: Account): Promise<void>;
  /** Learns what the object itself does not contain. */
  learn?(objectId: string, account: Account): Promise<Attributes>;
}

/** A resource type of Microsoft Graph, see {@link DirectoryObject}. */
export function directoryObject(
  schema: BlockSchema,
  table: DirectoryObject,
): ResourceType<Account> {
  const { collection, named, fields } = table;
  const pathOf = (objectId: string) => `/v1.0/${collection}/${objectId}`;
  const bodyOf = (planned: Attributes) => writeFields(schema, fields, planned, "null");

  async function read(objectId: string, account: Account): Promise<Attributes | undefined> {
    const found = await account.graph.find(pathOf(objectId));
    if (found === undefined) return undefined;
    return { ...readFields(schema, fields, found), ...(await table.learn?.(objectId, account)) };
  }

  return {
    ...table,

    async create(planned, account) {
      const body = bodyOf(planned);
      const objectId = await doing(`creating ${named}`, async () => {
        if (table.create !== undefined) return table.create(planned, body, account);
        const created = await account.graph.call("POST", `/v1.0/${collection}`, body);
        return stringAt(created.body, "id");
      });
      return { ...(await read(objectId, account)), id: `/${collection}/${objectId}` };
    },

    read: (state, account) => read(objectIdOf(text(state, "id")), account),

    async update(prior, planned, account) {
      const objectId = objectIdOf(text(prior, "id"));
      await doing(`updating ${named} with object ID "${objectId}"`, async () => {
        await account.graph.call("PATCH", pathOf(objectId), bodyOf(planned));
        await table.afterUpdate?.(prior, planned, account);
      });
      return (await read(objectId, account)) ?? {};
    },

    async delete(state, account) {
      const path = pathOf(objectIdOf(text(state, "id")));
      await doing(`deleting ${named} ${text(state, "client_id")}`, () =>
        account.graph.call("DELETE", path),
      );
      await account.graph.eventually(async () =>
        (await account.graph.find(path)) === undefined ? true : undefined,
      );
    },
  };
}

/** The directory's object ID at the end of a resource ID such as `/applications/{id}`. */
export function objectIdOf(resourceId: string): string {
  return resourceId.split("/")[2] ?? resourceId;
}
