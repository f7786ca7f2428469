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
export interface KeyVaultEvents {
  "Microsoft.KeyVault.CertificateNewVersionCreated": KeyVaultObject;
  "Microsoft.KeyVault.CertificateNearExpiry": KeyVaultObject;
  "Microsoft.KeyVault.CertificateExpired": KeyVaultObject;
  "Microsoft.KeyVault.KeyNewVersionCreated": KeyVaultObject;
  "Microsoft.KeyVault.KeyNearExpiry": KeyVaultObject;
  "Microsoft.KeyVault.KeyExpired": KeyVaultObject;
  "Microsoft.KeyVault.SecretNewVersionCreated": KeyVaultObject;
  "Microsoft.KeyVault.SecretNearExpiry": KeyVaultObject;
  "Microsoft.KeyVault.SecretExpired": KeyVaultObject;
  "Microsoft.KeyVault.VaultAccessPolicyChanged": KeyVaultObject;
}
