import type { EventgridTopic } from "@cdktf/provider-azurerm/lib/eventgrid-topic/index.js";
import type { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import { Annotations, type TerraformProvider, type TerraformResource, Token } from "cdktf";
import { isObject, type Problem, problem } from "cloud-eventgrid-binding-runtime/internal";
import type { Construct, IConstruct } from "constructs";
import { grantAzureRole } from "../roles/index.js";
import {
  principalOf,
  resourceIdSegment,
  resourceWith,
  sameIdentity,
  trimmedId,
} from "../terraform/index.js";
import { namedScopes, type ScopedSubscription } from "./scopes.js";
import type { DeadLetterContainer, SubscriptionOptions } from "./settings.js";

export function storageAccountId({ storageAccount }: DeadLetterContainer): string {
  return typeof storageAccount === "string" ? storageAccount : storageAccount.id;
}

export function containerName({ container }: DeadLetterContainer): string {
  return typeof container === "string" ? container : container.name;
}

/** A container for dead letters as Resource Manager takes it. */
export function deadLetterDestination(deadLetter: DeadLetterContainer): object {
  return {
    endpointType: "StorageBlob",
    properties: {
      resourceId: storageAccountId(deadLetter),
      blobContainerName: containerName(deadLetter),
    },
  };
}

/** A storage account of the stack, with what decides whether Event Grid may write into it. */
interface StorageAccountLiterals {
  readonly accountKindInput?: string | undefined;
  readonly sharedAccessKeyEnabledInput?: unknown;
  readonly publicNetworkAccessEnabledInput?: unknown;
  readonly networkRulesInput?:
    | { readonly defaultAction?: string; readonly bypass?: readonly string[] }
    | undefined;
}

/**
 * Warns of an account of the stack into which Event Grid cannot write, as its literals show.
 *
 * @see https://learn.microsoft.com/azure/event-grid/handler-storage-queues for firewalls
 */
export function warnOfClosedAccount(
  construct: Construct,
  field: string,
  deadLetter: DeadLetterContainer,
  identityType: "SystemAssigned" | "UserAssigned" | undefined,
): void {
  const { storageAccount } = deadLetter;
  const account: StorageAccountLiterals = Object(
    isObject(storageAccount) ? storageAccount : resourceWith(construct, storageAccount, "id"),
  );
  const { defaultAction, bypass = ["AzureServices"] } = account.networkRulesInput ?? {};
  const isClosed = account.publicNetworkAccessEnabledInput === false || defaultAction === "Deny";
  const reasons = [
    account.accountKindInput === "FileStorage" && "is of the kind FileStorage, which has no blobs",
    account.sharedAccessKeyEnabledInput === false &&
      identityType === undefined &&
      "refuses the access keys with which Event Grid writes unless there is an identity: set deadLetter.identity",
    isClosed &&
      !(
        identityType === "SystemAssigned" &&
        (Token.isUnresolved(bypass) || bypass.includes("AzureServices"))
      ) &&
      "closes its network to Event Grid, which writes only as a trusted service with a system-assigned identity: set " +
        'deadLetter.identity to "SystemAssigned", and "AzureServices" in the bypass of networkRules',
  ];
  for (const reason of reasons) {
    if (reason) Annotations.of(construct).addWarning(`${field}.storageAccount ${reason}`);
  }
}

/** Lets each identity write into its container. */
export function grantDeadLettering(
  construct: Construct,
  scopes: readonly ScopedSubscription[],
  { azurerm, existingAssignments }: DeadLetteringProps & { readonly azurerm?: TerraformProvider },
): RoleAssignment[] {
  if (existingAssignments?.includes("deadLetter")) return [];
  return scopes.flatMap(({ settings: { deadLetter } }) => {
    const principalId = deadLetter?.identity?.principalId;
    if (deadLetter === undefined || principalId === undefined) return [];
    return grantContainer(construct, deadLetter, principalId, azurerm);
  });
}

/** Lets an identity write into a container, but not into others of the account. */
export function grantContainer(
  construct: Construct,
  deadLetter: DeadLetterContainer,
  principalId: string,
  azurerm: TerraformProvider | undefined,
): RoleAssignment {
  const accountId = storageAccountId(deadLetter);
  return grantAzureRole(construct, {
    role: "Storage Blob Data Contributor",
    scope: `${accountId}/blobServices/default/containers/${containerName(deadLetter)}`,
    // The account may be in another subscription than the construct.
    subscriptionId: resourceIdSegment(accountId, 2),
    principalId,
    description: "Event Grid dead-letters into this container",
    azurerm,
  });
}

type DeadLetteringProps = SubscriptionOptions & {
  readonly scope?: string;
  readonly existingAssignments?: readonly string[];
};

/** Reports whether the binding grants the identity of a dead-letter destination its role. */
export function grantsDeadLettering(props: DeadLetteringProps): boolean {
  if (props.existingAssignments?.includes("deadLetter")) return false;
  return namedScopes(props).some(({ settings }) => settings.deadLetter?.identity !== undefined);
}

/**
 * Fills in the principal of a topic's system-assigned identity that dead-letters, if the stack creates
 * the topic.
 */
export function withTopicPrincipals<Given extends DeadLetteringProps>(
  construct: IConstruct,
  props: Given,
): Given {
  const { additionalScopes: further, existingAssignments = [] } = props;
  if (existingAssignments.includes("deadLetter")) return props;
  const filled = Object.entries(further ?? {}).map(([key, scope]) => [
    key,
    typeof scope === "string" ? scope : withTopicPrincipal(construct, scope),
  ]);
  return {
    ...withTopicPrincipal(construct, props),
    ...(further && { additionalScopes: Object.fromEntries(filled) }),
  };
}

function withTopicPrincipal<Given extends Pick<DeadLetteringProps, "scope" | "deadLetter">>(
  construct: IConstruct,
  props: Given,
): Given {
  const { scope, deadLetter } = props;
  const identity = deadLetter?.identity;
  if (identity?.type !== "SystemAssigned" || identity.principalId !== undefined) return props;
  const principalId = scope === undefined ? undefined : topicPrincipal(construct, scope);
  return { ...props, deadLetter: { ...deadLetter, identity: { ...identity, principalId } } };
}

/** The principal of the topic that a scope refers to; undefined without a system-assigned identity. */
function topicPrincipal(construct: IConstruct, scope: string): string | undefined {
  const topic = resourceWith(construct, scope, "id");
  if (topic === undefined || !isTopic(topic)) return undefined;
  return topic.identityInput?.type === "SystemAssigned" ? principalOf(topic) : undefined;
}

function isTopic(resource: TerraformResource): resource is EventgridTopic {
  return resource.terraformResourceType === "azurerm_eventgrid_topic";
}

export function deadLetterIdentityProblems(
  construct: IConstruct,
  props: DeadLetteringProps,
): Problem[] {
  return [...missingPrincipals(props), ...inheritedIdentities(construct, props)];
}

/** Azure refuses a subscription whose identity may not write, so the role must not be forgotten. */
function missingPrincipals(props: DeadLetteringProps): Problem[] {
  if (props.existingAssignments?.includes("deadLetter")) return [];
  return namedScopes(props)
    .filter(({ settings: { deadLetter: { identity } = {} } }) => {
      return identity !== undefined && identity.principalId === undefined;
    })
    .map(({ prefix }) => {
      const message =
        "is required to grant the identity its role (CloudEventGridTopic has it as principalId): if " +
        'the identity has the role already, set existingAssignments: ["deadLetter"]';
      return problem(`${prefix}deadLetter.identity.principalId`, { required: message });
    });
}

/**
 * A system-assigned identity belongs to one topic: inherited by another scope, the type would mean
 * another identity, and the role would be granted to the wrong principal.
 */
function inheritedIdentities(construct: IConstruct, props: DeadLetteringProps): Problem[] {
  const { deadLetter, existingAssignments = [] } = props;
  const { type, principalId } = deadLetter?.identity ?? {};
  if (type !== "SystemAssigned" || principalId === undefined) return [];
  if (existingAssignments.includes("deadLetter")) return [];
  const own = trimmedId(String(props.scope));
  return namedScopes(props, props.scope)
    .filter(({ settings }) => !("deadLetter" in settings))
    .filter(({ scope }) => !sameIdentity(construct, trimmedId(String(scope)), own))
    .map(({ key }) => {
      const message =
        'inherits deadLetter from the binding, but its "SystemAssigned" identity belongs to the ' +
        `binding's own scope: give the scope its own deadLetter, or use one "UserAssigned" identity`;
      return problem(`additionalScopes.${key}`, { "inherited-identity": message });
    });
}
