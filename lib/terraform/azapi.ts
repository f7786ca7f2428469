import {
  TerraformDataSource,
  type TerraformMetaArguments,
  TerraformProvider,
  TerraformResource,
  TerraformStack,
} from "cdktf";
import type { Construct } from "constructs";
import { OncePerStack, withAlias } from "./stack-singletons.js";

/** Microsoft's provider for everything in Resource Manager, which has no published bindings. */
const AZAPI = "azapi";
/** The stand-ins and the tests have the schema of the first of these releases. */
const VERSIONS = "~> 2.12";

/** The first and only stable version of Resource Manager's API with namespaces, which azapi knows. */
export const EVENT_GRID_API_VERSION = "2025-02-15";

export interface AzapiResourceConfig extends TerraformMetaArguments {
  /** Resource type and API version: `Microsoft.EventGrid/namespaces@2025-02-15`. */
  readonly type: string;
  readonly name: string;
  /** ID of the resource group, or of the resource that this one is part of. */
  readonly parentId: string;
  readonly location?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly identity?: { readonly type: string; readonly identityIds?: readonly string[] };
  /**
   * The body to write. The provider compares only the fields that it names, so that a field which is
   * left out later stays as it was: name every optional field.
   */
  readonly body: object;
  /** Whether a value that Azure returns in another case is no difference. @default false */
  readonly ignoreCasing?: boolean;
  /** The fields that identify the items of lists, by the lists' paths: their order does not matter. */
  readonly listKeys?: Readonly<Record<string, string>>;
  /** Paths in `body` whose change replaces the resource. */
  readonly replacedWith?: readonly string[];
  /** Paths of the fields that {@link AzapiResource.output} reads. */
  readonly exports?: readonly string[];
}

/** A resource that azapi writes. */
export class AzapiResource extends TerraformResource {
  readonly #config: AzapiResourceConfig;

  constructor(scope: Construct, id: string, config: AzapiResourceConfig) {
    super(scope, id, { terraformResourceType: "azapi_resource", ...config });
    this.#config = config;
  }

  get id(): string {
    return this.getStringAttribute("id");
  }

  /** Object ID of the system-assigned identity. It is unknown in the plan that adds the identity. */
  get principalId(): string {
    return this.getStringAttribute("identity[0].principal_id");
  }

  /** A field of Azure's answer, one of `exports`. */
  output(path: string): string {
    return this.getStringAttribute(`output.${path}`);
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    const { type, name, parentId, location, tags, identity, body, ...rest } = this.#config;
    return {
      type,
      name,
      parent_id: parentId,
      location,
      tags,
      identity: identity && [{ type: identity.type, identity_ids: identity.identityIds }],
      body,
      ignore_casing: rest.ignoreCasing,
      list_unique_id_property: rest.listKeys,
      replace_triggers_refs: rest.replacedWith,
      response_export_values: rest.exports,
    };
  }
}

/** An existing resource, looked up with azapi. */
export class AzapiData extends TerraformDataSource {
  constructor(
    scope: Construct,
    id: string,
    private readonly config: TerraformMetaArguments &
      Pick<AzapiResourceConfig, "type" | "exports"> & { readonly resourceId: string },
  ) {
    super(scope, id, { terraformResourceType: "azapi_resource", ...config });
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    const { type, resourceId, exports } = this.config;
    return { type, resource_id: resourceId, response_export_values: exports };
  }
}

const providers = new OncePerStack<AzapiProvider>("azapi");

/**
 * The azapi provider for resources that are created next to those of an azurerm provider: it signs in
 * the same way. It is part of the stack only if something asks for it.
 *
 * @param azurerm the provider; by default the stack's provider without an alias
 */
export function azapiProvider(
  construct: Construct,
  azurerm: TerraformProvider | undefined,
): TerraformProvider {
  const id = withAlias(AZAPI, azurerm?.alias);
  return providers.get(construct, id, (home) => new AzapiProvider(home, id, azurerm));
}

/**
 * The settings that both providers have, under the same names: who signs in, where and how. Only the
 * service connection of a pipeline in Azure DevOps has two names.
 */
const signInSettings = [
  "auxiliary_tenant_ids",
  "client_certificate",
  "client_certificate_password",
  "client_certificate_path",
  "client_id",
  "client_id_file_path",
  "client_secret",
  "client_secret_file_path",
  "environment",
  "oidc_request_token",
  "oidc_request_url",
  "oidc_token",
  "oidc_token_file_path",
  "subscription_id",
  "tenant_id",
  "use_aks_workload_identity",
  "use_cli",
  "use_msi",
  "use_oidc",
];

class AzapiProvider extends TerraformProvider {
  readonly #azurerm: TerraformProvider | undefined;

  constructor(scope: Construct, id: string, azurerm: TerraformProvider | undefined) {
    super(scope, id, {
      terraformResourceType: AZAPI,
      terraformProviderSource: "Azure/azapi",
      terraformGeneratorMetadata: { providerName: AZAPI, providerVersionConstraint: VERSIONS },
    });
    this.#azurerm = azurerm;
  }

  /** The base class keeps no alias. */
  override get alias(): string | undefined {
    return this.#azurerm?.alias;
  }

  /** A stack may have an azapi provider of its own, with other settings. */
  override toTerraform(): unknown {
    return this.#isReplaced() ? {} : super.toTerraform();
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    const azurerm = this.#azurerm ?? this.#others("azurerm")[0];
    const { provider } = (azurerm?.toTerraform() ?? {}) as {
      provider?: { azurerm?: readonly Record<string, unknown>[] };
    };
    const settings = provider?.azurerm?.[0] ?? {};
    return {
      ...Object.fromEntries(signInSettings.map((name) => [name, settings[name]])),
      oidc_azure_service_connection_id: settings.ado_pipeline_service_connection_id,
    };
  }

  #isReplaced(): boolean {
    return this.#others(AZAPI).length > 0;
  }

  /** The stack's other providers of a type with the same alias. */
  #others(type: string): TerraformProvider[] {
    return TerraformStack.of(this)
      .node.findAll()
      .filter(TerraformProvider.isTerraformProvider)
      .filter((node) => node !== this && node.terraformResourceType === type)
      .filter(({ alias }) => alias === this.alias);
  }
}
