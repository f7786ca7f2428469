export interface TerraformModule {
  /** The name of the component as a folder. */
  readonly name: string;
  /** The files, by their names. */
  readonly files: Readonly<Record<string, string>>;
  /** The variables that the caller has to set: secrets, and what is not known here. */
  readonly variables: readonly string[];
  readonly outputs: readonly string[];
  /** The event subscription that the caller imports, if it exists. */
  readonly imports: readonly ModuleImport[];
  /** Whether the caller passes a provider that signs in as the client, `azurerm.client`. */
  readonly hasClientProvider: boolean;
}

/** An existing resource: its address in the module, and its ID in Azure. */
export interface ModuleImport {
  readonly to: string;
  readonly id: string;
}
