import { serviceError } from "../../base/index.js";

export type RegistrationState =
  | "NotRegistered"
  | "Registering"
  | "Registered"
  | "Unregistering"
  | "Unregistered";

const EVENT_GRID = "Microsoft.EventGrid";

/** The subscription's registrations with resource providers. */
export class ProviderRegistrations {
  readonly #states: Map<string, RegistrationState>;

  constructor(options: { eventGridRegistered: boolean }) {
    this.#states = new Map(resourceProviders.map((namespace) => [namespace, "Registered"]));
    if (!options.eventGridRegistered) this.#states.set(EVENT_GRID, "NotRegistered");
  }

  /** @internal */
  snapshot(): [string, RegistrationState][] {
    return [...this.#states];
  }

  /** @internal */
  restore(states: readonly (readonly [string, RegistrationState])[]): void {
    for (const [namespace, state] of states) this.#states.set(namespace, state);
  }

  list(): { namespace: string; state: RegistrationState }[] {
    return [...this.#states].map(([namespace, state]) => ({ namespace, state }));
  }

  /** The namespace as Azure writes it, and its state; `undefined` for an unknown namespace. */
  find(namespace: string): { namespace: string; state: RegistrationState } | undefined {
    return this.list().find((each) => each.namespace.toLowerCase() === namespace.toLowerCase());
  }

  set(namespace: string, state: RegistrationState): void {
    this.#states.set(this.find(namespace)?.namespace ?? namespace, state);
  }

  /** @throws ServiceError 409 if the subscription is not registered to use the namespace */
  require(namespace: string): void {
    if (this.find(namespace)?.state === "Registered") return;
    throw serviceError.MissingSubscriptionRegistration(
      `The subscription is not registered to use namespace '${namespace}'. See https://aka.ms/rps-not-found for how to register subscriptions.`,
    );
  }
}

/**
 * Resource provider namespaces of the subscription: all that the azurerm provider can register. It
 * warns or fails if one is missing, and compares them case-sensitively.
 */
const resourceProviders = `
  Github.Network Microsoft.AVS Microsoft.AlertsManagement Microsoft.ApiManagement Microsoft.App
  Microsoft.AppConfiguration Microsoft.AppPlatform Microsoft.Authorization Microsoft.Automation
  Microsoft.Blueprint Microsoft.BotService Microsoft.Cache Microsoft.Cdn
  Microsoft.CognitiveServices Microsoft.Compute Microsoft.ContainerInstance
  Microsoft.ContainerRegistry Microsoft.ContainerService Microsoft.CostManagement
  Microsoft.CustomProviders Microsoft.DBforMariaDB Microsoft.DBforMySQL
  Microsoft.DBforPostgreSQL Microsoft.Dashboard Microsoft.DataFactory
  Microsoft.DataLakeAnalytics Microsoft.DataLakeStore Microsoft.DataMigration
  Microsoft.DataProtection Microsoft.Databricks Microsoft.DesktopVirtualization
  Microsoft.DevTestLab Microsoft.Devices Microsoft.DocumentDB Microsoft.EventGrid
  Microsoft.EventHub Microsoft.Features Microsoft.GuestConfiguration Microsoft.HDInsight
  Microsoft.HealthcareApis Microsoft.IoTCentral Microsoft.KeyVault Microsoft.Kusto
  Microsoft.Logic Microsoft.MachineLearningServices Microsoft.Maintenance
  Microsoft.ManagedIdentity Microsoft.ManagedServices Microsoft.Management Microsoft.Maps
  Microsoft.MarketplaceOrdering Microsoft.Media Microsoft.MixedReality Microsoft.Monitor
  Microsoft.Network Microsoft.NotificationHubs Microsoft.OperationalInsights
  Microsoft.OperationsManagement Microsoft.PolicyInsights Microsoft.PowerBIDedicated
  Microsoft.RecoveryServices Microsoft.Relay Microsoft.Resources Microsoft.Search
  Microsoft.Security Microsoft.SecurityInsights Microsoft.ServiceBus Microsoft.ServiceFabric
  Microsoft.SignalRService Microsoft.Sql Microsoft.Storage Microsoft.StreamAnalytics
  Microsoft.TimeSeriesInsights Microsoft.Web microsoft.insights
`
  .trim()
  .split(/\s+/);
