import type { Cdk } from "./spec.js";

/** The packages that a stack needs for its cdk. */
export interface CdkPackages {
  /** The package of the constructs. */
  readonly binding: string;
  /** Folder of the prebuilt provider's resources, as the stack imports them. */
  readonly provider: (name: "azuread" | "azurerm") => string;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const cdkPackages: Readonly<Record<Cdk, CdkPackages>> = {
  cdktf: {
    binding: "cloud-eventgrid-binding",
    provider: (name) => `@cdktf/provider-${name}/lib`,
    devDependencies: {
      "@cdktf/provider-azuread": "^14.3.0",
      "@cdktf/provider-azurerm": "^14.23.0",
      cdktf: "^0.21.0",
      "cloud-eventgrid-binding": "^0.1.0",
      constructs: "~10.7.2",
    },
  },
  cdktn: {
    binding: "cloud-eventgrid-binding-cdktn",
    provider: (name) => `@cdktn/provider-${name}/lib`,
    devDependencies: {
      "@cdktn/provider-azuread": "^15.1.0",
      "@cdktn/provider-azurerm": "^16.1.0",
      cdktn: "^0.24.0",
      "cloud-eventgrid-binding-cdktn": "^0.1.0",
      constructs: "~10.7.2",
    },
    // These releases of the providers ask for cdktn 0.23.
    overrides: {
      "@cdktn/provider-azuread": { cdktn: "$cdktn" },
      "@cdktn/provider-azurerm": { cdktn: "$cdktn" },
    },
  },
};
