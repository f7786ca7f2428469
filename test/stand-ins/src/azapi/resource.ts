import { fromIdentity, toIdentity } from "../azurerm/resource-types.js";
import type { Account } from "../cloud/account.js";
import { doing } from "../cloud/client.js";
import { shortName } from "../provider/plan.js";
import {
  alreadyExists,
  type DataSource,
  type Plan,
  type ResourceType,
} from "../provider/provider.js";
import {
  type Attributes,
  at,
  isAttributes,
  objects,
  same,
  text,
  texts,
  UNKNOWN,
  type Value,
} from "../values/value.js";
import { type Comparison, exported, inShapeOf, merge } from "./body.js";

/** Flags and their defaults. */
const flags = {
  ignore_casing: false,
  ignore_missing_property: true,
  ignore_null_property: false,
  schema_validation_enabled: true,
};

/** `azapi_resource`: any resource of Resource Manager, with the body that the configuration has. */
export const azapiResource: ResourceType = {
  forceNew: [],
  planned,
  read,

  async create(wanted, account) {
    const id = idOf(wanted);
    if ((await get(id, wanted, account)) !== undefined) throw alreadyExists("azapi_resource", id);
    await put(id, wanted, {}, account);
    return { ...(await read({ ...wanted, id }, account)), id };
  },

  async update(prior, wanted, account) {
    const id = text(prior, "id");
    await put(id, wanted, prior, account);
    return (await read({ ...wanted, id }, account)) ?? {};
  },

  async delete(state, account) {
    const id = text(state, "id");
    await doing(`deleting Resource: (ResourceId "${id}")`, () =>
      account.resourceManager.remove(`${id}?api-version=${apiVersion(state)}`),
    );
  },
};

/** The data source `azapi_resource`, by the ID of a resource. */
export const azapiResourceData: DataSource = async (config, account) => {
  const id = text(config, "resource_id");
  const found = await get(id, config, account);
  if (found === undefined) throw new Error(`Resource not found: "${id}" was not found`);
  return { id, output: exported(found, texts(config, "response_export_values")) };
};

/**
 * A changed body is compared with Azure's answer once more: if the answer has all its values, nothing
 * is planned. So a field that is removed from the body stays as it is.
 */
async function planned(
  prior: Attributes | null,
  config: Attributes,
  account: Account,
): Promise<Plan> {
  const body = config.body ?? {};
  const wanted: Attributes = { ...config, body, sensitive_body: null, ignore_body_changes: null };
  for (const [flag, value] of Object.entries(flags)) wanted[flag] ??= value;
  const computed = { principal_id: UNKNOWN, tenant_id: UNKNOWN };
  wanted.identity = objects(config, "identity").map((block) => ({ ...block, ...computed }));
  if (prior === null) return { planned: { ...wanted, id: UNKNOWN, output: UNKNOWN }, replace: [] };

  wanted.id = prior.id ?? null;
  const identitiesOf = (state: Attributes) =>
    objects(state, "identity").map(({ type = null, identity_ids = null }) => [type, identity_ids]);
  if (same(identitiesOf(config), identitiesOf(prior))) wanted.identity = prior.identity ?? null;
  if (shortName(text(wanted, "location")) === shortName(text(prior, "location"))) {
    wanted.location = prior.location ?? null;
  }
  const changed = (name: string) => !same(prior[name] ?? null, wanted[name] ?? null);
  const isKnown = !hasUnknown(body);
  if (isKnown && (changed("body") || changed("type"))) {
    const answer = (await get(text(prior, "id"), wanted, account)) ?? {};
    const merged = merge(answer, prior.body ?? {});
    const remote = inShapeOf(body, merged, { ...comparison(wanted), ignoreMissing: false });
    if (same(remote, body)) Object.assign(wanted, { body: prior.body, type: prior.type });
  }
  const isWritten = ["body", "type", "identity", "tags", "response_export_values"].some(changed);
  wanted.output = isWritten ? UNKNOWN : (prior.output ?? null);
  const isTriggered = texts(config, "replace_triggers_refs").some(
    (path) => !same(at(prior, `body.${path}`), at(wanted, `body.${path}`)),
  );
  return {
    planned: wanted,
    replace: [
      ...["name", "parent_id", "location"].filter(changed),
      ...(isKnown && isTriggered ? ["body"] : []),
    ],
  };
}

async function read(state: Attributes, account: Account): Promise<Attributes | undefined> {
  const answer = await get(text(state, "id"), state, account);
  if (answer === undefined) return undefined;
  const tags = at(answer, "tags");
  const [identity] = fromIdentity(at(answer, "identity"));
  return {
    body: inShapeOf(state.body ?? {}, answer, comparison(state)),
    output: exported(answer, texts(state, "response_export_values")),
    tags: isAttributes(tags) && Object.keys(tags).length > 0 ? tags : null,
    identity: objects(state, "identity").map(({ identity_ids = null }) => ({
      ...identity,
      identity_ids,
    })),
  };
}

async function put(id: string, wanted: Attributes, prior: Attributes, account: Account) {
  const { body, location, tags, identity = null } = wanted;
  const isIdentified = [wanted, prior].some((state) => objects(state, "identity").length > 0);
  const resource = {
    ...Object(body),
    ...(location && { location }),
    ...(tags && { tags }),
    ...(isIdentified && { identity: toIdentity(identity) }),
  };
  await doing(`creating/updating Resource: (ResourceId "${id}")`, () =>
    account.resourceManager.put(`${id}?api-version=${apiVersion(wanted)}`, resource),
  );
}

function get(id: string, attributes: Attributes, { resourceManager }: Account) {
  return resourceManager.find(`${id}?api-version=${apiVersion(attributes)}`);
}

/** The ID is made of the parent's and of the last part of the type, never the service's spelling. */
function idOf(attributes: Attributes): string {
  const [namespace, ...types] = (text(attributes, "type").split("@")[0] ?? "").split("/");
  const parent = text(attributes, "parent_id");
  const provider = types.length > 1 ? "" : `/providers/${namespace}`;
  return `${parent}${provider}/${types.at(-1)}/${text(attributes, "name")}`;
}

function apiVersion(attributes: Attributes): string {
  return text(attributes, "type").split("@")[1] ?? "";
}

function comparison(attributes: Attributes): Comparison {
  return {
    ignoreCasing: attributes.ignore_casing === true,
    ignoreMissing: attributes.ignore_missing_property !== false,
    listKeys: attributes.list_unique_id_property ?? null,
  };
}

/** Whether a value contains one that is known only during apply. */
function hasUnknown(value: Value): boolean {
  if (value === UNKNOWN) return true;
  return value !== null && typeof value === "object" && Object.values(value).some(hasUnknown);
}
