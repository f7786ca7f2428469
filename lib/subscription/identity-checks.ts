import type { IConstruct } from "constructs";
import { sameIdentity, trimmedId } from "../terraform/index.js";
import { additionalScopes } from "./scoped-subscriptions.js";
import type { SubscriptionOptions } from "./settings.js";

type Props = SubscriptionOptions & {
  readonly scope?: string;
  readonly existingAssignments?: readonly string[];
};

/** Whether an identity is given the role that it dead-letters with. */
export function grantsDeadLettering(props: Props): boolean {
  if (props.existingAssignments?.includes("deadLetter")) return false;
  const scopes = additionalScopes(props).map(({ settings }) => settings);
  return [props, ...scopes].some(({ deadLetter }) => deadLetter?.identity !== undefined);
}

/** What is wrong with the managed identities that a binding's subscriptions act with. */
export function managedIdentityProblems(construct: IConstruct, props: Props): string[] {
  return [...unnamedPrincipals(props), ...inheritedIdentities(construct, props)];
}

/** Without a role of its identity a subscription is refused, so that none is left out by mistake. */
function unnamedPrincipals(props: Props): string[] {
  if (props.existingAssignments?.includes("deadLetter")) return [];
  const named = additionalScopes(props).map(({ key, settings }) => ({
    field: `additionalScopes.${key}.deadLetter`,
    deadLetter: settings.deadLetter,
  }));
  return [{ field: "deadLetter", deadLetter: props.deadLetter }, ...named]
    .filter(({ deadLetter: { identity } = {} }) => identity && identity.principalId === undefined)
    .map(
      ({ field }) =>
        `${field}.identity.principalId is required, so that the identity is given its role (a ` +
        "CloudEventGridTopic with an identity tells it as principalId): where it has the role " +
        'already, say existingAssignments: ["deadLetter"]',
    );
}

/**
 * A system-assigned identity is that of one topic: inherited, its name would stand for another one,
 * and the role be given to the wrong principal.
 */
function inheritedIdentities(construct: IConstruct, props: Props): string[] {
  const { deadLetter, deliveryIdentity, existingAssignments = [] } = props;
  const own = {
    deadLetter: existingAssignments.includes("deadLetter") ? undefined : deadLetter?.identity,
    deliveryIdentity,
  };
  return additionalScopes(props).flatMap(({ key, settings }) => {
    if (sameScope(construct, settings.scope, props.scope)) return [];
    return (["deadLetter", "deliveryIdentity"] as const)
      .filter((field) => !(field in settings))
      .filter((field) => own[field]?.type === "SystemAssigned" && own[field].principalId)
      .map(
        (field) =>
          `additionalScopes.${key} takes ${field} over from the binding, but its "SystemAssigned" ` +
          `identity is that of the binding's own scope: give the scope a ${field} of its own, or ` +
          'use one "UserAssigned" identity for all',
      );
  });
}

function sameScope(construct: IConstruct, one: string, other: string | undefined): boolean {
  return other !== undefined && sameIdentity(construct, trimmedId(one), trimmedId(other));
}
