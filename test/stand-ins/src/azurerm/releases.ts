/** The releases of azurerm whose schemas the stand-in serves. */
export const azurermReleases = ["4.55.0", "5.2.0"] as const;
export type AzurermRelease = (typeof azurermReleases)[number];

/**
 * What a release does differently, apart from its schema, with the files of hashicorp/terraform-provider-azurerm
 * that show it. What nobody found in them or saw in the provider has no place here.
 */
export interface Behaviour {
  /** The default of `resource_provider_registrations`: internal/provider/provider.go. */
  readonly registrations: "legacy" | "none";
  /**
   * Whether it lists the resource providers even if none is to be registered, for enhanced validation:
   * internal/clients/builder.go.
   */
  readonly listsResourceProviders: boolean;
  /**
   * Whether the description and the condition of a role assignment change in place:
   * internal/services/authorization/role_assignment_resource.go.
   */
  readonly updatesRoleAssignments: boolean;
  /** An environment variable with which it refuses to start: internal/provider/provider.go. */
  readonly removedVariable?: string;
}

export const behaviours: Readonly<Record<AzurermRelease, Behaviour>> = {
  "4.55.0": {
    registrations: "legacy",
    listsResourceProviders: true,
    updatesRoleAssignments: false,
  },
  "5.2.0": {
    registrations: "none",
    listsResourceProviders: false,
    updatesRoleAssignments: true,
    removedVariable: "ARM_PROVIDER_ENHANCED_VALIDATION",
  },
};
