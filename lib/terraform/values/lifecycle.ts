import type { Precondition, TerraformResourceLifecycle } from "cdktf";

/** The lifecycle of a resource, if it has checks of its values or is protected. */
export function lifecycle(
  preconditions: readonly Precondition[],
  protect?: boolean,
): { readonly lifecycle?: TerraformResourceLifecycle } {
  if (preconditions.length === 0 && !protect) return {};
  return {
    lifecycle: {
      ...(protect && { preventDestroy: true }),
      ...(preconditions.length > 0 && { precondition: [...preconditions] }),
    },
  };
}
