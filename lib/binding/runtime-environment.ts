import {
  BindingConfigurationError,
  type BindingEnvironment,
} from "cloud-eventgrid-binding-runtime/binding";
import { type All, isObject, optionProblems, received } from "../validation/index.js";

/** What a service is told beyond the props. */
export interface RuntimeEnvironmentOptions {
  /**
   * Path that the listener serves. Needed where the path of `subscriberEndpoint` is known only
   * after deployment, and where a gateway rewrites the public path.
   *
   * @default the path of `subscriberEndpoint`
   */
  readonly path?: string;
  /**
   * What the binding is called: the default `source` of the events it publishes.
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

/** What a service needs in its environment for `bindingFromEnvironment`, variables and secrets apart. */
export class RuntimeEnvironment {
  /** What may be read by anybody, by the variables' names. */
  readonly variables: Readonly<Record<string, string>>;
  /** The topic's access key, if there is one, by its variable's name. */
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
        ...entries(this.variables).map(([name, value]) => ({ name, value })),
        ...secretNames.map(([name, secretName]) => ({ name, secretName })),
      ],
      secret: entries(this.secrets).map(([name, value]) => ({ name: secretName(name), value })),
    };
  }

  /**
   * For the `appSettings` of a web app or function app, which hold secrets and variables alike.
   *
   * @param secretReferences what stands for a secret's value, by the variable's name: a Key Vault
   * reference such as `@Microsoft.KeyVault(SecretUri=…)`
   * @throws {BindingConfigurationError} for a reference to what is no secret of the binding, which
   * would leave the secret itself in the settings
   */
  forAppSettings(secretReferences: Readonly<Record<string, string>> = {}): Record<string, string> {
    this.#refuseUnknown(secretReferences);
    const secrets = entries(this.secrets).map(
      ([name, value]) => [name, secretReferences[name] ?? value] as const,
    );
    return Object.fromEntries([...entries(this.variables), ...secrets]);
  }

  /**
   * For a Kubernetes container.
   *
   * @param secretName name of the Kubernetes Secret that holds the secrets
   */
  forKubernetes(secretName: string): KubernetesEnvironment {
    return {
      env: [
        ...entries(this.variables).map(([name, value]) => ({ name, value })),
        ...Object.keys(this.secrets).map((name) => ({
          name,
          valueFrom: { secretKeyRef: { name: secretName, key: name } },
        })),
      ],
      stringData: { ...this.secrets },
    };
  }

  #refuseUnknown(references: Readonly<Record<string, string>>): void {
    // That of a binding with wrong props is empty, and synthesis tells what is wrong.
    if (Object.keys(this.variables).length === 0) return;
    if (!isObject(references)) {
      const message = `secretReferences must be an object, but is ${received(references)}`;
      throw wrongArgument("secretReferences", [message]);
    }
    const secrets = Object.keys(this.secrets);
    const problems = Object.keys(references)
      .filter((name) => !secrets.includes(name))
      .map((field) => ({
        field,
        rule: "secret" as const,
        message: `${field} is no secret of this binding, whose secrets are: ${secrets.join(", ") || "none"}`,
      }));
    if (problems.length > 0) throw new BindingConfigurationError(problems);
  }
}

const optionNames: All<RuntimeEnvironmentOptions> = { path: true, name: true };

/** @throws {BindingConfigurationError} for what are no options, and unknown ones */
export function checkEnvironmentOptions(options: RuntimeEnvironmentOptions): void {
  const problems = optionProblems(options, optionNames);
  if (problems.length === 0) return;
  throw wrongArgument(
    "options",
    problems.map((problem) => `runtimeEnvironment: ${problem}`),
  );
}

function wrongArgument(field: string, messages: readonly string[]): BindingConfigurationError {
  return new BindingConfigurationError(
    messages.map((message) => ({ field, rule: "type", message })),
  );
}

function entries(values: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(values);
}

/** Container apps take lower-case letters, digits and hyphens in a secret's name. */
function secretName(variable: string): string {
  return variable.toLowerCase().replaceAll("_", "-");
}
