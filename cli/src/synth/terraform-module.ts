import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  eventTypesByResourceType,
  resourceManagerEventTypes,
} from "cloud-eventgrid-binding-runtime/events";
import {
  type BindingProps,
  bindingEnvironment,
  type CloudEnvironmentName,
  cloudEnvironments,
  defaultSubscriptionName,
} from "cloud-eventgrid-binding-runtime/internal";
import type { Component } from "../bindings/index.js";
import { adoptedAssignments, namesOf, projectName } from "../project/index.js";
import { trimmedId } from "../resource-id.js";
import { hclMembers, hclValue, withVariable } from "./hcl.js";
import { moduleExamples, type TerraformModule } from "./module-call.js";
import { moduleReadme } from "./module-readme.js";
import { withRules } from "./variable-rules.js";

export interface ModuleOptions {
  readonly eventTypes: readonly string[];
  /** Whether the event subscription exists and is imported by the caller. */
  readonly adopted: boolean;
  /** Who writes the event subscription; the client does it with the provider `azurerm.client`. */
  readonly writer: "deployer" | "client";
}

/** The variables of the fields of a definition. */
const VARIABLES = {
  cloudTenantId: "tenant_id",
  cloudSubscriptionId: "subscription_id",
  cloudClientId: "client_id",
  subscriberEndpoint: "subscriber_endpoint",
  handshakePort: "handshake_port",
  scope: "scope",
  eventSubscriptionName: "event_subscription_name",
  topicEndpoint: "topic_endpoint",
  accessKey: "access_key",
} as const;

type Field = keyof typeof VARIABLES;
const fields = Object.keys(VARIABLES) as readonly Field[];

/** The address of the document's event subscription, next to those of `additional_scopes`. */
const OWN_SUBSCRIPTION = 'azurerm_eventgrid_event_subscription.this["scope"]';

const SUBSCRIPTION_OUTPUTS = [
  "client_id",
  "event_subscription_id",
  "event_subscription_ids",
  "topic_id",
  "topic_endpoint",
  "topic_access_key",
];

const TEMPLATES = join(__dirname, "../../templates/terraform-module");

/**
 * The Terraform module that provisions the binding of a component document. It has no provider
 * configuration of its own, so that it can be used with `count`, `for_each` and `providers`. The
 * values of the document are the defaults of its variables.
 */
export function terraformModule(
  { name = "binding", props = {} as BindingProps }: Component,
  { eventTypes, adopted, writer }: ModuleOptions,
): TerraformModule {
  const names = namesOf(projectName(name));
  const subscribes = "scope" in props;
  const publishes = "topicEndpoint" in props;
  const values: Partial<Record<Field, string>> = { ...props };
  if (subscribes) values.eventSubscriptionName ??= defaultSubscriptionName(name);
  const secrets = fields.filter((field) => isSecret(field, values[field]));

  const parts = [
    ...(subscribes ? ["variables.tf"] : []),
    ...(publishes ? ["publisher-variables.tf"] : []),
  ];
  let variables = withRules(parts.map(template).join("\n"));
  for (const field of fields) {
    const value = values[field];
    if (value === undefined) continue;
    const change = secrets.includes(field) ? { sensitive: true as const } : { value };
    variables = withVariable(variables, VARIABLES[field], change);
  }
  const settings: Readonly<Record<string, string | readonly string[] | undefined>> = {
    app_role_id: uuidOf(`${names.folder} ${values.scope}`),
    event_grid_application_id:
      cloudEnvironments[props.cloudEnvironment ?? "public"].eventGridApplicationId,
    ...(eventTypes.length > 0 && { included_event_types: eventTypes }),
    ...(adopted && { existing_assignments: adoptedAssignments, labels: ["adopted"] }),
  };
  for (const [variable, value] of Object.entries(settings)) {
    if (value !== undefined) variables = withVariable(variables, variable, { value });
  }

  const id = `${trimmedId(values.scope ?? "")}/providers/Microsoft.EventGrid/eventSubscriptions/${values.eventSubscriptionName}`;
  const isUnknownCloud = subscribes && settings.event_grid_application_id === undefined;
  const module = {
    name: names.folder,
    variables: [
      ...secrets.map((field) => VARIABLES[field]),
      ...(isUnknownCloud ? ["event_grid_application_id"] : []),
    ],
    outputs: ["environment", ...(subscribes ? SUBSCRIPTION_OUTPUTS : [])],
    imports: adopted && subscribes ? [{ to: OWN_SUBSCRIPTION, id }] : [],
    hasClientProvider: subscribes && writer === "client",
  };
  const files = {
    ...(subscribes && {
      "main.tf": withCloud(props.cloudEnvironment, withWriter(writer, template("main.tf"))),
      "event-types.tf": eventTypesFile(),
      "versions.tf": withWriter(writer, template("versions.tf")),
    }),
    "variables.tf": variables,
    "outputs.tf":
      environmentOutput(props, names) + (subscribes ? `\n${template("outputs.tf")}` : ""),
    ...moduleExamples(module, subscribes),
  };
  const readme = moduleReadme({ ...module, files }, subscribes);
  return { ...module, files: { ...files, "README.md": readme } };
}

