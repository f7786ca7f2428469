import type { ProviderSchema } from "../schema/schema.js";
import type { Attributes, Value } from "../values/value.js";
import type { Problem } from "./problem.js";

/** The plan for one resource. */
export interface Plan {
  readonly planned: Attributes;
  /** The attributes whose change replaces the resource. */
  readonly replace: readonly string[];
}

/**
 * A stand-in for one provider, with its resource types and data sources. `Account` is the result of
 * `configure`, which every operation gets.
 */
export interface Provider<Account> {
  /** The source address in `required_providers`, such as `hashicorp/azurerm`. */
  readonly source: string;
  readonly schema: ProviderSchema;
  /**
   * @param signal - aborted when Terraform is interrupted, which must end all waiting.
   * @throws when the real provider would refuse the configuration.
   */
  configure(config: Attributes, signal: AbortSignal): Promise<Configured<Account>>;
  resource(type: string): ResourceType<Account>;
  dataSource(type: string): DataSource<Account>;
}

export interface Configured<Account> {
  readonly account: Account;
  readonly notices: readonly Problem[];
}

/** A resource type and its operations. Each operation returns the attributes that it learnt. */
export interface ResourceType<Account> {
  /** Attributes and blocks whose change replaces the resource. */
  readonly forceNew: readonly string[];
  /** Default values. For a block, an object with the defaults of its attributes. */
  readonly defaults?: Attributes;
  /**
   * Blocks that the cloud fills in if the configuration has none, and that are kept from then on.
   */
  readonly filledIn?: readonly string[];
  /** Converts strings of the configuration to the form that the state has. */
  readonly normalize?: Readonly<Record<string, (value: string) => string>>;
  /** Attributes whose values are compared without regard to case. */
  readonly caseInsensitive?: readonly string[];
  /** Plans in the provider's own way, instead of by the properties above. */
  planned?(prior: Attributes | null, config: Attributes, account: Account): Promise<Plan>;
  create(planned: Attributes, account: Account): Promise<Attributes>;
  /** Returns `undefined` if the resource no longer exists. */
  read(state: Attributes, account: Account): Promise<Attributes | undefined>;
  /** Missing if every change replaces the resource. */
  update?(prior: Attributes, planned: Attributes, account: Account): Promise<Attributes>;
  delete(state: Attributes, account: Account): Promise<void>;
}

export interface DataSource<Account> {
  /** @throws when the object does not exist, as the real data sources do. */
  read(config: Attributes, account: Account): Promise<Attributes>;
}

/** The string under that name, or `""` if there is none. */
export function text(attributes: Attributes, name: string): string {
  const value = attributes[name];
  return typeof value === "string" ? value : "";
}

/** All nested blocks of that name. */
export function blocks(attributes: Attributes, name: string): Attributes[] {
  const value = attributes[name];
  return Array.isArray(value) ? (value as Attributes[]) : [];
}

/** The strings of the list or set under that name. */
export function texts(attributes: Attributes, name: string): string[] {
  const value: Value | undefined = attributes[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
