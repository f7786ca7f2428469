import { Fn, type IResolvable, TerraformLocal, type TerraformResource, Token } from "cdktf";
import {
  eventTypesByResourceType,
  resourceManagerEventTypes,
} from "cloud-eventgrid-binding-runtime/events";
import {
  isObject,
  nearName,
  type Problem,
  problem,
  showValue,
} from "cloud-eventgrid-binding-runtime/internal";
import type { IConstruct } from "constructs";
import {
  functionArgument,
  identityOf,
  isPlain,
  OncePerStack,
  scopeNamedBy,
} from "../terraform/index.js";
import { namedScopes, normalisedScope } from "./scopes.js";
import type { SubscriptionOptions } from "./settings.js";

type Typed = Pick<SubscriptionOptions, "events" | "includedEventTypes" | "additionalScopes">;

/**
 * The event types to write for a scope.
 *
 * The provider never changes `included_event_types` that are left out, so that types which were
 * removed from the props would stay in Azure. For topics, an empty list means all types. For the
 * resources of Azure, the service replaces an empty list by its default types, which would be a
 * difference at every plan: their types are named instead.
 *
 * @param named the types in the props; none means all
 * @param isCatalogue whether they are those of a catalogue, which may have types of other scopes, too
 * @returns undefined for all types of a resource whose types are not known here
 */
export function eventTypes(
  construct: IConstruct,
  scope: string,
  named: readonly string[] = [],
  isCatalogue: boolean,
): string[] | undefined {
  if (named.length === 0) return typesOfScope(construct, scope);
  if (!isCatalogue || !areLiteral(named)) return [...named];
  return named.filter((type) => mayRaise(construct, scope, type));
}

/**
 * Lets a plan fail whose event subscription names no types at a scope of which Terraform finds that its types
 * are not known here: those that were removed from the props would stay in Azure without a word.
 */
export function refuseUnknownTypes(
  subscription: TerraformResource,
  scope: string,
  named: readonly string[] = [],
): void {
  if (named.length > 0 || !isKnownAtPlanOnly(subscription, scope)) return;
  const condition = `\${can(${typesOfKinds(subscription)}[${kindAtPlan(scope)}])}`;
  const errorMessage = `The event types of the scope of ${subscription.node.path} are not known. Set includedEventTypes to name those to deliver.`;
  subscription.lifecycle = {
    ...subscription.lifecycle,
    precondition: [{ condition, errorMessage }],
  };
}

/** Reports whether a scope may raise a type, as far as its types are known here. */
export function mayRaise(construct: IConstruct, scope: string, type: string): boolean {
  const known = typesKnownOf(construct, scope) ?? [];
  return known.length === 0 || neverRaised(type, known) === undefined;
}

/** The lists of all types of a resource, which sources write if nobody chooses any. */
export const unchosenTypes = new WeakSet<readonly string[]>();

/** The lists of types that a source's own options chose. */
export const chosenTypes = new WeakSet<readonly string[]>();

/** The problem of a catalogue beside a source that has chosen other types, which would win. */
export function twiceChosenProblems(
  construct: IConstruct,
  { events, includedEventTypes, scope }: Partial<Typed> & { readonly scope?: unknown },
): Problem[] {
  if (!isObject(events) || !Array.isArray(events.types) || !areLiteral(events.types)) return [];
  if (!Array.isArray(includedEventTypes) || !chosenTypes.has(includedEventTypes)) return [];
  const catalogue: readonly string[] = events.types;
  const chosen: readonly string[] = includedEventTypes;
  const known = typeof scope === "string" ? (typesKnownOf(construct, scope) ?? []) : [];
  const differing = [
    ...chosen.filter((type) => !catalogue.includes(type)),
    ...catalogue.filter((type) => known.includes(type) && !chosen.includes(type)),
  ];
  if (differing.length === 0) return [];
  const message =
    `and the source choose different types, which differ in ${listed(differing)}: choose them once, ` +
    "for the source, as in sources.objectStorage(account, { events })";
  return [problem("events", { "chosen-twice": message })];
}

/**
 * Lets the catalogue choose among the types of a source, which has written all of its resource. A
 * catalogue without any of them is left beside the types of an additional scope, and reported for the
 * binding's own.
 */
export function chosenByCatalogue<Given extends Typed>(props: Given): Given {
  const { additionalScopes, events } = props;
  const own = isUnchosen(props) ? { includedEventTypes: undefined, ...choice(props) } : {};
  if (!isPlain(additionalScopes)) return { ...props, ...own };
  const further = Object.entries(additionalScopes).map(([key, scope]) =>
    isPlain(scope)
      ? [key, { ...scope, ...choice({ ...(events && { events }), ...scope }) }]
      : [key, scope],
  );
  return { ...props, ...own, additionalScopes: Object.fromEntries(further) };
}

