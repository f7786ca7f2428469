import { parseEnv } from "node:util";
import {
  bindingFromEnvironment,
  ConfigurationError,
  type Direction,
  type NamespaceTopicRuntimeBinding,
  namespaceTopicFromEnvironment,
  type PullRuntimeBinding,
  pullBindingFromEnvironment,
  type RuntimeBinding,
  showName,
} from "cloud-eventgrid-binding-runtime/internal";
import { readText } from "../files.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A binding in environment variables, or the reasons why it cannot be read. */
export interface EnvironmentBinding<Binding = RuntimeBinding> {
  readonly prefix: string;
  readonly binding?: Binding;
  readonly problems: readonly { readonly field: string; readonly message: string }[];
}

/** The variables of a file in dotenv format, over those of the process. */
export function readEnvironment(
  env: Environment,
  directory: string,
  file: string | undefined,
): Environment {
  return file === undefined ? env : { ...env, ...parseEnv(readText(directory, file)) };
}

/** Reads the directions of a binding that its variables provide. */
export function readEnvironmentBinding(
  prefix: string,
  env: Environment,
  direction: Direction = directionOf(prefix, env),
): EnvironmentBinding {
  return reading(prefix, env, () => bindingFromEnvironment(prefix, { direction, env }));
}

/** Reports whether the variables are those of a service that receives from a namespace. */
export function isPullBinding(prefix: string, env: Environment): boolean {
  return Boolean(env[`${prefix}_NAMESPACE_ENDPOINT`]) && !env[`${prefix}_DIRECTION`];
}

export function readPullBinding(
  prefix: string,
  env: Environment,
): EnvironmentBinding<PullRuntimeBinding> {
  return reading(prefix, env, () => pullBindingFromEnvironment(prefix, { env }));
}

/** Reads what a service publishes to in a namespace. */
export function readNamespaceTopic(
  prefix: string,
  env: Environment,
): EnvironmentBinding<NamespaceTopicRuntimeBinding> {
  return reading(prefix, env, () => namespaceTopicFromEnvironment(prefix, { env }));
}

function reading<Binding>(
  prefix: string,
  env: Environment,
  read: () => Binding,
): EnvironmentBinding<Binding> {
  try {
    return { prefix, binding: read(), problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    if (Object.keys(env).some((name) => name.startsWith(`${prefix}_`))) {
      return { prefix, problems: error.problems };
    }
    const message = `no variable begins with ${showName(prefix)}_: read a file with --dotenv <file>, or give another prefix`;
    return { prefix, problems: [{ field: prefix, message }] };
  }
}

function directionOf(prefix: string, env: Environment): Direction {
  const isSet = (name: string) => Boolean(env[`${prefix}_${name}`]);
  const direction = env[`${prefix}_DIRECTION`];
  if (direction === "input" || direction === "output") return direction;
  const receives = isSet("CLIENT_ID") || isSet("HANDSHAKE_PORT") || isSet("WEBHOOK_PATH");
  const publishes = isSet("TOPIC_ENDPOINT");
  if (direction !== undefined || receives === publishes) return "input, output";
  return receives ? "input" : "output";
}
