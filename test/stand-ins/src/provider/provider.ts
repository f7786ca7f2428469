import type { Checks } from "../checks/checks.js";
import type { Account } from "../cloud/account.js";
import type { ProviderSchema } from "../values/schema.js";
import type { Attributes } from "../values/value.js";

/** The plan for one resource. */
export interface Plan {
  readonly planned: Attributes;
  /** The attributes whose change replaces the resource. */
  readonly replace: readonly string[];
}

/** A stand-in for one provider, with its resource types and data sources. */
export interface Provider {
  /** The source address in `required_providers`, such as `hashicorp/azurerm`. */
  readonly source: string;
  /** The release whose schema is served. */
  readonly release: string;
  readonly schema: ProviderSchema;
  /** What it checks of the values in resources and data sources, by their types. */
  readonly checks: {
    readonly resources: Readonly<Record<string, Checks>>;
    readonly dataSources: Readonly<Record<string, Checks>>;
  };
  /**
   * @param signal - aborted when Terraform is interrupted, which must end all waiting.
   * @throws when the real provider would refuse the configuration.
   */
  configure(config: Attributes, signal: AbortSignal): Promise<Account>;
  /** @throws for a type without a stand-in */
  resource(type: string): ResourceType;
  /** @throws for a type without a stand-in */
  dataSource(type: string): DataSource;
}

/** A resource type and its operations. Each operation returns the attributes that it learnt. */
export interface ResourceType {
  /** Attributes and blocks whose change replaces the resource. */
  readonly forceNew: readonly string[];
  /** Default values. */
  readonly defaults?: Attributes;
  /**
   * Blocks that the cloud fills in if the configuration has none, and that are kept from then on.
   */
  readonly filledIn?: readonly string[];
  /** Plans in the provider's own way, instead of by the properties above. */
  planned?(prior: Attributes | null, config: Attributes, account: Account): Promise<Plan>;
  create(planned: Attributes, account: Account): Promise<Attributes>;
  /** Returns `undefined` if the resource no longer exists. */
  read(state: Attributes, account: Account): Promise<Attributes | undefined>;
  /** Missing if every change replaces the resource. */
  update?(prior: Attributes, planned: Attributes, account: Account): Promise<Attributes>;
  delete(state: Attributes, account: Account): Promise<void>;
}

/** Reads an object. Throws when it does not exist, as the real data sources do. */
export type DataSource = (config: Attributes, account: Account) => Promise<Attributes>;

/** A creation that failed after the cloud had accepted it, for providers that keep such a resource. */
export class UnfinishedCreation extends Error {
  override readonly name = "UnfinishedCreation";

  constructor(
    /** What is stored; Terraform marks the resource as tainted. */
    readonly state: Attributes,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The real providers' error for a resource that already exists. */
export function alreadyExists(type: string, id: string): Error {
  return new Error(
    `a resource with the ID "${id}" already exists - to be managed via Terraform this resource needs to be imported into the State. Please see the resource documentation for "${type}" for more information`,
  );
}

/** The identity that a provider is signed in as. Needs no request. */
export const clientConfig: DataSource = async (_config, account) => {
  const { clientId, objectId, subscriptionId, tenantId } = account;
  return {
    id: `${tenantId}-${clientId}-${objectId}-${subscriptionId}`,
    client_id: clientId,
    object_id: objectId,
    subscription_id: subscriptionId,
    tenant_id: tenantId,
  };
};

/** @throws for a type that the stand-in does not have */
export function known<Kind>(kinds: Readonly<Record<string, Kind>>, type: string): Kind {
  const found = kinds[type];
  if (found === undefined) throw new Error(`this stand-in has no "${type}"`);
  return found;
}