function isUnchosen({ events, includedEventTypes }: Pick<Typed, "events" | "includedEventTypes">) {
  return (
    isObject(events) &&
    Array.isArray(events.types) &&
    areLiteral(events.types) &&
    Array.isArray(includedEventTypes) &&
    unchosenTypes.has(includedEventTypes)
  );
}

function choice(settings: Pick<Typed, "events" | "includedEventTypes">) {
  if (!isUnchosen(settings)) return undefined;
  const chosen = settings.includedEventTypes?.filter((type) =>
    settings.events?.types.includes(type),
  );
  return chosen && chosen.length > 0 ? { includedEventTypes: chosen } : undefined;
}

/**
 * The problems of event types that a scope never raises: those of another service, and misspelt ones.
 * A catalogue may have types of other scopes, too, but not only those.
 */
export function eventTypeProblems(
  construct: IConstruct,
  props: Typed,
  ownScope: string | undefined,
): Problem[] {
  return namedTypes(construct, props, ownScope).flatMap(({ field, types, known, isCatalogue }) => {
    const problems = types.flatMap((type, i) => {
      const reason = neverRaised(type, known);
      return reason === undefined
        ? []
        : [problem(`${field}[${i}]`, { "event-type-of-scope": reason })];
    });
    if (!isCatalogue) return problems;
    if (types.length === 0 || problems.length < types.length) return [];
    const message = `has no type that the scope raises: its events are those of ${services(known)}`;
    return [problem(field, { "event-type-of-scope": message })];
  });
}

/** Warnings about event types that are not known here, of a scope whose other types are. */
export function eventTypeWarnings(
  construct: IConstruct,
  props: Typed,
  ownScope: string | undefined,
): string[] {
  return namedTypes(construct, props, ownScope).flatMap(({ field, types, known, isCatalogue }) => {
    const unknown = types.filter((type) => !isKnown(type, known));
    if (isCatalogue) {
      return unknown.flatMap((type) => {
        const near = nearName(type, known);
        const message = `${field} has ${showValue(type)}, which the scope does not raise: did you mean ${near}?`;
        return near === undefined ? [] : [message];
      });
    }
    if (unknown.length === 0) return [];
    return `${field} has ${listed(unknown)}, which is not among the known event types of the scope: check the name`;
  });
}

/** The literal event types of each scope whose types are known. */
function namedTypes(construct: IConstruct, props: Typed, ownScope?: string) {
  return namedScopes(props, ownScope).flatMap(({ prefix, scope, settings }) => {
    const { includedEventTypes, events = props.events } = settings;
    const types = includedEventTypes ?? events?.types ?? [];
    const known = typeof scope === "string" ? typesKnownOf(construct, scope) : undefined;
    // Those of topics and domains are their publishers'.
    if (known === undefined || known.length === 0 || !areLiteral(types)) return [];
    const isCatalogue = includedEventTypes === undefined;
    const field = `${prefix}${isCatalogue ? "events" : "includedEventTypes"}`;
    return [{ field, types, known, isCatalogue }];
  });
}

function typesKnownOf(construct: IConstruct, scope: string): readonly string[] | undefined {
  if (!Token.isUnresolved(scope) && scopeNamedBy(scope) === undefined) return undefined;
  const normalised = normalisedScope(scope);
  return isKnownAtPlanOnly(construct, normalised) ? undefined : typesOfScope(construct, normalised);
}

/** Why a scope never raises a type; undefined if it may, although the type is not known here. */
function neverRaised(type: string, known: readonly string[]): string | undefined {
  if (isKnown(type, known)) return undefined;
  const near = nearName(type, known);
  if (near !== undefined) {
    return `is ${showValue(type)}, which the scope does not raise: did you mean ${near}?`;
  }
  const ofServices = new Set(known.map(serviceOf));
  if (ofServices.has(serviceOf(type))) return undefined;
  // A subscription is the default scope of component documents, whose projects begin with sample types.
  if (ofServices.has("microsoft.resources") && !type.toLowerCase().startsWith("microsoft."))
    return undefined;
  return `is ${showValue(type)}, but the scope raises only events of ${services(known)}`;
}

/** Values of another type are reported where the list is checked. */
function areLiteral(types: readonly unknown[]): boolean {
  return (
    !Token.isUnresolved(types) &&
    types.every((type) => typeof type === "string" && !Token.isUnresolved(type))
  );
}

function isKnown(type: string, known: readonly string[]): boolean {
  return known.some((one) => one.toLowerCase() === type.toLowerCase());
}

function services(types: readonly string[]): string {
  return [...new Set(types.map((type) => type.split(".", 2).join(".")))].join(" and ");
}

