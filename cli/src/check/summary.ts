import {
  type BindingProps,
  defaultSubscriptionName,
  eventsUrl,
  type PullRuntimeBinding,
  type RuntimeBinding,
} from "cloud-eventgrid-binding-runtime/internal";
import { shownUrl } from "../terminal/index.js";

/** A summary of one direction of a valid binding, as labelled values. */
export interface DirectionSummary {
  readonly direction: "input" | "output";
  readonly facts: Readonly<Record<string, string>>;
}

/** Summarizes the props of a component document. */
export function summarizeProps(props: BindingProps, name: string): DirectionSummary[] {
  const summaries: DirectionSummary[] = [];
  if (props.subscriberEndpoint !== undefined) {
    const byClient = props.writer === "client";
    summaries.push({
      direction: "input",
      facts: {
        webhook: shownUrl(eventsUrl(props.subscriberEndpoint)),
        port: props.handshakePort,
        scope: props.scope,
        "event subscription": props.eventSubscriptionName ?? defaultSubscriptionName(name),
        "written by": byClient ? "the application, with its client secret" : "the deployer",
        application: props.cloudClientId,
        tenant: props.cloudTenantId,
        cloud: props.cloudEnvironment ?? "public",
      },
    });
  }
  if (props.topicEndpoint !== undefined) {
    const { topicEndpoint, publishWith, cloudEnvironment = "public" } = props;
    summaries.push(publishing(topicEndpoint, publishWith, cloudEnvironment));
  }
  return summaries;
}

/** Summarizes a binding that was read from environment variables. */
export function summarizeBinding(binding: RuntimeBinding): DirectionSummary[] {
  const summaries: DirectionSummary[] = [];
  if ("handshakePort" in binding) {
    const { path = "", handshakePort, cloudClientId, cloudTenantId } = binding;
    summaries.push({
      direction: "input",
      facts: {
        path,
        port: handshakePort,
        application: cloudClientId,
        tenant: cloudTenantId,
        cloud: binding.cloudEnvironment ?? "public",
        ...(binding.cloudAuthorityHost && { "authority host": binding.cloudAuthorityHost }),
      },
    });
  }
  if ("topicEndpoint" in binding) {
    const { topicEndpoint, publishWith, cloudEnvironment = "public" } = binding;
    summaries.push(publishing(topicEndpoint, publishWith, cloudEnvironment));
  }
  return summaries;
}

export function summarizePull(binding: PullRuntimeBinding): DirectionSummary[] {
  const { namespaceEndpoint, topicName, eventSubscriptionName, receiveWith } = binding;
  const key = "the access key of the namespace or the topic";
  return [
    {
      direction: "input",
      facts: {
        namespace: namespaceEndpoint,
        topic: topicName,
        "event subscription": eventSubscriptionName,
        "authenticated by": receiveWith === "accessKey" ? key : "an Entra token",
        cloud: binding.cloudEnvironment ?? "public",
      },
    },
  ];
}

function publishing(topic: string, publishWith = "accessKey", cloud: string): DirectionSummary {
  const credential = publishWith === "entra" ? "an Entra token" : "the topic's access key";
  return { direction: "output", facts: { topic, "authenticated by": credential, cloud } };
}
