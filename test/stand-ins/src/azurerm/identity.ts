import { at, isObject, type Json, stringAt } from "../cloud/json-client.js";
import { onlyBlock, text, texts } from "../provider/provider.js";
import type { Attributes } from "../values/value.js";

/** The block `identity` as Resource Manager accepts it. */
export function toIdentity(planned: Attributes): Json {
  const identity = onlyBlock(planned, "identity");
  if (identity === undefined) return { type: "None" };
  const ids = texts(identity, "identity_ids");
  return {
    type: text(identity, "type"),
    ...(ids.length > 0 && {
      userAssignedIdentities: Object.fromEntries(ids.map((id) => [id, {}])),
    }),
  };
}

/** Resource Manager's identity as a list with one block, or none. */
export function fromIdentity(identity: Json | undefined): Attributes[] {
  const type = stringAt(identity, "type");
  if (type === "" || type === "None") return [];
  const assigned = at(identity, "userAssignedIdentities");
  return [
    {
      type,
      identity_ids: isObject(assigned) ? Object.keys(assigned) : null,
      principal_id: stringAt(identity, "principalId"),
      tenant_id: stringAt(identity, "tenantId"),
    },
  ];
}
