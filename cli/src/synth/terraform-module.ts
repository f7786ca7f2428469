import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Component } from "../definitions/index.js";
import { adoptedAssignments, type Cdk, namesOf, projectName } from "../project/index.js";
import { loadCdk } from "./cdk-modules.js";

/** A module in Terraform's JSON syntax. */
export interface TerraformModule {
  readonly json: unknown;
  /** The variables that the caller sets: secrets. */
  readonly variables: readonly string[];
  readonly outputs: readonly string[];
  /** The event subscriptions that the caller imports, if they exist. */
  readonly imports: readonly ModuleImport[];
  /** Whether the module has the optional variable `wait_for`, for which event subscriptions wait. */
  readonly waits: boolean;
}

/** An existing resource: its address in the module, and its ID in Azure. */
export interface ModuleImport {
  readonly to: string;
  readonly id: string;
}

export interface ModuleOptions {
  /** The cdk whose packages are installed and write the module. */
  readonly cdk: Cdk;
  readonly eventTypes: readonly string[];
  /** Whether the event subscription exists and is imported by the caller. */
  readonly adopted: boolean;
}

/**
 * The Terraform module that provisions the bindings of component documents. It has no provider
 * configuration of its own, so that it can be used with `count`, `for_each` and `providers`.
 */
export async function terraformModule(
  components: readonly Component[],
  { cdk, eventTypes, adopted }: ModuleOptions,
): Promise<TerraformModule> {
  const { core, azuread, azurerm, constructs } = await loadCdk(cdk);
  const { App, TerraformOutput, TerraformStack, TerraformVariable } = core;
  const { CloudEventGridBinding } = constructs;

  const outdir = mkdtempSync(join(tmpdir(), "cloud-eventgrid-"));
  try {
    const app = new App({ outdir });
    const stack = new TerraformStack(app, "module");
    new azurerm.AzurermProvider(stack, "azurerm", { features: [{}] });
    new azuread.AzureadProvider(stack, "azuread", {});
    // `depends_on` of the caller would defer every data source of the module, and with them each
    // `count`, so that only the subscription waits.
    const waitFor = components.some(({ props }) => props?.subscriberEndpoint !== undefined)
      ? [new TerraformVariable(stack, "wait_for", { type: "any", default: [] })]
      : [];
    for (const { name = "binding", props } of components) {
      if (props === undefined) continue;
      const names = namesOf(projectName(name));
      const secret = (suffix: string) =>
        new TerraformVariable(stack, `${names.output}_${suffix}`, {
          type: "string",
          sensitive: true,
        }).stringValue;
      const hasQuery = new URL(props.subscriberEndpoint ?? "https://a").search !== "";
      const binding = new CloudEventGridBinding(stack, names.folder, {
        ...props,
        ...(props.accessKey !== undefined && { accessKey: secret("access_key") }),
        ...(hasQuery && { subscriberEndpoint: secret("subscriber_endpoint") }),
        ...(adopted &&
          props.subscriberEndpoint && {
            existingSubscription: "adopted",
            existingAssignments: adoptedAssignments,
          }),
        ...(eventTypes.length > 0 && { includedEventTypes: eventTypes }),
        // Only a provider's own configuration could register it.
        providerRegistration: "none",
      } as ConstructorParameters<typeof CloudEventGridBinding>[2]);
      binding.waitFor(...waitFor.map(({ fqn }) => ({ fqn })));
      const path = props.subscriberEndpoint && pathOf(props.subscriberEndpoint);
      new TerraformOutput(stack, `${names.output}_environment`, {
        value: binding.runtimeEnvironment(names.prefix, path ? { path } : {}).forAppSettings(),
        sensitive: true,
        staticId: true,
      });
      binding.addOutputs(names.output);
    }
    app.synth();
    const text = readFileSync(join(outdir, "stacks/module/cdk.tf.json"), "utf8");
    return moduleOf(JSON.parse(text), adopted);
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

interface Configuration {
  readonly terraform?: {
    readonly required_providers?: Readonly<Record<string, { readonly version: string }>>;
  };
  readonly resource?: Readonly<
    Record<string, Readonly<Record<string, { readonly name: string; readonly scope: string }>>>
  >;
  readonly variable?: Readonly<Record<string, unknown>>;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly [block: string]: unknown;
}

/** The stack's configuration without cdktf's metadata, its backend and its provider blocks. */
function moduleOf(configuration: Configuration, adopted: boolean): TerraformModule {
  const { "//": _, provider: __, terraform, ...blocks } = configuration;
  const { resource = {}, variable = {}, output = {} } = configuration;
  const required = Object.entries(terraform?.required_providers ?? {}).map(
    ([name, { version }]) => [name, { source: `hashicorp/${name}`, version: minorOf(version) }],
  );
  const json = {
    terraform: { required_version: ">= 1.5", required_providers: Object.fromEntries(required) },
    ...withoutMetadata(blocks),
  };
  const type = "azurerm_eventgrid_event_subscription";
  const existing = adopted ? Object.entries(resource[type] ?? {}) : [];
  const imports = existing.map(([key, { name, scope }]) => ({
    to: `${type}.${key}`,
    id: `${scope}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`,
  }));
  const variables = Object.keys(variable).filter((name) => name !== "wait_for");
  return { json, variables, outputs: Object.keys(output), imports, waits: "wait_for" in variable };
}

/** Any release of the same major version, not older than the given one. */
function minorOf(version: string): string {
  return `~> ${version.split(".").slice(0, 2).join(".")}`;
}

/** Removes the `//` comments that cdktf adds to every block. */
function withoutMetadata(blocks: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(blocks, (name, value: unknown) => (name === "//" ? undefined : value)),
  );
}

function pathOf(endpoint: string): string {
  const { pathname } = new URL(endpoint);
  return pathname === "/" ? "/api/events" : pathname;
}
