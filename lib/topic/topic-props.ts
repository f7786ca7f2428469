import {
  Annotations,
  FOR_EXPRESSION_VALUE,
  forExpression,
  type IResolvable,
  type TerraformProvider,
  Token,
} from "cdktf";
import {
  anchored,
  azureRules,
  boolean,
  type Checks,
  choiceRule,
  IPV4,
  patternRule,
  problem,
  type Rule,
  showValue,
  unchecked,
} from "cloud-eventgrid-binding-runtime/internal";
import type { IConstruct } from "constructs";
import { type Diagnostics, diagnosticsCheck } from "../monitoring/index.js";
import { type ProviderRegistration, providerRegistrations } from "../terraform/index.js";
import {
  group,
  listOf,
  literal,
  nameCheck,
  problemsOf,
  provider,
  required,
} from "../validation/index.js";
import { type PrivateEndpointProps, privateEndpointsCheck } from "./private-endpoints.js";

/** Props of {@link CloudEventGridTopic}. */
export interface CloudEventGridTopicProps {
  /** Name of an existing resource group, or the `name` of one that the stack creates. */
  readonly resourceGroupName: string;
  /** Azure region, such as `westeurope`. */
  readonly location: string;
  /**
   * 3 to 50 letters, digits and hyphens. It must not begin with Microsoft-, EventGrid- or System-.
   *
   * @default the construct's id and a short hash of its path
   */
  readonly topicName?: string;
  /**
   * Whether publishers may authenticate with an access key. Without it, they publish with a token:
   * `publishWith: "entra"` and {@link CloudEventGridTopic.grantPublish}.
   *
   * @default false
   */
  readonly localAuthEnabled?: boolean | IResolvable;
  /**
   * Whether the public internet can reach it. If not, it needs a private endpoint.
   *
   * @default false with `privateEndpoints`, otherwise true
   */
  readonly publicNetworkAccess?: boolean | IResolvable;
  /**
   * Address ranges, in CIDR notation, that may publish over the public internet.
   *
   * @default any address
   */
  readonly allowedAddresses?: readonly string[];
  /**
   * Managed identities of the topic, for subscriptions that dead-letter with one. `"none"` leaves
   * them out.
   *
   * @default an identity of its own: `{ type: "SystemAssigned" }`
   */
  readonly identity?: TopicIdentity | "none";
  /**
   * Private addresses at which publishers reach the topic.
   *
   * @default none
   */
  readonly privateEndpoints?: readonly PrivateEndpointProps[];
  /**
   * Where the topic's logs and metrics are stored.
   *
   * @default nowhere
   */
  readonly diagnostics?: Diagnostics;
  /**
   * Whether Terraform refuses plans that would destroy or replace the topic and lose its events
   * (`prevent_destroy`). It cannot refuse one for a topic that is no longer in the code.
   *
   * @default false
   */
  readonly protect?: boolean;
  /**
   * Tags of the topic, its private endpoints and its alerts.
   *
   * @default none
   */
  readonly tags?: Readonly<Record<string, string>>;
  /**
   * How Event Grid is registered in the subscription: by the azurerm provider whenever Terraform
   * runs (`provider`), or not at all (`none`).
   *
   * @default "provider"
   */
  readonly providerRegistration?: ProviderRegistration;
  /** @default the stack's azurerm provider */
  readonly azurerm?: TerraformProvider;
}

/**
 * Managed identities of a topic, with which its event subscriptions may dead-letter: one that belongs
 * to the topic, or some that users manage.
 */
export type TopicIdentity =
  | { readonly type: "SystemAssigned"; readonly userAssignedIdentities?: never }
  | {
      readonly type: "UserAssigned";
      /** Resource IDs of the identities; at least one. */
      readonly userAssignedIdentities: readonly string[];
    };

/** Reports whether a topic or a namespace can be reached from the internet; undefined for Azure's default. */
export function publicAccess({
  publicNetworkAccess,
  privateEndpoints = [],
}: Pick<CloudEventGridTopicProps, "publicNetworkAccess" | "privateEndpoints">) {
  return publicNetworkAccess ?? (privateEndpoints.length > 0 ? false : undefined);
}

/**
 * Warns of addresses that nobody can use: Azure tests them only if public access is on.
 *
 * @see https://learn.microsoft.com/dotnet/api/azure.resourcemanager.eventgrid.eventgridtopicdata.inboundiprules
 */
