import { createPublisher } from "cloud-eventgrid-binding-runtime/publisher";
import { readEnvironment, readEnvironmentBinding } from "../definitions/index.js";
import { optionalPeer } from "../optional-peer.js";
import { CommandError, type Terminal, UsageError } from "../terminal/index.js";
import type { Sender } from "./replay.js";
import { topicSender } from "./send-to-topic.js";

/** How to reach the topic. */
export interface TopicFlags {
  readonly env?: string;
  readonly envFile?: string;
  readonly topic?: string;
  readonly accessKeyEnv?: string;
  readonly entra?: true;
}

/** The topic to publish to. */
export interface Target {
  readonly endpoint: string;
  /** Creates the sender, which asks for credentials when it sends. */
  open(): Promise<Sender>;
}

/** The topic that the options name. @throws {UsageError} when they are incomplete */
export function readTarget(flags: TopicFlags, { env, directory }: Terminal): Target {
  if (flags.env !== undefined) {
    const variables = readEnvironment(env, directory, flags.envFile);
    const { binding, problems } = readEnvironmentBinding(flags.env, variables, "output");
    if (binding === undefined || !("topicEndpoint" in binding)) {
      throw new CommandError(problems.map(({ message }) => message).join("\n"));
    }
    const { topicEndpoint, accessKey } = binding;
    return target(topicEndpoint, binding.publishWith === "entra" ? undefined : accessKey);
  }
  if (flags.topic === undefined) {
    throw new UsageError("give the topic: --env <prefix>, or --topic <endpoint> with a credential");
  }
  if (flags.entra) return target(flags.topic, undefined);
  const variable = flags.accessKeyEnv;
  if (variable === undefined) throw new UsageError("--topic needs --access-key-env or --entra");
  const key = env[variable];
  if (!key) throw new UsageError(`${variable} is not set`);
  return target(flags.topic, key);
}

function target(topicEndpoint: string, accessKey: string | undefined): Target {
  return {
    endpoint: topicEndpoint,
    open: async () => {
      if (accessKey !== undefined) {
        return topicSender(createPublisher({ topicEndpoint, accessKey }));
      }
      const { DefaultAzureCredential } = await optionalPeer(
        "@azure/identity",
        () => import("@azure/identity"),
      );
      const credential = new DefaultAzureCredential();
      return topicSender(createPublisher({ topicEndpoint, publishWith: "entra" }, { credential }));
    },
  };
}
