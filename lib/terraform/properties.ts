import type { TerraformResourceLifecycle } from "cdktf";
import { isObject } from "cloud-eventgrid-binding-runtime/internal";

/**
 * The properties whose value is not undefined: the types of cdktf's resources tell a property that is
 * left out from one that is `undefined`.
 */
export function defined<Properties extends object>(
  properties: Properties,
): { [Name in keyof Properties]?: Exclude<Properties[Name], undefined> } {
  const set = Object.entries(properties).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as ReturnType<typeof defined<Properties>>;
}

/** Tags as resources take them. A map that is known only later may be one token. */
export function tagged(tags: Readonly<Record<string, string>> | undefined): {
  readonly tags?: Record<string, string>;
} {
  if (tags === undefined) return {};
  return { tags: isObject(tags) ? { ...tags } : tags };
}

/** The lifecycle of a resource that Terraform may refuse to destroy. */
export function protection(protect: boolean | undefined): {
  readonly lifecycle?: TerraformResourceLifecycle;
} {
  return protect ? { lifecycle: { preventDestroy: true } } : {};
}
