import { Token } from "cdktf";
import { type Check, earlyProblems } from "./check.js";
import { identityTypeRule, isObject, received, resourceIdRule } from "./value-rule.js";

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
