import {
  isPullBinding,
  readComponents,
  readEnvironment,
  readEnvironmentBinding,
  readPullBinding,
} from "../definitions/index.js";
import { readText } from "../files.js";
import { CommandError, type Terminal, UsageError } from "../terminal/index.js";
import {
  type Target,
  type TargetOptions,
  targetOfBinding,
  targetOfProps,
  targetOfPull,
} from "./target.js";
import { ownSubscription, readTerraformOutputs } from "./terraform-outputs.js";

/** The options that name a deployment, besides a component document. */
export interface TargetFlags {
  readonly env?: string;
  readonly envFile?: string;
  readonly terraform?: string;
  readonly scope?: string;
  readonly eventSubscription?: string;
  readonly azureSubscription?: string;
  readonly eventType?: readonly string[];
  readonly writer?: string;
  readonly publisher?: string;
  readonly receiver?: string;
}

/** The deployment that the options name. @throws {UsageError} when they name none, or several */
export function readTarget(
  { directory, env }: Terminal,
  file: string | undefined,
  flags: TargetFlags,
): Target {
  const sources = [file, flags.env, flags.terraform].filter((each) => each !== undefined);
  if (file === undefined && flags.env === undefined && flags.terraform === undefined) {
    throw new UsageError("give a component document, --env <prefix> or --terraform <file>");
  }
  if (file !== undefined) {
    if (sources.length > 1) throw new UsageError("give one definition");
    const text = readText(directory, file);
    const [component, another] = readComponents(text, file, { existingSubscription: true });
    if (another !== undefined) throw new UsageError(`${file} contains several bindings`);
    const { name = file, props, problems = [] } = component ?? {};
    if (props === undefined) throw new CommandError(messages(problems, file));
    return targetOfProps(name, props, optionsOf(flags, env));
  }
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
    throw new CommandError("the outputs contain no environment of a binding: give --env <prefix>");
  }
  const variables = { ...readEnvironment(env, directory, flags.envFile), ...outputs?.environment };
  const eventSubscription = outputs && ownSubscription(outputs, prefix);
  const options = {
    ...(eventSubscription !== undefined && { eventSubscription }),
    ...optionsOf(flags, env),
  };
  if (isPullBinding(prefix, variables)) {
    const { binding, problems } = readPullBinding(prefix, variables);
    if (binding === undefined) throw new CommandError(messages(problems));
    return targetOfPull(prefix, binding, options);
  }
  const { binding, problems } = readEnvironmentBinding(prefix, variables);
  if (binding === undefined) throw new CommandError(messages(problems));
  return targetOfBinding(prefix, binding, options);
}

function optionsOf(flags: TargetFlags, env: Terminal["env"]): TargetOptions {
  const { scope, eventSubscription, writer, publisher, receiver, eventType = [] } = flags;
  const azureSubscription =
    flags.azureSubscription || env.ARM_SUBSCRIPTION_ID || env.AZURE_SUBSCRIPTION_ID || undefined;
  return {
    eventTypes: eventType,
    ...(scope !== undefined && { scope }),
    ...(eventSubscription !== undefined && { eventSubscription }),
    ...(azureSubscription !== undefined && { azureSubscription }),
    ...(writer !== undefined && { writer }),
    ...(publisher !== undefined && { publisher }),
    ...(receiver !== undefined && { receiver }),
  };
}

const messages = (
  problems: readonly { readonly line?: number; readonly message: string }[],
  file = "",
) =>
  problems
    .map(({ line, message }) => (line === undefined ? message : `${file}:${line}: ${message}`))
    .join("\n");
