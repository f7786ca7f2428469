import type { Json } from "../cloud/json-client.js";
import { doing } from "../cloud/refusal.js";
import {
  blocks,
  type DataSource,
  type Plan,
  type ResourceType,
  text,
  texts,
} from "../provider/provider.js";
import { type Attributes, isAttributes, same, UNKNOWN, type Value } from "../values/value.js";
import type { AzapiAccount } from "./account.js";
import { type Comparison, exported, hasUnknown, inShapeOf, valueAt } from "./body.js";

/** Flags and their defaults. */
const flags = {
  ignore_casing: false,
  ignore_missing_property: true,
  ignore_null_property: false,
  schema_validation_enabled: true,
};

/** `azapi_resource`: any resource of Resource Manager, with the body that the configuration has. */
export const azapiResource: ResourceType<AzapiAccount> = {
  forceNew: [],
  planned,

  async create(wanted, account) {
    const id = idOf(wanted);
    if ((await get(id, wanted, account)) !== undefined) {
      throw new Error(
        `Resource already exists: a resource with the ID "${id}" already exists - to be managed via Terraform this resource needs to be imported into the State. Please see the resource documentation for "azapi_resource" for more information.`,
      );
    }
    await put(id, wanted, account);
    return { ...(await read({ ...wanted, id }, account)), id };
  },

  read,

  async update(prior, wanted, account) {
    const id = text(prior, "id");
    const wasIdentified = blocks(prior, "identity").length > 0;
    await put(id, wanted, account, wasIdentified);
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
export const azapiResourceData: DataSource<AzapiAccount> = {
  async read(config, account) {
    const id = text(config, "resource_id");
    const found = await get(id, config, account);
    if (found === undefined) throw new Error(`Resource not found: "${id}" was not found`);
    const output = exported(asValue(found), config.response_export_values ?? null);
    return { id, name: id.split("/").at(-1) ?? "", output, exists: true };
  },
};

/**
 * A changed body is compared with Azure's answer once more: if the answer has all its values, nothing
 * is planned. So a field that is removed from the body stays as it is.
 */
async function planned(
  prior: Attributes | null,
  config: Attributes,
  account: AzapiAccount,
): Promise<Plan> {
  const wanted: Attributes = { ...config, sensitive_body: null, ignore_body_changes: null };
  wanted.body = config.body ?? {};
  for (const [flag, value] of Object.entries(flags)) wanted[flag] = config[flag] ?? value;
  const identities = blocks(config, "identity");
  wanted.identity = identities.map((block) => ({
    ...block,
    principal_id: UNKNOWN,
    tenant_id: UNKNOWN,
  }));
  if (prior === null) return { planned: { ...wanted, id: UNKNOWN, output: UNKNOWN }, replace: [] };

  wanted.id = prior.id ?? null;
  const given = (block: Attributes) => [block.type ?? null, block.identity_ids ?? null];
  if (same(identities.map(given), blocks(prior, "identity").map(given))) {
    wanted.identity = prior.identity ?? null;
  }
  const normalized = (location: Value | undefined) =>
    String(location ?? "")
      .replaceAll(" ", "")
      .toLowerCase();
  if (normalized(wanted.location) === normalized(prior.location)) {
    wanted.location = prior.location ?? null;
  }
  const isKnown = !hasUnknown(wanted.body, (value) => value === UNKNOWN);
  const changed = (name: string) => !same(prior[name] ?? null, wanted[name] ?? null);
  if (isKnown && (changed("body") || changed("type"))) {
    const answer = (await get(text(prior, "id"), wanted, account)) ?? {};
    const merged = merge(asValue(answer), prior.body ?? {});
    const remote = inShapeOf(wanted.body, merged, { ...comparison(wanted), ignoreMissing: false });
    if (same(remote, wanted.body)) {
      wanted.body = prior.body ?? {};
      wanted.type = prior.type ?? null;
    }
  }
  const isWritten = ["body", "type", "identity", "tags", "response_export_values"].some(changed);
  wanted.output = isWritten ? UNKNOWN : (prior.output ?? null);
  const triggers = texts(config, "replace_triggers_refs").filter(
    (path) => !same(valueAt(prior.body ?? {}, path), valueAt(wanted.body ?? {}, path)),
  );
  return {
    planned: wanted,
    replace: [
      ...["name", "parent_id", "location"].filter(changed),
      ...(isKnown && triggers.length > 0 ? ["body"] : []),
    ],
  };
}

async function read(state: Attributes, account: AzapiAccount): Promise<Attributes | undefined> {
  const found = await get(text(state, "id"), state, account);
  if (found === undefined) return undefined;
  const answer = asValue(found);
  const field = (name: string) => valueAt(answer, name);
  const tags = field("tags");
  return {
    body: inShapeOf(state.body ?? {}, answer, comparison(state)),
    output: exported(answer, state.response_export_values ?? null),
    tags: isAttributes(tags) && Object.keys(tags).length > 0 ? tags : null,
    identity: blocks(state, "identity").map(({ identity_ids }) => ({
      type: valueAt(answer, "identity.type"),
      identity_ids: identity_ids ?? null,
      principal_id: valueAt(answer, "identity.principalId"),
      tenant_id: valueAt(answer, "identity.tenantId"),
    })),
  };
}

async function put(
  id: string,
  wanted: Attributes,
  account: AzapiAccount,
  wasIdentified = false,
): Promise<void> {
  const [identity] = blocks(wanted, "identity");
  const ids = identity && texts(identity, "identity_ids").map((each) => [each, {}]);
  const body = {
    ...(isAttributes(wanted.body) && wanted.body),
    ...(wanted.location && { location: wanted.location }),
    ...(wanted.tags && { tags: wanted.tags }),
    ...(identity && {
      identity: {
        type: identity.type,
        ...(ids && ids.length > 0 && { userAssignedIdentities: Object.fromEntries(ids) }),
      },
    }),
    ...(!identity && wasIdentified && { identity: { type: "None" } }),
  };
  await doing(`creating/updating Resource: (ResourceId "${id}")`, () =>
    account.resourceManager.change(
      "PUT",
      `${id}?api-version=${apiVersion(wanted)}`,
      JSON.parse(JSON.stringify(body)),
      "CreateOrUpdate",
    ),
  );
}

function get(id: string, attributes: Attributes, { resourceManager }: AzapiAccount) {
  return resourceManager.find(`${id}?api-version=${apiVersion(attributes)}`);
}

/** The ID is made of the parent's and of the last part of the type, never the service's spelling. */
function idOf(attributes: Attributes): string {
  const type = text(attributes, "type").split("@")[0] ?? "";
  const [namespace, ...types] = type.split("/");
  const parent = text(attributes, "parent_id");
  const provider = types.length > 1 ? "" : `/providers/${namespace}`;
  return `${parent}${provider}/${types.at(-1)}/${text(attributes, "name")}`;
}

function apiVersion(attributes: Attributes): string {
  return text(attributes, "type").split("@")[1] ?? "";
}

function comparison(attributes: Attributes): Comparison {
  const { list_unique_id_property: keys } = attributes;
  return {
    ignoreCasing: attributes.ignore_casing === true,
    ignoreMissing: attributes.ignore_missing_property !== false,
    listKeys: isAttributes(keys) ? keys : {},
  };
}

/** The values of `over` in the place of those of `value`. */
function merge(value: Value, over: Value): Value {
  if (!isAttributes(value) || !isAttributes(over)) return over;
  const merged = Object.entries(over).map(([name, field]) => [
    name,
    name in value ? merge(value[name] ?? null, field) : field,
  ]);
  return { ...value, ...Object.fromEntries(merged) };
}

/** JSON is a value of Terraform, too: it has no unknowns. */
function asValue(json: Json): Value {
  return JSON.parse(JSON.stringify(json)) as Value;
}
