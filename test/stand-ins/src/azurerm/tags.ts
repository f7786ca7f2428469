import type { Json } from "../cloud/json-client.js";
import type { Attributes } from "../values/value.js";

/** The tags of a configuration as Resource Manager accepts them. */
export function tagsOf(planned: Attributes): Json {
  return (planned.tags ?? {}) as Json;
}

/** The tags of a resource as the state has them. */
export function fromTags(tags: Json | undefined): Attributes {
  return (tags ?? {}) as Attributes;
}
