import { TerraformStack, Token } from "cdktf";
import {
  AZURE_LIMITS,
  azureRules,
  boolean,
  type Checks,
  choiceRule,
  integerRule,
  isObject,
  MINUTES_OF_DAY,
  namespaceNameRule,
  type Problem,
  problem,
  receiveLockRule,
  showValue,
  uuidRule,
  wrongType,
} from "cloud-eventgrid-binding-runtime/internal";
import type { IConstruct } from "constructs";
import type { PrincipalType } from "../roles/index.js";
import {
  type AdvancedFilter,
  advancedFiltersCheck,
  type DeadLetterContainer,
  type ManagedIdentity,
  settingsChecks,
} from "../subscription/index.js";
import { group, listOf, literal, problemsOf, required } from "../validation/index.js";
import { CloudEventGridNamespaceTopic } from "./namespace-topic.js";

/** Props of {@link CloudEventGridPullBinding}. */
export interface CloudEventGridPullBindingProps {
  /** The topic of a namespace: the result of `addTopic` or `existingTopic`. */
  readonly topic: CloudEventGridNamespaceTopic;
  /**
   * Name of the event subscription: 3 to 50 letters, digits and hyphens.
   *
   * Each event subscription of a topic has its own copy of the events; receivers of the same one share
   * its events.
   */
  readonly eventSubscriptionName: string;
  /**
   * Who receives: object IDs of managed identities and other principals. Each gets the role EventGrid
   * Data Receiver at the namespace.
   *
   * @default nobody, with a warning unless the service uses an access key. An empty list says that the
   * role is assigned elsewhere
   */
  readonly receiver?: string | ReceiverPrincipal | readonly (string | ReceiverPrincipal)[];
  /**
   * The event types that the service handles: the default of `includedEventTypes`.
   *
   * @default all types are delivered
   */
  readonly events?: { readonly types: readonly string[] };
  /**
   * Event types to deliver; an empty list means all types.
   *
   * @default the types of `events`; without `events`, all types
   */
  readonly includedEventTypes?: readonly string[];
  /**
   * Conditions on the attributes of an event, all of which must hold, written with {@link where}:
   * `where("subject").stringBeginsWith("orders/")`. Namespaces do not filter by the data. At most 25
   * filters with 25 values in total.
   *
   * @default none
   */
  readonly filters?: readonly AdvancedFilter[];
  /**
   * Container for events that were rejected, expired, or delivered too often. Without one, Event Grid
   * drops them.
   *
   * @default none
   */
  readonly deadLetter?: PullDeadLetterProps;
  /**
   * Seconds for which a received event is hidden from other receivers, from 60 to 300. The receiver
   * renews the locks of events that it is still handling.
   *
   * @default 60
   */
  readonly receiveLockSeconds?: number;
  /**
   * How often an event is delivered at most, from 1 to 10.
   *
   * @default 10
   */
  readonly maxDeliveryCount?: number;
  /**
   * Minutes after which an event that nobody has acknowledged expires: at least 1, and at most the
   * topic's `eventRetentionDays`.
   *
   * @default the retention of the topic; 1440 (one day) for a topic that exists already
   */
  readonly eventTimeToLiveMinutes?: number;
  /**
   * Assignments that exist already and must not be created again: `deadLetter` is the right of the
   * identity that dead-letters to write into the container.
   *
   * @default none
   */
  readonly existingAssignments?: readonly "deadLetter"[];
  /**
   * Seconds to wait until the identity that dead-letters may write into its container; Azure refuses
   * the event subscription before. 0 disables the wait.
   *
   * @default 60
   */
  readonly roleEffectSeconds?: number;
  /**
   * Whether Terraform refuses plans that would destroy or replace the event subscription and lose the
   * events that wait in it (`prevent_destroy`).
   *
   * @default false
   */
  readonly protect?: boolean;
}

/** A principal that receives. */
export interface ReceiverPrincipal {
  /** Object ID in Entra: a UUID, not the client ID. */
  readonly principalId: string;
  /** @default "ServicePrincipal", which includes managed identities */
  readonly principalType?: PrincipalType;
}

/** Container for events that were not handled. An identity of the namespace writes into it. */
export interface PullDeadLetterProps extends DeadLetterContainer {
  /**
   * The identity that writes into the container, one of the namespace's. It gets the role Storage Blob
   * Data Contributor for the container.
   *
   * @default the namespace's system-assigned identity
   */
  readonly identity?: ManagedIdentity & {
    /** Object ID of the identity's principal; needed for a user-assigned identity. */
    readonly principalId?: string | undefined;
  };
}

const deliveries = AZURE_LIMITS.namespaceDeliveryCount;

