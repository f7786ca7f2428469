import { Token } from "cdktf";
import { type SystemEventType, systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { showValue, unchecked } from "cloud-eventgrid-binding-runtime/internal";
import { eventTypesOfKind, kindOfTerraformType } from "../subscription/index.js";
import { scopeNamedBy, withTextTokens } from "../terraform/index.js";
import {
  type EventSource,
  SourceDraft,
  type SourceKind,
  type SourceResource,
} from "./event-source.js";

/** Options of {@link resource}. */
export type ResourceOptions =
  | {
      /** The events to receive. */
      readonly eventTypes: readonly SystemEventType[];
      readonly events?: never;
    }
  | {
      readonly eventTypes?: never;
      /** The service's catalogue, of which the types of this resource are used. */
      readonly events: { readonly types: readonly string[] };
    };

/**
 * The events of any resource, resource group or subscription. For the six services that have a source
 * of their own, use that: it filters by the parts of the resource, and knows what would never deliver.
 *
 * @example
 * ```ts
 * new CloudEventGridBinding(this, "secrets", {
 *   ...sources.resource(vault, { eventTypes: ["Microsoft.KeyVault.SecretNearExpiry"] }),
 *   ...place,
 * });
 * ```
 *
 * @throws {ConfigurationError} for an ID of another form, and event types that a resource of its type
 * does not raise
 */
export function resource(source: SourceResource, options: ResourceOptions): EventSource {
  const draft = new SourceDraft(source, sourceKind(source));
  const { eventTypes, events } = draft.validate<ResourceOptions>(options, {
    eventTypes: unchecked,
    events: unchecked,
  });
  draft.refuseBoth({ eventTypes, events }, "eventTypes", "events");
  draft.refuseIf(isOtherText(source), "resource", {
    "resource-type": `must be the ID of a resource, a resource group or a subscription, but is ${showValue(source)}`,
  });
  const types = events ? draft.chosen(events) : draft.chosen(eventTypes ?? [], "eventTypes");
  return draft.finish(types ?? []);
}

const everyType: readonly SystemEventType[] = Object.values(systemEventTypes).flat();

function isOtherText(source: SourceResource): boolean {
  const id = withTextTokens(source);
  return typeof id === "string" && !Token.isUnresolved(id) && scopeNamedBy(id) === undefined;
}

/** Returns the kind of a resource by its type. The kind is empty if only Terraform knows the type. */
function sourceKind(source: SourceResource): SourceKind<string> {
  const id = withTextTokens(source);
  if (typeof id !== "string") {
    const kind = kindOfTerraformType(id.terraformResourceType);
    const types = kind === undefined ? undefined : eventTypesOfKind(kind);
    return { resource: id.terraformResourceType ?? "resource", types: types ?? everyType };
  }
  const scope = Token.isUnresolved(id) ? undefined : scopeNamedBy(id);
  if (scope === undefined) return { resource: "resource", types: everyType };
  if (scope.kind === "subscription" || scope.kind === "resourceGroup") {
    return { resource: "subscription or resource group", types: eventTypesOfKind("") ?? [] };
  }
  const [provider, type] =
    scope.kind === "topic"
      ? ["Microsoft.EventGrid", "topics"]
      : [scope.resourceProviderNamespace, scope.resourceType];
  const prefix = `${provider}.`.toLowerCase();
  return {
    resource: `resource of the type ${provider}/${type}`,
    types:
      eventTypesOfKind(`${provider}/${type}`) ??
      everyType.filter((name) => name.toLowerCase().startsWith(prefix)),
  };
}