export function warnOfUnusedAddresses(
  construct: IConstruct,
  props: Pick<
    CloudEventGridTopicProps,
    "allowedAddresses" | "publicNetworkAccess" | "privateEndpoints"
  >,
): void {
  const { allowedAddresses = [] } = props;
  if (allowedAddresses.length === 0 || publicAccess(props) !== false) return;
  const cause =
    props.publicNetworkAccess === undefined ? ", as the default with privateEndpoints" : "";
  Annotations.of(construct).addWarning(
    `allowedAddresses admits nobody, because publicNetworkAccess is false${cause}: set it to true, or ` +
      "leave the addresses out",
  );
}

/** The identities of a topic or a namespace as its resource takes them. */
export function identityBlock({ type, userAssignedIdentities }: SomeIdentities = OWN_IDENTITY) {
  return {
    type,
    ...(userAssignedIdentities && { identityIds: [...userAssignedIdentities] }),
  };
}

interface SomeIdentities {
  readonly type: string;
  readonly userAssignedIdentities?: readonly string[];
}

const OWN_IDENTITY = { type: "SystemAssigned" };

/** @param mask the attribute that has the addresses, as Terraform writes it */
export function allowRules(addresses: readonly string[], mask: "ip_mask" | "ipMask") {
  if (!Token.isUnresolved(addresses)) {
    return addresses.map((ipMask) => ({ ipMask, action: "Allow" }));
  }
  return forExpression(addresses, { [mask]: FOR_EXPRESSION_VALUE, action: "Allow" });
}

/** The resource ID of a topic or a namespace; slashes at either end do not matter. */
export function resourceIdRule(what: "topic" | "namespace"): Rule {
  const rule = patternRule({
    requirement: {
      "resource-id":
        `must be the resource ID of a ${what} ` +
        `(/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.EventGrid/${what}s/{name})`,
    },
    pattern:
      "^/*[sS]ubscriptions/[0-9a-fA-F-]{36}/[rR]esource[gG]roups/[^/]+" +
      `/providers/[mM]icrosoft[.][eE]vent[gG]rid/${what}s/[^/]+/*$`,
  });
  return { ...rule, name: `${what}-id` };
}

/** An IPv4 address, or a range of them. */
export const addressRule = patternRule({
  requirement: { cidr: "must be an IPv4 address range in CIDR notation such as 203.0.113.0/24" },
  pattern: anchored(`${IPV4}(/([0-9]|[12][0-9]|3[0-2]))?`),
});

const identityCheck = group<TopicIdentity>(
  {
    // It decides whether the topic has a principal of its own.
    type: required(literal(azureRules.identityType)),
    userAssignedIdentities: listOf(azureRules.resourceId),
  },
  { together: identitiesProblems("a topic has identities of one type only") },
);

export function topicChecks(construct: IConstruct): Checks<CloudEventGridTopicProps> {
  return {
    ...placeChecks(construct),
    topicName: nameCheck("topic"),
    localAuthEnabled: boolean,
    allowedAddresses: listOf(addressRule),
    identity: {
      problems: (field, value) => (value === "none" ? [] : problemsOf(identityCheck, field, value)),
    },
  };
}

/** The checks that a topic and a namespace share. */
export function placeChecks(construct: IConstruct) {
  return {
    resourceGroupName: required(azureRules.resourceGroupName),
    location: required(azureRules.location),
    publicNetworkAccess: boolean,
    privateEndpoints: privateEndpointsCheck,
    diagnostics: diagnosticsCheck,
    protect: literal(boolean),
    tags: unchecked,
    providerRegistration: literal(choiceRule(...providerRegistrations)),
    azurerm: provider("azurerm", construct),
  };
}

/**
 * Checks that user-assigned identities are given exactly when the type has them.
 *
 * @param advice for some that the type does not have
 */
export function identitiesProblems(advice: string) {
  return ({ type, userAssignedIdentities: given }: SomeIdentities, field: string) => {
    const named = `${field}.userAssignedIdentities`;
    const isEmpty = given === undefined || given.length === 0;
    if (type === "SystemAssigned" && !isEmpty) {
      const message = `is not used when type is "SystemAssigned": ${advice}`;
      return [problem(named, { unused: message })];
    }
    return String(type).includes("UserAssigned") && isEmpty
      ? [problem(named, { required: `is required when type is ${showValue(type)}` })]
      : [];
  };
}