export const pullChecks: Checks<CloudEventGridPullBindingProps> = {
  topic: required({ problems: topicProblems }),
  eventSubscriptionName: required(namespaceNameRule),
  receiver: { problems: receiverProblems },
  events: settingsChecks.events,
  includedEventTypes: settingsChecks.includedEventTypes,
  filters: { problems: attributeFilterProblems },
  deadLetter: settingsChecks.deadLetter,
  receiveLockSeconds: receiveLockRule,
  maxDeliveryCount: integerRule(deliveries.min, deliveries.max),
  // It is written as a duration, so that it cannot be a token.
  eventTimeToLiveMinutes: literal(
    integerRule(1, AZURE_LIMITS.eventRetentionDays.max * MINUTES_OF_DAY),
  ),
  existingAssignments: literal(listOf(literal(choiceRule("deadLetter")))),
  roleEffectSeconds: literal(azureRules.roleEffectSeconds),
  protect: literal(boolean),
};

/** The problems of props that are valid one by one. */
export function pullProblems(
  construct: IConstruct,
  props: CloudEventGridPullBindingProps,
): Problem[] {
  const { topic, eventTimeToLiveMinutes: minutes, deadLetter, existingAssignments = [] } = props;
  const problems = topic === undefined ? [] : stackProblems(construct, topic);
  const days = topic?.eventRetentionDays;
  const isLonger =
    days !== undefined && !Token.isUnresolved(days) && Number(minutes) > days * MINUTES_OF_DAY;
  if (isLonger) {
    const message =
      `must be at most the topic's retention of ${days} ${days === 1 ? "day" : "days"} ` +
      `(${days * MINUTES_OF_DAY} minutes), but is ${minutes}`;
    problems.push(problem("eventTimeToLiveMinutes", { retention: message }));
  }
  const { type = "SystemAssigned", principalId } = deadLetter?.identity ?? {};
  if (deadLetter === undefined || principalId !== undefined) return problems;
  if (existingAssignments.includes("deadLetter")) return problems;
  if (type === "SystemAssigned" && topic?.namespace.principalId !== undefined) return problems;
  const message =
    "is required to grant the identity its role, unless it is the system-assigned identity of a " +
    'namespace of the stack: if it has the role already, set existingAssignments: ["deadLetter"]';
  return [...problems, problem("deadLetter.identity.principalId", { required: message })];
}

/** The event subscription is written by the provider of the namespace's stack. */
function stackProblems(construct: IConstruct, topic: CloudEventGridNamespaceTopic): Problem[] {
  const stack = TerraformStack.of(topic);
  if (stack === TerraformStack.of(construct)) return [];
  const message =
    `belongs to the stack ${stack.node.id}: in this stack, use existingTopic of ` +
    "CloudEventGridNamespace.fromId with the ID of the namespace";
  return [problem("topic", { stack: message })];
}

function topicProblems(field: string, value: unknown): Problem[] {
  if (value instanceof CloudEventGridNamespaceTopic) return [];
  const requirement =
    "must be a topic of a namespace, the result of addTopic or existingTopic (a topic without a " +
    "namespace pushes events: use CloudEventGridBinding)";
  return [wrongType(field, requirement, value)];
}

const receiverCheck = group<ReceiverPrincipal>({
  principalId: required(uuidRule),
  principalType: literal(azureRules.principalType),
});

export function receivers({ receiver = [] }: Pick<CloudEventGridPullBindingProps, "receiver">) {
  const list = [receiver].flat() as readonly (string | ReceiverPrincipal)[];
  return list.map((item) => (typeof item === "string" ? { principalId: item } : item));
}

function receiverProblems(field: string, value: unknown): Problem[] {
  const isOne = !Array.isArray(value);
  return (isOne ? [value] : value).flatMap((item, i) => {
    const at = isOne ? field : `${field}[${i}]`;
    return isObject(item) ? problemsOf(receiverCheck, at, item) : problemsOf(uuidRule, at, item);
  });
}

/** Microsoft's pages contradict each other about filters on the data, so that they are refused. */
function attributeFilterProblems(field: string, value: unknown): readonly Problem[] {
  const problems = problemsOf(advancedFiltersCheck, field, value);
  if (!Array.isArray(value)) return problems;
  const onData = value.flatMap((filter, i) => {
    const key: unknown = isObject(filter) ? filter.key : undefined;
    if (
      typeof key !== "string" ||
      !`${key}.`.toLowerCase().startsWith("data.") ||
      Token.isUnresolved(key)
    )
      return [];
    const message =
      `must name an attribute of the event, but is ${showValue(key)}: event subscriptions of ` +
      "namespaces do not filter by the data";
    return [problem(`${field}[${i}].key`, { attribute: message })];
  });
  return [...problems, ...onData];
}
