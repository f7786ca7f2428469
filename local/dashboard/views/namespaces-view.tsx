import { useState } from "preact/hooks";
import type {
  NamespaceDetails,
  NamespaceSubscriptionDetails,
  QueuedEventDetails,
} from "../../src/dashboard/index.js";
import { call } from "../api.js";
import { Badge, Code, Command, EmptyState, Icon } from "../components.js";
import { dateTime, duration, type Tone } from "../format.js";
import { activity, useLoaded, useSeconds } from "../store.js";
import { CopyableFact, KeyFacts } from "./copyable.js";

/** Namespaces with their topics, and the numbers of events in their queues. */
export function NamespacesView() {
  // Receivers change the numbers without rows in the live view.
  const { value: namespaces, error } = useLoaded(() => call("GET namespaces"), useSeconds());
  if (!namespaces) return <p class="note muted">{error?.message ?? "Loading…"}</p>;
  if (namespaces.length === 0) {
    return (
      <EmptyState icon="namespaces" title="No namespaces yet">
        <p>Services pull events from the queues of a namespace. Create one:</p>
        <Command>
          npx --no -- cloud-eventgrid-local namespaces create shop --topic orders --queue shipping
        </Command>
      </EmptyState>
    );
  }
  return (
    <div class="page">
      {namespaces.map((namespace) => (
        <NamespaceCard key={namespace.id} namespace={namespace} />
      ))}
    </div>
  );
}

function NamespaceCard({ namespace }: { namespace: NamespaceDetails }) {
  const { name } = namespace;
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
        <CopyableFact name="Endpoint" text={namespace.endpoint} label="Copy the endpoint" />
        <KeyFacts owner={namespace} />
        <CopyableFact name="Resource ID" text={namespace.id} label="Copy the resource ID" />
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
  const [isOpen, setOpen] = useState(false);
  const badge = state !== "Succeeded" && <Badge tone="warn">{state}</Badge>;
  if (subscription.deliveryMode === "Push") {
    return (
      <tr>
        <td>
          <b>{name}</b> {badge}
          {endpoint !== undefined && <div class="mono break">{endpoint}</div>}
        </td>
        <td class="muted" colSpan={1 + Object.keys(states).length}>
          Events are pushed: see Live.
        </td>
      </tr>
    );
  }
  return (
    <>
      <tr>
        <td>
          <button
            type="button"
            class="link disclosure"
            aria-expanded={isOpen}
            title="Show the events of this queue"
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="chevron" size={13} />
            {name}
          </button>{" "}
          {badge}
        </td>
        <td data-label="Oldest event" class="nowrap">
          {oldest === undefined ? (
            <span class="muted">none</span>
          ) : (
            <span title={`published at ${dateTime(oldest)}`}>
              {duration(Math.max(0, activity.now() - Date.parse(oldest)))} ago
            </span>
          )}
        </td>
        {(Object.keys(states) as (keyof typeof states)[]).map((each) => (
          <td key={each} class="number" data-label={states[each][0]}>
            {(subscription[each] ?? 0).toLocaleString("en")}
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={2 + Object.keys(states).length}>
            <QueueEvents subscription={subscription} />
          </td>
        </tr>
      )}
    </>
  );
}

/** The oldest events in a queue. */
function QueueEvents({ subscription }: { subscription: NamespaceSubscriptionDetails }) {
  const { id, name, waiting = 0, locked = 0, delayed = 0 } = subscription;
  const { value: events, error } = useLoaded(
    () => call("GET namespaces/events", { subscription: id }),
    useSeconds(),
  );
  if (!events) return <p class="muted">{error?.message ?? "Loading…"}</p>;
  const total = waiting + locked + delayed;
  return (
    <section aria-label={`Events of ${name}`}>
      {events.length === 0 && <p class="card-note muted">No events in this queue.</p>}
      <ul class="plain queue">
        {events.map((event) => (
          <QueuedEvent key={`${event.publishedAt} ${event.id}`} event={event} />
        ))}
      </ul>
      {total > events.length && events.length > 0 && (
        <p class="card-note muted">
          The oldest {events.length} of {total.toLocaleString("en")} events.
        </p>
      )}
    </section>
  );
}

const tones: Readonly<Record<QueuedEventDetails["state"], Tone>> = {
  waiting: "info",
  locked: "warn",
  delayed: "muted",
};

function QueuedEvent({ event }: { event: QueuedEventDetails }) {
  const { id, type, subject, state, deliveryCount, json } = event;
  return (
    <li>
      <details>
        <summary>
          <Icon name="chevron" size={13} />
          <b>{type}</b>
          <span class="muted">{subject ?? id}</span>
          <Badge tone={tones[state]}>{states[state][0]}</Badge>
          {deliveryCount > 0 && (
            <span class="muted">
              {deliveryCount} {deliveryCount === 1 ? "delivery" : "deliveries"}
            </span>
          )}
        </summary>
        <Code text={json} label="event JSON" />
      </details>
    </li>
  );
}
