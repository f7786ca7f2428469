import type { BindingProps } from "cloud-eventgrid-binding-runtime/binding";
import type { Keys } from "../validation/index.js";
import { type CloudEventGridBindingProps, definitionFields } from "./props.js";

/**
 * The binding's definition alone, not validated yet.
 *
 * @param defaultName of the event subscription, where there is to be one
 */
export function definitionOf(
  props: CloudEventGridBindingProps,
  defaultName?: string,
): BindingProps {
  const given = Object.entries(props).filter(
    ([key, value]) => Object.hasOwn(definitionFields, key) && value !== undefined,
  );
  const definition: Partial<Record<Keys<BindingProps>, string>> = Object.fromEntries(given);
  if (props.application !== undefined) definition.cloudClientId = props.application.clientId;
  if (defaultName !== undefined && definition.scope !== undefined) {
    definition.eventSubscriptionName ??= defaultName;
  }
  return definition as BindingProps;
}
