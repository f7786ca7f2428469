import { useState } from "preact/hooks";
import type {
  NamespaceDetails,
  NamespaceSubscriptionDetails,
  QueuedEventDetails,
} from "../../src/dashboard/index.js";
import { call, type Settlement } from "../api.js";
import { ActionButton, Badge, Code, Command, EmptyState, Icon } from "../components.js";
import { dateTime, duration, type Tone } from "../format.js";
import { activity, useLoaded, useSeconds } from "../store.js";
import { CopyableFact, KeyFacts } from "./copyable.js";

/** Namespaces with their topics, and the numbers of events in their queues. */
export function NamespacesView() {
  // Receivers change the numbers without rows in the live view.
  const {
    value: namespaces,
    error,
    reload,
  } = useLoaded(() => call("GET namespaces"), useSeconds());
  if (!namespaces) return <p class="page-note muted">{error?.message ?? "Loading…"}</p>;
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
        <NamespaceCard key={namespace.id} namespace={namespace} onChanged={reload} />
      ))}
    </div>
  );
}

function NamespaceCard(props: { namespace: NamespaceDetails; onChanged: () => void }) {
  const { namespace, onChanged } = props;
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
        <KeyFacts
          owner={namespace}
          users="Publishers and receivers"
          regenerate={(key) => call("POST namespaces/regenerate-key", { namespace: name, key })}
          onChanged={onChanged}
        />
        <CopyableFact name="Resource ID" text={namespace.id} label="Copy the resource ID" />
      </dl>
      {namespace.topics.map((topic) => (
        <TopicTable key={topic.id} topic={topic} onChanged={onChanged} />
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

function TopicTable(props: { topic: NamespaceDetails["topics"][number]; onChanged: () => void }) {
  const { topic, onChanged } = props;
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
              <SubscriptionRow
                key={subscription.id}
                subscription={subscription}
                onChanged={onChanged}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function SubscriptionRow(props: {
  subscription: NamespaceSubscriptionDetails;
  onChanged: () => void;
}) {
  const { subscription, onChanged } = props;
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
            <QueueEvents subscription={subscription} onChanged={onChanged} />
          </td>
        </tr>
      )}
    </>
  );
}

/** The events in a queue, and what a receiver does with them. */
function QueueEvents(props: { subscription: NamespaceSubscriptionDetails; onChanged: () => void }) {
  const { id, name, waiting = 0, locked = 0, delayed = 0 } = props.subscription;
  const {
    value: events,
    error,
    reload,
  } = useLoaded(() => call("GET namespaces/events", { subscription: id }), useSeconds());
  const onDone = () => {
    reload();
    props.onChanged();
  };
  const receive = async (maxEvents: number) => {
    const { length } = await call("POST namespaces/receive", { subscription: id, maxEvents });
    return length === 1 ? "Received 1 event." : `Received ${length} events.`;
  };
  const settle = async (operation: Settlement, lockToken: string) => {
    const { failedLockTokens } = await call("POST namespaces/settle", {
      subscription: id,
      operation,
      lockTokens: [lockToken],
    });
    const [failed] = failedLockTokens;
    if (failed) throw new Error(failed.error.message);
    return settlements[operation].done;
  };
  if (!events) return <p class="muted">{error?.message ?? "Loading…"}</p>;
  const total = waiting + locked + delayed;
  return (
    <section aria-label={`Events of ${name}`}>
      <div class="actions">
        {[1, 10].map((most) => (
          <ActionButton
            key={most}
            class="button small"
            disabled={waiting === 0}
            action={() => receive(most)}
            onDone={onDone}
          >
            {most === 1 ? "Receive one" : `Receive up to ${most}`}
          </ActionButton>
        ))}
      </div>
      {events.length === 0 && <p class="card-note muted">No events in this queue.</p>}
      <ul class="plain queue">
        {events.map((event) => (
          <QueuedEvent
            key={`${event.publishedAt} ${event.id}`}
            event={event}
            settle={settle}
            onDone={onDone}
          />
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

const settlements: Readonly<Record<Settlement, { label: string; done: string }>> = {
  acknowledge: { label: "Acknowledge", done: "Acknowledged the event." },
  release: { label: "Release", done: "Released the event: it can be received again." },
  reject: { label: "Reject", done: "Rejected the event." },
};

const tones: Readonly<Record<QueuedEventDetails["state"], Tone>> = {
  waiting: "info",
  locked: "warn",
  delayed: "muted",
};

function QueuedEvent(props: {
  event: QueuedEventDetails;
  settle: (operation: Settlement, lockToken: string) => Promise<string>;
  onDone: () => void;
}) {
  const { id, type, subject, state, deliveryCount, lockToken, json } = props.event;
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
      {lockToken !== undefined && (
        <div class="actions">
          {(Object.keys(settlements) as Settlement[]).map((operation) => (
            <ActionButton
              key={operation}
              class="button small"
              action={() => props.settle(operation, lockToken)}
              onDone={props.onDone}
            >
              {settlements[operation].label}
            </ActionButton>
          ))}
        </div>
      )}
    </li>
  );
}
