import {
  type Component,
  isPullBinding,
  readComponents,
  readEnvironment,
  readEnvironmentBinding,
  readNamespaceTopic,
  readPullBinding,
} from "../bindings/index.js";
import { eventTypesOf } from "../event-types.js";
import { readText } from "../files.js";
import { CommandError, type Terminal, UsageError } from "../terminal/index.js";
import {
  type Deployment,
  type DeploymentOptions,
  deploymentOfBinding,
  deploymentOfProps,
  deploymentOfPull,
} from "./deployment.js";
import { ownSubscription, readTerraformOutputs } from "./terraform-outputs.js";

/** The options that name a deployment, besides a component document. */
export interface DeploymentFlags extends Omit<DeploymentOptions, "eventTypes"> {
  /** The name of the component, if the file has several. */
  readonly component?: string;
  readonly env?: string;
  readonly dotenv?: string;
  readonly terraform?: string;
  readonly eventType?: readonly string[];
}

/** The deployment that the options name. @throws {UsageError} when they name none, or several */
export function readDeployment(
  { directory, env }: Terminal,
  file: string | undefined,
  flags: DeploymentFlags,
): Deployment {
  const sources = [file, flags.env, flags.terraform].filter((each) => each !== undefined);
  if (file === undefined && flags.env === undefined && flags.terraform === undefined) {
    throw new UsageError("give a component document, --env <prefix> or --terraform <file>");
  }
  if (file !== undefined) {
    if (sources.length > 1) throw new UsageError("give one definition");
    const text = readText(directory, file);
    const component = chosen(
      readComponents(text, file, { existingSubscription: true }),
      file,
      flags.component,
    );
    const { name = file, props, problems, references } = component;
    if (props === undefined) throw new CommandError(messages(problems, file));
    // The key that a document refers to is not in it.
    const accessKey = references.accessKey === undefined ? props.accessKey : undefined;
    return deploymentOfProps(name, props, accessKey, optionsOf(flags, env));
  }
  if (flags.component !== undefined) throw new UsageError("--component goes with a file only");
  const outputs =
    flags.terraform === undefined
      ? undefined
      : readTerraformOutputs(readText(directory, flags.terraform));
  const [onlyPrefix, ...others] = outputs?.prefixes ?? [];
  if (flags.env === undefined && others.length > 0) {
    const prefixes = outputs?.prefixes.join(", ");
    throw new UsageError(`the outputs contain several bindings (${prefixes}): choose with --env`);
  }
  const prefix = flags.env ?? onlyPrefix;
  if (prefix === undefined) {
    throw new CommandError(
      "the outputs contain no environment of a binding: give the JSON of terraform output -json with one in it, or --env <prefix>",
    );
  }
  const variables = { ...readEnvironment(env, directory, flags.dotenv), ...outputs?.environment };
  const eventSubscription = outputs && ownSubscription(outputs, prefix);
  const options = optionsOf({ ...(eventSubscription && { eventSubscription }), ...flags }, env);
  if (isPullBinding(prefix, variables)) {
    const isNamed = Boolean(variables[`${prefix}_SUBSCRIPTION_NAME`]);
    const publishes = flags.publisher !== undefined || variables[`${prefix}_PUBLISH_WITH`];
    const read = publishes && !isNamed ? readNamespaceTopic : readPullBinding;
    const { binding, problems } = read(prefix, variables);
    if (binding === undefined) throw new CommandError(messages(problems));
    return deploymentOfPull(prefix, binding, options);
  }
  const { binding, problems } = readEnvironmentBinding(prefix, variables);
  if (binding === undefined) throw new CommandError(messages(problems));
  return deploymentOfBinding(prefix, binding, options);
}

/** The component with a name, or the only one of a file. */
function chosen(
  components: readonly Component[],
  file: string,
  name: string | undefined,
): Component {
  const [component, another] = components.filter(
    (each) => name === undefined || each.name === name,
  );
  const names = components.map((each) => each.name ?? "?").join(", ");
  if (another !== undefined) {
    throw new UsageError(`${file} contains several bindings (${names}): choose with --component`);
  }
  if (component === undefined) {
    throw new UsageError(`${file} contains no binding with the name ${name}, but: ${names}`);
  }
  return component;
}

function optionsOf(flags: DeploymentFlags, env: Terminal["env"]): DeploymentOptions {
  const azureSubscription =
    flags.azureSubscription || env.ARM_SUBSCRIPTION_ID || env.AZURE_SUBSCRIPTION_ID || undefined;
  const eventTypes = eventTypesOf("--event-type", flags.eventType);
  return { ...flags, azureSubscription, eventTypes };
}

const messages = (
  problems: readonly { readonly line?: number; readonly message: string }[],
  file?: string,
) =>
  problems
    .map(({ line, message }) => (line === undefined ? message : `${file}:${line}: ${message}`))
    .join("\n");
