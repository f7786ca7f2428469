import { Annotations, Aspects, TerraformProvider, TerraformStack, Token } from "cdktf";
import type { Construct } from "constructs";
import { OncePerStack } from "../terraform/index.js";
import type { CloudEventGridBindingProps } from "./props.js";

/** A provider with its Azure cloud, of any version of the provider packages. */
interface ProviderWithCloud extends TerraformProvider {
  readonly environment?: string;
}

/** Other names of the clouds in the providers. */
const synonyms: Readonly<Record<string, string>> = {
  global: "public",
  usgovernmentl4: "usgovernment",
  usgovernmentl5: "usgovernment",
  dod: "usgovernment",
};

const providersOf = new OncePerStack<readonly ProviderWithCloud[]>("all providers");

/**
 * Warns at synthesis if a provider signs in to another Azure cloud than the binding's. A provider
 * without an environment uses that of `ARM_ENVIRONMENT`, or the public cloud.
 */
export function warnOfOtherCloud(construct: Construct, props: CloudEventGridBindingProps): void {
  // As an aspect, because the stack's providers may be declared after the binding.
  Aspects.of(construct).add({
    visit(node) {
      if (node === construct) compareClouds(construct, props);
    },
  });
}

function compareClouds(construct: Construct, props: CloudEventGridBindingProps): void {
  const { cloudEnvironment: own = "public" } = props;
  const providers = providersOf.get(construct, "", () =>
    TerraformStack.of(construct).node.findAll().filter(TerraformProvider.isTerraformProvider),
  );
  for (const name of ["azurerm", "azuread"] as const) {
    const provider: ProviderWithCloud | undefined =
      props[name] ??
      providers.find((one) => one.terraformResourceType === name && one.alias === undefined);
    const environment = provider?.environment ?? process.env.ARM_ENVIRONMENT ?? "public";
    const cloud = synonyms[environment] ?? environment;
    if (provider === undefined || Token.isUnresolved(environment) || cloud === own) continue;
    Annotations.of(construct).addWarning(
      `cloudEnvironment is "${own}", but the ${name} provider signs in to the cloud "${cloud}": set ` +
        `environment on the provider, or cloudEnvironment on the binding`,
    );
  }
}
