import { type BindingSpec, type InputSource, type ProjectSpec, projectName } from "./spec.js";

/** The answers to the questions of `init`. */
export interface NewProject extends Pick<ProjectSpec, "cdk" | "app" | "host"> {
  readonly name: string;
  readonly direction: "receive" | "publish" | "both";
  readonly source: Extract<InputSource, string>;
  /** The webhook's public URL. */
  readonly endpoint: string;
  readonly port: string;
}

/** A new project with one binding. */
export function newProject({
  direction,
  source,
  endpoint,
  port,
  ...answers
}: NewProject): ProjectSpec {
  const name = projectName(answers.name);
  const receives = direction !== "publish";
  const fromStorage = receives && source === "storage";
  const binding: BindingSpec = {
    name,
    ...(receives && {
      input: { source, subscriberEndpoint: endpoint, handshakePort: port, adopt: false },
    }),
    ...(direction !== "receive" && { output: { publishWith: "accessKey" } }),
    eventTypes: [
      ...(fromStorage ? ["Microsoft.Storage.BlobCreated"] : []),
      // Storage raises the events that arrive; the service publishes its own.
      ...(fromStorage && direction === "receive" ? [] : [`com.example.${name}.created`]),
    ],
    typesAreKnown: true,
  };
  return { ...answers, name, bindings: [binding] };
}
