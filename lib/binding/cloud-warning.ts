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

interface Binding {
  readonly construct: Construct;
  readonly props: CloudEventGridBindingProps;
}

/** The bindings of a stack, whose clouds are compared together: one search finds the providers. */
const compared = new OncePerStack<Binding[]>("compared clouds");

/**
 * Warns at synthesis if a provider signs in to another Azure cloud than the binding's. A provider
 * without an environment uses that of `ARM_ENVIRONMENT`, or the public cloud.
 */
export function warnOfOtherCloud(construct: Construct, props: CloudEventGridBindingProps): void {
  const bindings = compared.get(construct, "", (home) => {
    const all: Binding[] = [];
    // As an aspect, because the stack's providers may be declared after the binding.
    Aspects.of(home).add({
      visit: (node) => (node === home ? compareClouds(home, all) : undefined),
    });
    return all;
  });
  bindings.push({ construct, props });
}

function compareClouds(home: Construct, bindings: readonly Binding[]): void {
  const providers: ProviderWithCloud[] = TerraformStack.of(home)
    .node.findAll()
    .filter(TerraformProvider.isTerraformProvider);
  for (const { construct, props } of bindings) {
    const { cloudEnvironment: own = "public" } = props;
    for (const name of ["azurerm", "azuread"] as const) {
      const provider: ProviderWithCloud | undefined =
        props[name] ??
        providers.find(({ terraformResourceType, alias }) => {
          return terraformResourceType === name && !alias;
        });
      if (provider === undefined) continue;
      const { environment = process.env.ARM_ENVIRONMENT ?? "public" } = provider;
      if (Token.isUnresolved(environment)) continue;
      const cloud = synonyms[environment] ?? environment;
      if (cloud === own) continue;
      Annotations.of(construct).addWarning(
        `cloudEnvironment is "${own}", but the ${name} provider signs in to the cloud "${cloud}": set ` +
          `environment on the provider, or cloudEnvironment on the binding`,
      );
    }
  }
}
