import { Token } from "cdktf";
import {
  type BindingEnvironment,
  type CloudEnvironmentName,
  ConfigurationError,
  statedProblem,
  unchecked,
} from "cloud-eventgrid-binding-runtime/internal";
import type { Construct } from "constructs";
import { reportedBy, validated } from "../validation/index.js";

/** Options of {@link CloudEventGridBinding.runtimeEnvironment}. */
export interface RuntimeEnvironmentOptions {
  /**
   * Path that the listener serves. Required if the path of `subscriberEndpoint` is known only after
   * deployment, or if a gateway rewrites the public path.
   *
   * @default the path of `subscriberEndpoint`
   */
  readonly path?: string;
  /**
   * Name of the binding: the default `source` of the events that it publishes.
   *
   * @default the construct's id
   */
  readonly name?: string;
}

/** Environment of a container in an `azurerm` container app. */
export interface ContainerAppEnvironment {
  /** The container's `env`. */
  readonly env: { readonly name: string; readonly value?: string; readonly secretName?: string }[];
  /** The container app's `secret`. */
  readonly secret: { readonly name: string; readonly value: string }[];
}

/** An entry of a Kubernetes container's `env`. */
export type KubernetesVariable =
  | { readonly name: string; readonly value: string }
  | {
      readonly name: string;
      readonly valueFrom: {
        readonly secretKeyRef: { readonly name: string; readonly key: string };
      };
    };

/** Environment of a Kubernetes container. */
export interface KubernetesEnvironment {
  /** The container's `env`. */
  readonly env: KubernetesVariable[];
  /** Data of the Secret that `env` refers to, not encoded: a manifest's `stringData`. */
  readonly stringData: Record<string, string>;
}

/** The environment that a service needs for `bindingFromEnvironment`, with secrets kept separate. */
export class RuntimeEnvironment {
  /** Values that are not secret, by the names of their variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** The topic's access key, if there is one, by the name of its variable. */
  readonly secrets: Readonly<Record<string, string>>;

  constructor({ variables, secrets }: BindingEnvironment) {
    this.variables = variables;
    this.secrets = secrets;
  }

  /** For a container app: `secret` belongs to the app, `env` to its container. */
  forContainerApp(): ContainerAppEnvironment {
    const secretNames = Object.keys(this.secrets).map((name) => [name, secretName(name)] as const);
    return {
      env: [
        ...Object.entries(this.variables).map(([name, value]) => ({ name, value })),
        ...secretNames.map(([name, secretName]) => ({ name, secretName })),
      ],
      secret: Object.entries(this.secrets).map(([name, value]) => ({
        name: secretName(name),
        value,
      })),
    };
  }

  /**
   * For the `appSettings` of a web app or function app, which hold both secrets and variables.
   *
   * @param secretReferences replacements of secret values, by the names of their variables: a Key
   * Vault reference such as `@Microsoft.KeyVault(SecretUri=…)`
   * @throws {ConfigurationError} for a name that is not a secret of the binding, because the
   * secret itself would stay in the settings
   */
  forAppSettings(secretReferences: Readonly<Record<string, string>> = {}): Record<string, string> {
    this.#refuseUnknown(secretReferences);
    const secrets = Object.entries(this.secrets).map(
      ([name, value]) => [name, secretReferences[name] ?? value] as const,
    );
    return Object.fromEntries([...Object.entries(this.variables), ...secrets]);
  }

  /**
   * For a Kubernetes container.
   *
   * @param secretName name of the Kubernetes Secret that holds the secrets
   */
  forKubernetes(secretName: string): KubernetesEnvironment {
    return {
      env: [
        ...Object.entries(this.variables).map(([name, value]) => ({ name, value })),
        ...Object.keys(this.secrets).map((name) => ({
          name,
          valueFrom: { secretKeyRef: { name: secretName, key: name } },
        })),
      ],
      stringData: { ...this.secrets },
    };
  }

  #refuseUnknown(references: Readonly<Record<string, string>>): void {
    // The environment of an invalid binding is empty, and synthesis reports why.
    if (Object.keys(this.variables).length === 0) return;
    const secrets = Object.keys(this.secrets);
    const problems = Object.keys(references)
      .filter((name) => !secrets.includes(name))
      .map((field) =>
        statedProblem(field, {
          secret: `${field} is not a secret of this binding, which has: ${secrets.join(", ") || "none"}`,
        }),
      );
    if (problems.length > 0)
      throw new ConfigurationError("The secrets cannot be referred to", problems);
  }
}

/** @throws {ConfigurationError} for an option that is not among the names */
export function checkEnvironmentOptions(options: object, ...names: readonly string[]): void {
  const checks = Object.fromEntries(names.map((name) => [name, unchecked]));
  const { problems } = validated(options, checks);
  if (problems.length > 0) throw new ConfigurationError("runtimeEnvironment", problems);
}

/** Container apps allow lower-case letters, digits and hyphens in the name of a secret. */
function secretName(variable: string): string {
  return variable.toLowerCase().replaceAll("_", "-");
}

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
