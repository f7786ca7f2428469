/** The cdk that a project's stack is written for. */
export type Cdk = "cdktf" | "cdktn";

/** How a stack imports the packages of its cdk. */
export interface CdkPackages {
  /** The package of the constructs. */
  readonly binding: string;
  /** Folder of the prebuilt provider's resources. */
  readonly provider: (name: "azuread" | "azurerm") => string;
}

export const cdkPackages: Readonly<Record<Cdk, CdkPackages>> = {
  cdktf: {
    binding: "cloud-eventgrid-binding",
    provider: (name) => `@cdktf/provider-${name}/lib`,
  },
  cdktn: {
    binding: "cloud-eventgrid-binding-cdktn",
    provider: (name) => `@cdktn/provider-${name}/lib`,
  },
};
