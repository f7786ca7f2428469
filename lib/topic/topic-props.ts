import type { IResolvable, TerraformProvider } from "cdktf";
import { Token } from "cdktf";
import { type ProviderRegistration, providerRegistrations } from "../terraform/index.js";
import {
  type All,
  booleanRule,
  type Check,
  choiceRule,
  earlyProblems,
  identityTypeRule,
  isObject,
  patternRule,
  received,
  resourceIdRule,
  textRule,
} from "../validation/index.js";

/** Props of {@link CloudEventGridTopic}. */
export interface CloudEventGridTopicProps {
  /** A resource group that exists, or the `name` of one that the stack makes. */
  readonly resourceGroupName: string;
  /** Azure region, such as `westeurope`. */
  readonly location: string;
  /**
   * 3 to 50 letters, digits and hyphens.
   *
   * @default the construct's id and a short hash of its place in the app
   */
  readonly topicName?: string;
  /**
   * Whether the topic takes access keys. Without them publishers need `publishWith: "entra"` and
   * {@link CloudEventGridTopic.grantPublish}.
   *
   * @default true
   */
  readonly accessKeys?: boolean | IResolvable;
  /**
   * Whether the topic can be reached from the public internet.
   *
   * @default true
   */
  readonly publicNetworkAccess?: boolean | IResolvable;
  /**
   * Address ranges, in CIDR notation, that may publish over the public internet.
   *
   * @default any address
   */
  readonly allowedAddresses?: readonly string[];
  /**
   * Managed identities of the topic, for subscriptions that dead-letter or deliver with one.
   *
   * @default none
   */
  readonly identity?: TopicIdentity;
  /** @default none */
  readonly tags?: Readonly<Record<string, string>>;
  /**
   * How Event Grid is registered in the subscription: by the azurerm provider whenever Terraform
   * runs (`provider`), as a resource of the stack (`resource`), or not at all (`none`).
   *
   * @default "provider"
   */
  readonly providerRegistration?: ProviderRegistration;
  /** @default the stack's azurerm provider */
  readonly azurerm?: TerraformProvider;
}

/**
 * Managed identities of a topic, which its event subscriptions may dead-letter and deliver with:
 * one that comes and goes with the topic, or some that users manage.
 */
export type TopicIdentity =
  | { readonly type: "SystemAssigned"; readonly userAssignedIdentities?: never }
  | {
      readonly type: "UserAssigned";
      /** Resource IDs of the identities; at least one. */
      readonly userAssignedIdentities: readonly string[];
    };

/** The identities as the topic's resource takes them. */
export function topicIdentityBlock({ type, userAssignedIdentities }: TopicIdentity) {
  return {
    type,
    ...(Array.isArray(userAssignedIdentities) && { identityIds: [...userAssignedIdentities] }),
  };
}

/** Single values of a topic's identity, each with what it must be. */
export function topicIdentityChecks(identity: TopicIdentity | undefined): Check[] {
  if (!isObject(identity) || Token.isUnresolved(identity)) return [];
  const { type, userAssignedIdentities: value } = identity;
  return [
    // Whether there is a principal of the topic's own has to be known.
    { field: "identity.type", value: type, rule: identityTypeRule, early: true, required: true },
    { field: "identity.userAssignedIdentities", value, rule: resourceIdRule, items: true },
  ];
}

/** What is wrong with a topic's identity as a whole. */
export function topicIdentityProblems(identity: TopicIdentity | undefined): string[] {
  if (identity === undefined) return [];
  if (Token.isUnresolved(identity)) return earlyProblems({ identity });
  if (!isObject(identity)) return [`identity must be an object, but is ${received(identity)}`];
  const { type, userAssignedIdentities: named } = identity;
  const none = named === undefined || (Array.isArray(named) && named.length === 0);
  if (type === "SystemAssigned" && !none) {
    return [`identity.userAssignedIdentities ${SYSTEM_ASSIGNED}`];
  }
  if (type === "UserAssigned" && none) {
    return ['identity.userAssignedIdentities is required where type is "UserAssigned"'];
  }
  return [];
}

const SYSTEM_ASSIGNED =
  'is not used where type is "SystemAssigned": a topic has identities of one type only';

/** What is said where a key is taken of a topic that takes none. */
export const NO_KEYS =
  "accessKey is used, but accessKeys is false, so that the topic refuses it: publish with " +
  'publishWith "entra" and grantPublish, or leave accessKeys out';

const topicNameRule = patternRule(
  "must be 3 to 50 letters, digits and hyphens",
  "^[-a-zA-Z0-9]{3,50}$",
);
const OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const addressRule = patternRule(
  "must be an IPv4 address range in CIDR notation such as 203.0.113.0/24",
  `^(${OCTET}[.]){3}${OCTET}(/([0-9]|[12][0-9]|3[0-2]))?$`,
);

/** Single values of a topic's props, each with what it must be. */
export function topicChecks(props: CloudEventGridTopicProps): Check[] {
  return [
    { field: "topicName", value: props.topicName, rule: topicNameRule },
    {
      field: "resourceGroupName",
      value: props.resourceGroupName,
      rule: textRule,
      required: true,
    },
    { field: "location", value: props.location, rule: textRule, required: true },
    { field: "accessKeys", value: props.accessKeys, rule: booleanRule },
    { field: "publicNetworkAccess", value: props.publicNetworkAccess, rule: booleanRule },
    { field: "allowedAddresses", value: props.allowedAddresses, rule: addressRule, items: true },
    ...topicIdentityChecks(props.identity),
    {
      field: "providerRegistration",
      value: props.providerRegistration,
      rule: choiceRule(...providerRegistrations),
      early: true,
    },
  ];
}

/** Names of {@link CloudEventGridTopicProps}. */
export const topicProps: All<CloudEventGridTopicProps> = {
  resourceGroupName: true,
  location: true,
  topicName: true,
  accessKeys: true,
  publicNetworkAccess: true,
  allowedAddresses: true,
  identity: { type: true, userAssignedIdentities: true } satisfies All<TopicIdentity>,
  tags: true,
  providerRegistration: true,
  azurerm: true,
};
