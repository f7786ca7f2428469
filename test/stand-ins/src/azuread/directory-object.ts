import type { Account } from "../cloud/account.js";
import { doing } from "../cloud/client.js";
import { type Fields, readFields, writeFields } from "../provider/fields.js";
import type { DataSource, ResourceType } from "../provider/provider.js";
import { type Attributes, objects, text } from "../values/value.js";

/** A resource type of Microsoft Graph as azuread maps it. */
export interface DirectoryObject extends Pick<ResourceType, "forceNew" | "defaults"> {
  readonly collection: "applications" | "servicePrincipals";
  readonly fields: Fields;
  /** Creates it with that body in another way than with a POST. Returns the object ID. */
  create?(planned: Attributes, body: Attributes, account: Account): Promise<string>;
  /** Learns what the object itself does not contain. */
  learn?(objectId: string, account: Account): Promise<Attributes>;
}

/** A resource type of Microsoft Graph, see {@link DirectoryObject}. */
export function directoryObject(table: DirectoryObject): ResourceType {
  const { collection, fields, forceNew, defaults = {} } = table;
  const pathOf = (state: Attributes) => `/v1.0${text(state, "id")}`;

  async function read(state: Attributes, account: Account): Promise<Attributes | undefined> {
    const found = await account.graph.find(pathOf(state));
    if (found === undefined) return undefined;
    return {
      ...readFields(fields, found),
      ...(await table.learn?.(text(found, "id"), account)),
    };
  }

  return {
    forceNew,
    defaults,
    read,

    async create(planned, account) {
      const body = writeFields(fields, planned);
      const objectId = table.create
        ? await table.create(planned, body, account)
        : await created(collection, body, account);
      const id = `/${collection}/${objectId}`;
      return { ...(await read({ id }, account)), id };
    },

    async update(prior, planned, account) {
      const path = pathOf(prior);
      await doing(`updating ${path}`, () =>
        account.graph.call("PATCH", path, writeFields(fields, planned)),
      );
      return (await read(prior, account)) ?? {};
    },

    async delete(state, account) {
      const path = pathOf(state);
      await doing(`deleting ${path}`, () => account.graph.call("DELETE", path));
      await account.graph.until(async () => (await account.graph.find(path)) === undefined);
    },
  };
}

/** Creates an object. Returns its ID. */
export async function created(collection: string, body: object, { graph }: Account) {
  const answer = await doing(`creating one of ${collection}`, () =>
    graph.call("POST", `/v1.0/${collection}`, body),
  );
  return text(answer.body, "id");
}

/** The object of a client ID. */
export async function byClientId(collection: string, clientId: string, { graph }: Account) {
  const filter = encodeURIComponent(`appId eq '${clientId}'`);
  const [found] = objects(await graph.get(`/v1.0/${collection}?$filter=${filter}`), "value");
  return found;
}

/** The data source of an object by its client ID, which the constructs and modules know. */
export function objectDataSource({ collection, fields }: DirectoryObject): DataSource {
  return async (config, account) => {
    const found = await byClientId(collection, text(config, "client_id"), account);
    // The real provider does not say which service principal it looked for.
    if (found === undefined) {
      const what = collection === "applications" ? "application" : "service principal";
      throw new Error(`No ${what} found`);
    }
    return { ...readFields(fields, found), id: `/${collection}/${text(found, "id")}` };
  };
}
