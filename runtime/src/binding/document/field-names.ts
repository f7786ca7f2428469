import type { CloudEnvironmentName } from "../cloud-environment.js";

/**
 * The field names of a document: the specification's current ones, those of its earlier release, or
 * the vendor's own.
 */
export type Vocabulary = "current" | "earlier" | "vendor";

/** A field that a component document can hold. */
export type DocumentField =
  | "cloudTenantId"
  | "cloudSubscriptionId"
  | "cloudClientId"
  | "cloudClientSecret"
  | "subscriberEndpoint"
  | "handshakePort"
  | "scope"
  | "eventSubscriptionName"
  | "accessKey"
  | "topicEndpoint"
  | "direction"
  | "cloudEnvironment"
  | "cloudAuthorityHost";

type Names = Readonly<Record<Vocabulary, string>>;

const oneName = (name: string): Names => ({ current: name, earlier: name, vendor: name });

/** Name of every field in each vocabulary, in the order in which documents are written. */
export const FIELD_NAMES: Readonly<Record<DocumentField, Names>> = {
  cloudTenantId: { current: "cloudTenantId", earlier: "tenantId", vendor: "azureTenantId" },
  cloudSubscriptionId: {
    current: "cloudSubscriptionId",
    earlier: "subscriptionId",
    vendor: "azureSubscriptionId",
  },
  cloudClientId: { current: "cloudClientId", earlier: "clientId", vendor: "azureClientId" },
  cloudClientSecret: {
    current: "cloudClientSecret",
    earlier: "clientSecret",
    vendor: "azureClientSecret",
  },
  subscriberEndpoint: oneName("subscriberEndpoint"),
  handshakePort: oneName("handshakePort"),
  scope: oneName("scope"),
  eventSubscriptionName: oneName("eventSubscriptionName"),
  accessKey: oneName("accessKey"),
  topicEndpoint: oneName("topicEndpoint"),
  direction: oneName("direction"),
  cloudEnvironment: {
    current: "cloudEnvironment",
    earlier: "cloudEnvironment",
    vendor: "azureEnvironment",
  },
  cloudAuthorityHost: oneName("cloudAuthorityHost"),
};

/** All fields, in the same order. */
export const DOCUMENT_FIELDS: readonly DocumentField[] = entriesOf(FIELD_NAMES).map(
  ([field]) => field,
);

/** Older names that the vendor's component still accepts; they are read but not written. */
const SERVICE_PRINCIPAL_NAMES: Readonly<Record<string, DocumentField>> = {
  spnTenantId: "cloudTenantId",
  spnClientId: "cloudClientId",
  spnClientSecret: "cloudClientSecret",
};

/** The field that a name in a document means. */
export interface KnownName {
  readonly field: DocumentField;
  /** The only vocabulary that has this name; undefined if several have it. */
  readonly vocabulary: Vocabulary | undefined;
}

const KNOWN_NAMES: ReadonlyMap<string, KnownName> = knownNames();

/** Finds the field of a name, ignoring case as the original component does. */
export function understandName(name: string): KnownName | undefined {
  return KNOWN_NAMES.get(name.toLowerCase());
}

function knownNames(): Map<string, KnownName> {
  const known = new Map<string, KnownName>();
  for (const [field, names] of entriesOf(FIELD_NAMES)) {
    for (const [vocabulary, name] of entriesOf(names)) {
      const key = name.toLowerCase();
      known.set(key, { field, vocabulary: known.has(key) ? undefined : vocabulary });
    }
  }
  for (const [name, field] of entriesOf(SERVICE_PRINCIPAL_NAMES)) {
    known.set(name.toLowerCase(), { field, vocabulary: "vendor" });
  }
  return known;
}

function entriesOf<Key extends string, Value>(record: Readonly<Record<Key, Value>>) {
  return Object.entries(record) as [Key, Value][];
}

/** The vendor's names of the clouds. */
export const VENDOR_CLOUDS: Readonly<Record<CloudEnvironmentName, string>> = {
  public: "AzurePublicCloud",
  usgovernment: "AzureUSGovernmentCloud",
  china: "AzureChinaCloud",
};

/** Our name of a cloud that is given by either name, in any case; any other text unchanged. */
export function cloudNamed(text: string): string {
  const lower = text.toLowerCase();
  const [name] =
    entriesOf(VENDOR_CLOUDS).find(([own, vendors]) => {
      return own === lower || vendors.toLowerCase() === lower;
    }) ?? [];
  return name ?? text;
}