/** `microsoft.storage` of `Microsoft.Storage.BlobCreated`. */
function serviceOf(type: string): string {
  return services([type]).toLowerCase();
}

/** Event types as messages show them. */
export function listed(types: readonly string[]): string {
  return types.map((type) => showValue(type)).join(", ");
}

function typesOfScope(construct: IConstruct, scope: string): string[] | undefined {
  if (isKnownAtPlanOnly(construct, scope)) {
    // Null where the plan fails, see refuseUnknownTypes.
    // Terraform source, because cdktf drops a null among arguments.
    return Token.asList(`\${try(${typesOfKinds(construct)}[${kindAtPlan(scope)}], null)}`);
  }
  const kind = kindOf(construct, scope);
  const known = kind === undefined ? undefined : eventTypesOfKind(kind);
  return known && [...known];
}

/** The kind of a scope of the props, in lower case, as far as it is known here. */
export function kindOfScope(construct: IConstruct, scope: unknown): string | undefined {
  if (typeof scope !== "string") return undefined;
  if (!Token.isUnresolved(scope) && scopeNamedBy(scope) === undefined) return undefined;
  return kindOf(construct, normalisedScope(scope))?.toLowerCase();
}

function kindOf(construct: IConstruct, normalised: string): string | undefined {
  return Token.isUnresolved(normalised)
    ? kindOfTerraformType(terraformTypeOf(construct, normalised))
    : kindInId(normalised);
}

/** Namespace and type of a resource in its ID; "" in that of a subscription or a resource group. */
export function kindInId(id: string): string {
  return /\/providers\/([^/]*\/[^/]*)\//i.exec(id)?.[1] ?? "";
}

/** All event types of a kind of scope, which is "" for a subscription or a resource group. */
export function eventTypesOfKind(kind: string): readonly string[] | undefined {
  return typesByKind[kind.toLowerCase()];
}

/** The kind of scope that resources of a Terraform type are, if it is known here. */
export function kindOfTerraformType(terraformType: string | undefined): string | undefined {
  return kindsOfTerraformTypes[String(terraformType)];
}

/** Reports whether the resource type of a scope is known only to Terraform. */
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

/** The kind of a scope when Terraform plans. */
function kindAtPlan(scope: string): string {
  const kind = Fn.regex("/providers/([^/]+/[^/]+)/", functionArgument(scope));
  return Token.asString(Fn.try([Fn.lower(Fn.element(kind, 0)), ""]));
}

const locals = new OncePerStack<TerraformLocal>("event types");

/** {@link typesByKind} as a local of the stack. */
function typesOfKinds(construct: IConstruct): IResolvable {
  const local = locals.get(construct, undefined, (home) => {
    return new TerraformLocal(home, "event-types", typesByKind);
  });
  return local.expression;
}

/** The kinds of the scopes that resources of Terraform are. */
const kindsOfTerraformTypes: Readonly<Record<string, string>> = {
  azurerm_api_management: "microsoft.apimanagement/service",
  azurerm_app_configuration: "microsoft.appconfiguration/configurationstores",
  azurerm_communication_service: "microsoft.communication/communicationservices",
  azurerm_container_registry: "microsoft.containerregistry/registries",
  azurerm_eventgrid_domain: "microsoft.eventgrid/domains",
  azurerm_eventgrid_namespace: "microsoft.eventgrid/namespaces",
  azurerm_eventgrid_topic: "microsoft.eventgrid/topics",
  azurerm_eventhub_namespace: "microsoft.eventhub/namespaces",
  azurerm_function_app_flex_consumption: "microsoft.web/sites",
  azurerm_healthcare_workspace: "microsoft.healthcareapis/workspaces",
  azurerm_iothub: "microsoft.devices/iothubs",
  azurerm_key_vault: "microsoft.keyvault/vaults",
  azurerm_kubernetes_cluster: "microsoft.containerservice/managedclusters",
  azurerm_linux_function_app: "microsoft.web/sites",
  azurerm_linux_web_app: "microsoft.web/sites",
  azurerm_machine_learning_workspace: "microsoft.machinelearningservices/workspaces",
  azurerm_maps_account: "microsoft.maps/accounts",
  azurerm_redis_cache: "microsoft.cache/redis",
  azurerm_resource_group: "",
  azurerm_service_plan: "microsoft.web/serverfarms",
  azurerm_servicebus_namespace: "microsoft.servicebus/namespaces",
  azurerm_signalr_service: "microsoft.signalrservice/signalr",
  azurerm_storage_account: "microsoft.storage/storageaccounts",
  azurerm_subscription: "",
  azurerm_vmware_private_cloud: "microsoft.avs/privateclouds",
  azurerm_windows_function_app: "microsoft.web/sites",
  azurerm_windows_web_app: "microsoft.web/sites",
};
