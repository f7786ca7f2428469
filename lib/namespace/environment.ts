import { Token } from "cdktf";
import type {
  BindingEnvironment,
  CloudEnvironmentName,
} from "cloud-eventgrid-binding-runtime/internal";
import type { Construct } from "constructs";
import { checkEnvironmentOptions, RuntimeEnvironment } from "../binding/index.js";
import { reportedBy } from "../validation/index.js";

/** Options of the environment of a service that receives from a namespace or publishes to one. */
export interface NamespaceEnvironmentOptions {
  /**
   * Name of the binding, for log lines, and the default `source` of the events that it publishes.
   *
   * @default the construct's id
   */
  readonly name?: string;
  /**
   * Access key of the namespace or the topic, for a service that cannot get Entra tokens. It becomes a
   * secret of the environment.
   *
   * @default none: the service authenticates with its identity
   */
  readonly accessKey?: string;
  /** @default "public" */
  readonly cloudEnvironment?: CloudEnvironmentName;
  /**
   * Base URL of the token issuer if it is not the cloud's own, for example a local Azure's.
   *
   * @default the login host of `cloudEnvironment`
   */
  readonly cloudAuthorityHost?: string;
}

/** The environment of a construct of the namespace; empty if its props have problems. */
export function namespaceEnvironment(
  construct: Construct,
  options: NamespaceEnvironmentOptions,
  write: (
    common: NamespaceEnvironmentOptions,
    isUnresolved: (value: unknown) => boolean,
  ) => BindingEnvironment,
): RuntimeEnvironment {
  const names = ["name", "accessKey", "cloudEnvironment", "cloudAuthorityHost"];
  checkEnvironmentOptions(options, ...names);
  if (reportedBy(construct).length > 0) {
    return new RuntimeEnvironment({ variables: {}, secrets: {} });
  }
  return new RuntimeEnvironment(write({ name: construct.node.id, ...options }, Token.isUnresolved));
}
