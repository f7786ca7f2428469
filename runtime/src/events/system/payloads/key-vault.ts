import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";

/**
 * Seconds since 1970, as a number or its digits. `null` if the object has no such time.
 */
type UnixTime = number | string | null;

/** A version of a key, secret or certificate. Its names begin with capitals, unlike the SDK's. */
export interface KeyVaultObject {
  /** URL of the version. */
  Id: string;
  VaultName: string;
  /** `Key`, `Secret` or `Certificate`. */
  ObjectType: string;
  ObjectName: string;
  Version: string;
  /** The object is not valid before this time. */
  NBF: UnixTime;
  /** The object expires at this time. */
  EXP: UnixTime;
}

/** The events of a key vault. */
export interface KeyVaultEvents
  extends Record<Extract<keyof Sdk, `Microsoft.KeyVault.${string}`>, KeyVaultObject> {}
