import type { BindingProps } from "cloud-eventgrid-binding-runtime/binding";
import type { CloudEventGridBindingProps } from "./binding-props.js";
import type { Keys } from "./unknown-props.js";

/** The fields of a binding's definition, which the runtime shares; all else is the construct's own. */
export const definitionFields: Readonly<Record<Keys<BindingProps>, true>> = {
  direction: true,
  cloudEnvironment: true,
  cloudAuthorityHost: true,
  cloudTenantId: true,
  cloudSubscriptionId: true,
  cloudClientId: true,
  cloudClientSecret: true,
  subscriberEndpoint: true,
  handshakePort: true,
  scope: true,
  eventSubscriptionName: true,
  writer: true,
  topicEndpoint: true,
  publishWith: true,
  accessKey: true,
};

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
