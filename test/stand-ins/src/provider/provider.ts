import type { ProviderSchema } from "../schema/schema.js";
import type { Attributes, Value } from "../values/value.js";
import type { Problem } from "./problem.js";

/**
 * A stand-in for one provider: what to do when Terraform asks for a provider to be configured, and
 * for each of its resource types and data sources. `Account` is what a configuration becomes.
 */
export interface Provider<Account> {
  /** Where a template says that the provider comes from: `hashicorp/azurerm`. */
  readonly source: string;
  readonly schema: ProviderSchema;
  /**
   * @param signal - aborted when Terraform is interrupted; no wait may outlast that.
   * @throws when the real provider would refuse the configuration.
   */
  configure(config: Attributes, signal: AbortSignal): Promise<Configured<Account>>;
  /** Finds what is wrong with a provider block beyond its schema. */
  check?(config: Attributes): Problem[];
  resource(type: string): ResourceType<Account>;
  dataSource(type: string): DataSource<Account>;
}

export interface Configured<Account> {
  readonly account: Account;
  readonly notices: readonly Problem[];
}

/** The life of the resources of one type. Every method gives the attributes that it learnt. */
export interface ResourceType<Account> {
  /** Attributes and blocks whose change makes a new resource. */
  readonly forceNew: readonly string[];
  /** What stands where the configuration says nothing, for blocks by their attributes. */
  readonly defaults?: Attributes;
  /** Blocks that the cloud fills in where the configuration has none, and that then stay. */
  readonly filledIn?: readonly string[];
  /** How a string is written in the state, where that is not as in the configuration. */
  readonly normalize?: Readonly<Record<string, (value: string) => string>>;
  /** Attributes for which upper and lower case are the same. */
  readonly caseInsensitive?: readonly string[];
  check?(config: Attributes): Problem[];
  create(planned: Attributes, account: Account): Promise<Attributes>;
  /** `undefined`: it is no longer there. */
  read(state: Attributes, account: Account): Promise<Attributes | undefined>;
  /** Left out where every change makes a new resource. */
  update?(prior: Attributes, planned: Attributes, account: Account): Promise<Attributes>;
  delete(state: Attributes, account: Account): Promise<void>;
}

export interface DataSource<Account> {
  check?(config: Attributes): Problem[];
  /** @throws when there is no such thing, as the real data sources do. */
  read(config: Attributes, account: Account): Promise<Attributes>;
}

/** The string under that name, or `""` where there is none. */
export function text(attributes: Attributes, name: string): string {
  const value = attributes[name];
  return typeof value === "string" ? value : "";
}

/** The single nested block of that name, where the configuration has one. */
export function onlyBlock(attributes: Attributes, name: string): Attributes | undefined {
  return blocks(attributes, name)[0];
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
