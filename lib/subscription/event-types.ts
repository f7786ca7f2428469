import { Fn, type IResolvable, type Precondition, TerraformLocal, Token } from "cdktf";
import {
  eventTypesByResourceType,
  resourceManagerEventTypes,
  systemEventTypes,
} from "cloud-eventgrid-binding-runtime/events";
import type { IConstruct } from "constructs";
import { functionArgument, identityOf, OncePerStack } from "../terraform/index.js";
import { unlessSensitive } from "../validation/index.js";
import { OWN_SCOPE, type ScopedSubscription } from "./scopes.js";

/**
 * The event types to write for a scope.
 *
 * The provider never changes `included_event_types` that are left out, so that types which were
 * removed from the props would stay in Azure. For topics, an empty list means all types. For the
 * resources of Azure, the service replaces an empty list by its default types, which would be a
 * difference at every plan: their types are named instead.
 *
 * @param named the types in the props; none means all
 * @returns undefined for all types of a resource whose types are not known here
 */
export function eventTypes(
  construct: IConstruct,
  scope: string,
  named: readonly string[] = [],
): string[] | undefined {
  return named.length > 0 ? [...named] : allTypes(construct, scope);
}

/**
 * Has Terraform check the kind of a scope that synthesis does not know: if the props ask for all event
 * types, those of the scope must be known here.
 */
export function eventTypesConditions(
  construct: IConstruct,
  { key, scope, settings }: Pick<ScopedSubscription, "key" | "scope" | "settings">,
): Precondition[] {
  const { includedEventTypes: named = [] } = settings;
  if (named.length > 0 || !isKnownAtPlanOnly(construct, scope)) return [];
  const field =
    key === OWN_SCOPE ? "includedEventTypes" : `additionalScopes.${key}.includedEventTypes`;
  const message = `${field} must name event types, because all types of the scope are not known`;
  return [
    {
      condition: Fn.contains(Fn.keys(typesOfKinds(construct)), kindOf(scope)),
      errorMessage: unlessSensitive(`${message} here: ${scope}`, message),
    },
  ];
}

function allTypes(construct: IConstruct, scope: string): string[] | undefined {
  if (isKnownAtPlanOnly(construct, scope)) {
    // The default is never used, because the precondition fails before.
    return Token.asList(Fn.lookup(typesOfKinds(construct), kindOf(scope), []));
  }
  const known = Token.isUnresolved(scope)
    ? typesByTerraformType[terraformTypeOf(construct, scope) ?? ""]
    : typesByKind[resourceKind.exec(scope)?.[1]?.toLowerCase() ?? ""];
  return known && [...known];
}

/** Whether the resource type of a scope is known only to Terraform. */
function isKnownAtPlanOnly(construct: IConstruct, scope: string): boolean {
  return Token.isUnresolved(scope) && terraformTypeOf(construct, scope) === undefined;
}

/** The type of the azurerm resource whose ID the scope is. */
function terraformTypeOf(construct: IConstruct, scope: string): string | undefined {
  const reference = /^\/\$\{trim\((?:data\.)?(azurerm_\w+)\.[\w-]+\.id, "\/"\)\}$/;
  return reference.exec(identityOf(construct, scope))?.[1];
}

/** All event types by the kind of a scope, which is "" for a subscription or a resource group. */
const typesByKind: Readonly<Record<string, readonly string[]>> = {
  "": resourceManagerEventTypes,
  ...eventTypesByResourceType,
};

/** Namespace and type of a resource in its ID. */
const resourceKind = /\/providers\/([^/]+\/[^/]+)\//i;

/** The kind of a scope when Terraform plans. */
function kindOf(scope: string): string {
  const kind = Fn.regex("/providers/([^/]+/[^/]+)/", functionArgument(scope));
  return Token.asString(Fn.try([Fn.lower(Fn.element(kind, 0)), ""]));
}

const locals = new OncePerStack<TerraformLocal>("event types");

/** {@link typesByKind} as a local of the stack. */
function typesOfKinds(construct: IConstruct): IResolvable {
  const local = locals.get(construct, "", (home) => {
    return new TerraformLocal(home, "event-types", typesByKind);
  });
  return local.expression;
}

const typesByTerraformType: Readonly<Record<string, readonly string[]>> = {
  azurerm_eventgrid_domain: [],
  azurerm_eventgrid_topic: [],
  azurerm_eventhub_namespace: systemEventTypes.eventStreaming,
  azurerm_iothub: systemEventTypes.iotHub,
  azurerm_redis_cache: systemEventTypes.cache,
  azurerm_resource_group: resourceManagerEventTypes,
  azurerm_servicebus_namespace: systemEventTypes.messageQueue,
  azurerm_signalr_service: systemEventTypes.realTimeMessaging,
  azurerm_storage_account: systemEventTypes.objectStorage,
  azurerm_subscription: resourceManagerEventTypes,
};
