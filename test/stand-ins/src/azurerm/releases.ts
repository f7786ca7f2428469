/** The releases of azurerm whose schemas the stand-in serves. */
export const azurermReleases = ["4.55.0", "5.2.0"] as const;
export type AzurermRelease = (typeof azurermReleases)[number];

/** What a release does differently, apart from its schema. */
export interface Behaviour {
  /** The default of `resource_provider_registrations`. */
  readonly registrations: "legacy" | "none";
  /** Whether it lists the resource providers even if none is to be registered. */
  readonly listsResourceProviders: boolean;
  /** Whether a resource whose long-running creation fails stays in the state, as tainted. */
  readonly storesIdBeforePolling: boolean;
  /** An environment variable with which it refuses to start. */
  readonly removedVariable?: string;
}

export const behaviours: Readonly<Record<AzurermRelease, Behaviour>> = {
  "4.55.0": {
    registrations: "legacy",
    listsResourceProviders: true,
    storesIdBeforePolling: false,
  },
  "5.2.0": {
    registrations: "none",
    listsResourceProviders: false,
    storesIdBeforePolling: true,
    removedVariable: "ARM_PROVIDER_ENHANCED_VALIDATION",
  },
};
