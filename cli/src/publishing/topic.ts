import {
  createPublisher,
  InvalidEventError,
  PublishError,
  type Publisher,
} from "cloud-eventgrid-binding-runtime";
import { ConfigurationError, parseServiceBinding } from "cloud-eventgrid-binding-runtime/internal";
import { explained } from "../azure/index.js";
import { readEnvironment, readEnvironmentBinding } from "../bindings/index.js";
import { loadIdentity } from "../optional-peer.js";
import { CommandError, type Terminal, UsageError } from "../terminal/index.js";
import type { readEvent } from "./event.js";

export interface TopicFlags {
  readonly env?: string;
  readonly dotenv?: string;
  readonly topic?: string;
  readonly accessKeyEnv?: string;
  readonly entra?: true;
}

export interface TopicToPublish {
  readonly endpoint: string;
  /** The name of its binding, which is the default source of events. */
  readonly name?: string;
  /** Creates a publisher, which asks for credentials when it publishes. */
  open(): Promise<Publisher>;
}

/** The topic that the options name. @throws {UsageError} when they are incomplete */
export function readTopic(flags: TopicFlags, { env, directory }: Terminal): TopicToPublish {
  if (flags.env !== undefined) {
    const variables = readEnvironment(env, directory, flags.dotenv);
    if (variables[`${flags.env}_DIRECTION`] === "input") {
      throw new CommandError(
        `the binding ${flags.env} only receives (${flags.env}_DIRECTION is "input"): give one that publishes, or --topic <endpoint> with a credential`,
      );
    }
    const { binding, problems } = readEnvironmentBinding(flags.env, variables, "output");
    if (binding === undefined || !("topicEndpoint" in binding)) {
      throw new CommandError(problems.map(({ message }) => message).join("\n"));
    }
    const { topicEndpoint, accessKey, name } = binding;
    const key = binding.publishWith === "entra" ? undefined : accessKey;
    return { ...topicAt(topicEndpoint, key, env), ...(name !== undefined && { name }) };
  }
  if (flags.topic === undefined) {
    throw new UsageError("give the topic: --env <prefix>, or --topic <endpoint> with a credential");
  }
  if (!URL.canParse(flags.topic)) {
    throw new UsageError(
      `--topic must be the topic's endpoint, such as https://orders.westeurope-1.eventgrid.azure.net/api/events, not ${JSON.stringify(flags.topic)}`,
    );
  }
  const variable = flags.accessKeyEnv;
  if (flags.entra && variable !== undefined) {
    throw new UsageError("give --access-key-env or --entra, not both");
  }
  if (!flags.entra && variable === undefined) {
    throw new UsageError("--topic needs --access-key-env or --entra");
  }
  const accessKey = variable === undefined ? undefined : env[variable];
  if (variable !== undefined && !accessKey) {
    throw new UsageError(`${variable} is not set: put the topic's access key into it`);
  }
  const binding = { topicEndpoint: flags.topic, ...(accessKey ? { accessKey } : ENTRA) };
  const parsed = parseServiceBinding(binding, "output", {
    nameOf: ({ name }) => (name === "topicEndpoint" ? "--topic" : String(variable)),
  });
  if (Array.isArray(parsed)) {
    throw new UsageError(parsed.map(({ message }) => message).join("\n"));
  }
  return topicAt(flags.topic, accessKey, env);
}

const ENTRA = { publishWith: "entra" };

/**
 * The topic with an endpoint.
 *
 * @param accessKey its key; without one, `@azure/identity` signs in
 */
function topicAt(
  topicEndpoint: string,
  accessKey: string | undefined,
  env: Terminal["env"],
): TopicToPublish {
  return {
    endpoint: topicEndpoint,
    open: async () => {
      if (accessKey !== undefined) return createPublisher({ topicEndpoint, accessKey });
      const { DefaultAzureCredential } = await loadIdentity();
      // Instance discovery asks Microsoft about a host that only this machine knows.
      const isElsewhere = Boolean(env.ARM_METADATA_HOSTNAME);
      const credential = new DefaultAzureCredential({ disableInstanceDiscovery: isElsewhere });
      // The publisher would try several times, and its error has no remedy.
      await explained(credential, "Entra").getToken(scopeOf(topicEndpoint));
      return createPublisher({ topicEndpoint, publishWith: "entra" }, { credential });
    },
  };
}

/** Returns the scope of tokens for a topic in its cloud. */
function scopeOf(topicEndpoint: string): string {
  const [, suffix = "azure.net"] = /\.eventgrid\.(azure\.\w*)([:/]|$)/.exec(topicEndpoint) ?? [];
  return `https://eventgrid.${suffix}/.default`;
}

/**
 * Publishes one event.
 *
 * @returns its id
 * @throws {UsageError} for an event that CloudEvents does not allow
 * @throws {CommandError} when the topic does not accept it
 */
export async function publishEvent(
  topic: TopicToPublish,
  event: Awaited<ReturnType<typeof readEvent>>,
): Promise<string> {
  try {
    const publisher = await topic.open();
    try {
      const [id] = await publisher.create(event);
      return String(id);
    } finally {
      await publisher.close();
    }
  } catch (error) {
    if (error instanceof InvalidEventError) throw new UsageError(error.message);
    const expected = [PublishError, ConfigurationError];
    const isExpected = error instanceof Error && expected.some((type) => error instanceof type);
    throw isExpected ? new CommandError(error.message) : error;
  }
}
