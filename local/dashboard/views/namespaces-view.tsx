import type {
  NamespaceDetails,
  NamespaceSubscriptionDetails,
} from "../../src/dashboard/protocol.js";
import { api } from "../api.js";
import { attempt, Badge, Command, confirm, EmptyState } from "../components.js";
import { dateTime, duration } from "../format.js";
import { activity, useLoaded, useSeconds } from "../store.js";
import { Copyable, Secret } from "./copyable.js";

/** Namespaces with their topics, and the numbers of events in their queues. */
export function NamespacesView() {
  // Receivers change the numbers without rows in the live view.
  const { value: namespaces, error, reload } = useLoaded(api.namespaces, useSeconds());
  if (!namespaces) return <p class="page-note muted">{error?.message ?? "Loading…"}</p>;
  if (namespaces.length === 0) {
    return (
      <EmptyState icon="namespaces" title="No namespaces yet">
        <p>Services pull events from the queues of a namespace. Create one:</p>
        <Command>
          npx cloud-eventgrid-local namespaces create shop --topic orders --queue shipping
        </Command>
      </EmptyState>
    );
  }
  return (
    <div class="page">
      {namespaces.map((namespace) => (
        <NamespaceCard key={namespace.id} namespace={namespace} onChanged={reload} />
      ))}
    </div>
  );
}

function NamespaceCard(props: { namespace: NamespaceDetails; onChanged: () => void }) {
  const { namespace, onChanged } = props;
  const { name } = namespace;
  const regenerate = async (key: "key1" | "key2") => {
    const isConfirmed = await confirm({
      question: `Regenerate ${key} of ${name}?`,
      consequence: "Publishers and receivers that use the present key are refused.",
      action: "Regenerate",
    });
    if (!isConfirmed) return;
    await attempt(async () => {
      await api.regenerateNamespaceKey(name, key);
      return `${key} of ${name} is new. The old one is refused from now on.`;
    });
    onChanged();
  };
  return (
    <section class="card" aria-label={`Namespace ${name}`}>
      <header>
        <h2 class="card-title">{name}</h2>
        <span class="spacer" />
        <span class="muted">
          {namespace.resourceGroup} · {namespace.location}
        </span>
      </header>
      <dl class="facts">
        <dt>Endpoint</dt>
        <dd>
          <Copyable text={namespace.endpoint} label="Copy the endpoint" />
        </dd>
        <dt>Key 1</dt>
        <dd>
          <Secret text={namespace.key1} label="key1" onRegenerate={() => regenerate("key1")} />
        </dd>
        <dt>Key 2</dt>
        <dd>
          <Secret text={namespace.key2} label="key2" onRegenerate={() => regenerate("key2")} />
        </dd>
        <dt>Resource ID</dt>
        <dd>
          <Copyable text={namespace.id} label="Copy the resource ID" />
        </dd>
      </dl>
      {namespace.topics.map((topic) => (
        <TopicTable key={topic.id} topic={topic} />
      ))}
      {namespace.topics.length === 0 && <p class="card-note muted">No topics.</p>}
    </section>
  );
}

/** The states of a queue's events, with what each means. */
const states = {
  waiting: ["Waiting", "can be received"],
  locked: ["Locked", "received, and not settled yet"],
  delayed: ["Delayed", "released with a delay that has not passed"],
  acknowledged: ["Acknowledged", "settled for good"],
  released: ["Released", "given back by receivers"],
  lockExpired: ["Lock expired", "neither settled nor renewed in time"],
  deadLettered: ["Dead-lettered", "rejected, expired or delivered too often"],
  dropped: ["Dropped", "the same, without a dead-letter container"],
} as const;

function TopicTable({ topic }: { topic: NamespaceDetails["topics"][number] }) {
  const days = topic.eventRetentionInDays;
  return (
    <section class="namespace-topic" aria-label={`Topic ${topic.name}`}>
      <h3>
        {topic.name}{" "}
        <span class="muted">
          topic · keeps events {days} {days === 1 ? "day" : "days"}
        </span>
      </h3>
      {topic.subscriptions.length === 0 ? (
        <p class="card-note muted">No event subscriptions: published events are not kept.</p>
      ) : (
        <table class="table">
          <thead>
            <tr>
              <th>Event subscription</th>
              <th>Oldest event</th>
              {Object.values(states).map(([label, meaning]) => (
                <th key={label} class="number" title={meaning}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {topic.subscriptions.map((subscription) => (
              <SubscriptionRow key={subscription.id} subscription={subscription} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function SubscriptionRow({ subscription }: { subscription: NamespaceSubscriptionDetails }) {
  const { name, state, endpoint, oldest } = subscription;
  const subject = (
    <td>
      <b>{name}</b> {state !== "Succeeded" && <Badge tone="warn">{state}</Badge>}
      {endpoint !== undefined && <div class="mono break">{endpoint}</div>}
    </td>
  );
  if (subscription.deliveryMode === "Push") {
    return (
      <tr>
        {subject}
        <td class="muted" colSpan={1 + Object.keys(states).length}>
          Events are pushed: see Live.
        </td>
      </tr>
    );
  }
  return (
    <tr>
      {subject}
      <td data-label="Oldest event" class="nowrap">
        {oldest === undefined ? (
          <span class="muted">none</span>
        ) : (
          <span title={`published at ${dateTime(oldest)}`}>
            {duration(Math.max(0, activity.now() - oldest))} ago
          </span>
        )}
      </td>
      {(Object.keys(states) as (keyof typeof states)[]).map((each) => (
        <td key={each} class="number" data-label={states[each][0]}>
          {(subscription[each] ?? 0).toLocaleString("en")}
        </td>
      ))}
    </tr>
  );
}
