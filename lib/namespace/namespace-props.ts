import type { TerraformProvider } from "cdktf";
import {
  AZURE_LIMITS,
  azureRules,
  type Checks,
  choiceRule,
  integerRule,
  type Problem,
  problem,
} from "cloud-eventgrid-binding-runtime/internal";
import type { IConstruct } from "constructs";
import {
  addressRule,
  type CloudEventGridTopicProps,
  identitiesProblems,
  placeChecks,
} from "../topic/index.js";
import { group, listOf, literal, nameCheck, provider, required } from "../validation/index.js";

/** Props of {@link CloudEventGridNamespace}. */
export interface CloudEventGridNamespaceProps
  extends Pick<
    CloudEventGridTopicProps,
    | "resourceGroupName"
    | "location"
    | "publicNetworkAccess"
    | "privateEndpoints"
    | "diagnostics"
    | "protect"
    | "tags"
    | "providerRegistration"
    | "azurerm"
  > {
  /**
   * 3 to 50 letters, digits and hyphens, unique in the region. It must not begin with Microsoft,
   * System or EventGrid.
   *
   * @default the construct's id and a short hash of its path
   */
  readonly namespaceName?: string;
  /**
   * Throughput units, from 1 to 40. Each takes in 1 MB or 1,000 events a second, and gives out twice as
   * much.
   *
   * @default 1
   */
  readonly capacity?: number;
  /**
   * Address ranges, in CIDR notation, that may publish and receive over the public internet; at most
   * 16.
   *
   * @default any address
   */
  readonly allowedAddresses?: readonly string[];
  /**
   * Managed identities of the namespace, with which its event subscriptions dead-letter.
   *
   * @default an identity of its own: `{ type: "SystemAssigned" }`
   */
  readonly identity?: NamespaceIdentity;
  /**
   * The provider that writes the namespace and what is in it.
   *
   * @default a provider that signs in as the azurerm provider does; the stack's own, if it has one
   */
  readonly azapi?: TerraformProvider;
}

/** Managed identities of a namespace: one that belongs to it, up to two that users manage, or both. */
export interface NamespaceIdentity {
  readonly type: "SystemAssigned" | "UserAssigned" | "SystemAssigned, UserAssigned";
  /** Resource IDs of the identities that users manage. */
  readonly userAssignedIdentities?: readonly string[];
}

/** A namespace as its topics and event subscriptions see it. */
export interface NamespaceOfTopics {
  /** Resource ID. */
  readonly id: string;
  /** URL at which services publish and receive: `https://shop.westeurope-1.eventgrid.azure.net`. */
  readonly endpoint: string;
  /** Object ID of the namespace's system-assigned identity; undefined if it has none. */
  readonly principalId: string | undefined;
  /** The provider that assigns roles; by default the stack's azurerm provider. */
  readonly azurerm: TerraformProvider | undefined;
  /** The provider that writes topics and event subscriptions. */
  readonly azapi: TerraformProvider;
  /** Tags of the namespace, which the system topics of sources have, too; undefined if not known. */
  readonly tags: Readonly<Record<string, string>> | undefined;
}

export function namespaceChecks(construct: IConstruct): Checks<CloudEventGridNamespaceProps> {
  const capacity = AZURE_LIMITS.namespaceCapacity;
  return {
    ...placeChecks(construct),
    namespaceName: nameCheck("namespace"),
    capacity: integerRule(capacity.min, capacity.max),
    allowedAddresses: listOf(addressRule, {
      together: (list, field) =>
        tooMany(list, field, AZURE_LIMITS.namespaceIpRules, "address ranges"),
    }),
    identity: group<NamespaceIdentity>(
      {
        // It decides whether the namespace has a principal of its own.
        type: required(
          literal(choiceRule("SystemAssigned", "UserAssigned", "SystemAssigned, UserAssigned")),
        ),
        userAssignedIdentities: listOf(azureRules.resourceId, {
          together: (list, field) =>
            tooMany(list, field, AZURE_LIMITS.namespaceUserAssignedIdentities, "identities"),
        }),
      },
      { together: identitiesProblems('set type to "SystemAssigned, UserAssigned"') },
    ),
    azapi: provider("azapi", construct),
  };
}

function tooMany(list: readonly unknown[], field: string, most: number, of: string): Problem[] {
  if (list.length <= most) return [];
  const message = `must be at most ${most} ${of}, but there are ${list.length}`;
  return [problem(field, { count: message })];
}