/** What differs in a file if the client writes the event subscription. */
function withWriter(writer: ModuleOptions["writer"], file: string): string {
  if (writer === "deployer") return file;
  return file
    .replace("client_writes = false", "client_writes = true")
    .replace(
      /(?<="azurerm_eventgrid_event_subscription" "this" \{\n)(?= +for_each( +)=)/,
      "  provider$1= azurerm.client\n",
    )
    .replace(
      /(azurerm = \{\n +source) +(= .*\n +version) +(= .*\n)/,
      "$1                $2               $3      configuration_aliases = [azurerm.client]\n",
    );
}

/** The probe sends the origin of the public cloud by default. */
function withCloud(cloud: CloudEnvironmentName = "public", file: string): string {
  if (cloud === "public") return file;
  return file.replace("cloud_options = []", `cloud_options = ["--cloud", "${cloud}"]`);
}

/** A UUID that depends only on the text. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return [...parts, hex.slice(20, 32)].join("-");
}

function template(file: string): string {
  return readFileSync(join(TEMPLATES, file), "utf8");
}

/** A query of the endpoint is a credential as well. */
function isSecret(field: Field, value: string | undefined): boolean {
  if (value === undefined) return false;
  return field === "accessKey" || (field === "subscriberEndpoint" && new URL(value).search !== "");
}

/** The types that are delivered if the module's caller names none. */
function eventTypesFile(): string {
  const byKind = { "": resourceManagerEventTypes, ...eventTypesByResourceType };
  const keyed = Object.entries(byKind).map(
    ([kind, types]) => [JSON.stringify(kind), types] as const,
  );
  const publishers = keyed.filter(([, types]) => types.length === 0).map(([kind]) => [kind, "[]"]);
  const lists = keyed
    .filter(([, types]) => types.length > 0)
    .map(([kind, types]) => {
      const items = types.map((type) => `      ${hclValue(type)},\n`).join("");
      return `    ${kind} = [\n${items}    ]\n`;
    });
  return `locals {
  # All event types of a scope, by the type of its resource; "" is a subscription or a resource group.
  event_types_by_kind = {
${hclMembers(Object.fromEntries(publishers), "    ")}${lists.join("")}  }
}
`;
}

/** The value of a field in the module; the application may be the module's own. */
function referenceTo(field: Field): string {
  return field === "cloudClientId" ? "local.client_id" : `var.${VARIABLES[field]}`;
}

function environmentOutput(props: BindingProps, names: { prefix: string; folder: string }): string {
  const references = Object.fromEntries(
    fields.filter((field) => field in props).map((field) => [field, `\${${referenceTo(field)}}`]),
  );
  const isUnresolved = (value: unknown) => typeof value === "string" && value.startsWith("${");
  const { variables, secrets } = bindingEnvironment(
    { ...props, ...references } as BindingProps,
    names.prefix,
    {
      isUnresolved,
      existingSubscription: true,
      name: names.folder,
      ...("subscriberEndpoint" in props && { path: "${local.path}" }),
    },
  );
  const members = Object.entries({ ...variables, ...secrets }).map(([name, value]) => [
    name,
    hclValue(value),
  ]);
  return `output "environment" {
  description = "Environment variables of the service, for bindingFromEnvironment(\\"${names.prefix}\\")."
  sensitive   = true
  value = {
${hclMembers(Object.fromEntries(members), "    ")}  }
}
`;
}
