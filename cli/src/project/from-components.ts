import type { Component } from "../definitions/index.js";
import { CommandError } from "../terminal.js";
import { type BindingSpec, type InputSpec, type ProjectSpec, projectName } from "./spec.js";

/** The options of the command line that complete the documents. */
export interface ConversionOptions extends Pick<ProjectSpec, "name" | "cdk" | "app" | "host"> {
  readonly eventTypes: readonly string[];
  readonly adopt: boolean;
}

/**
 * The project that provisions the bindings of component documents. The deployer writes the event
 * subscriptions from now on, so the client secrets are left out.
 *
 * @throws {CommandError} when two components have the same name
 */
export function projectOfComponents(
  components: readonly Component[],
  { eventTypes, adopt, ...options }: ConversionOptions,
): ProjectSpec {
  const bindings = components.map((component) => bindingOf(component, eventTypes, adopt));
  const names = bindings.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new CommandError(`two components have the name ${twice}`);
  const inputs = bindings.flatMap(({ input }) => (input === undefined ? [] : [input]));
  const places = new Set(inputs.map((each) => `${each.cloudTenantId} ${each.cloudSubscriptionId}`));
  if (places.size > 1) {
    throw new CommandError(
      "the components are in different tenants or Azure subscriptions: convert them one by one",
    );
  }
  return { ...options, bindings };
}

function bindingOf(
  { name = "binding", props }: Component,
  eventTypes: readonly string[],
  adopt: boolean,
): BindingSpec {
  const input: InputSpec | undefined =
    props?.subscriberEndpoint === undefined
      ? undefined
      : {
          source: { scope: props.scope },
          cloudTenantId: props.cloudTenantId,
          cloudSubscriptionId: props.cloudSubscriptionId,
          cloudClientId: props.cloudClientId,
          ...(props.cloudEnvironment !== undefined && {
            cloudEnvironment: props.cloudEnvironment,
          }),
          subscriberEndpoint: props.subscriberEndpoint,
          handshakePort: props.handshakePort,
          ...(props.eventSubscriptionName !== undefined && {
            eventSubscriptionName: props.eventSubscriptionName,
          }),
          adopt,
        };
  return {
    name: projectName(name),
    ...(input && { input }),
    ...(props?.topicEndpoint !== undefined && {
      output: { topicEndpoint: props.topicEndpoint, publishWith: "accessKey" },
    }),
    eventTypes: eventTypes.length > 0 ? eventTypes : ["com.example.event"],
    typesAreKnown: eventTypes.length > 0,
  };
}
