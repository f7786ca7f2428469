import { useState } from "preact/hooks";
import type { DeadLetterDetails } from "../../src/dashboard/index.js";
import { call, resend } from "../api.js";
import { ActionButton, Badge, EmptyState, Select } from "../components.js";
import { dateTime, distinct } from "../format.js";
import { useActivity, useLoaded } from "../store.js";

/** Undeliverable events with the reason, and a button to send them again. */
export function DeadLettersView({ onOpen }: { onOpen: (event: number) => void }) {
  const version = useActivity();
  const [subscription, setSubscription] = useState("");
  const { value: letters, error } = useLoaded(() => call("GET dead-letter-details"), version);
  if (error) return <p class="note error-text">{error.message}</p>;
  if (!letters) return <p class="note muted">Loading…</p>;
  if (letters.length === 0) {
    return (
      <EmptyState icon="deadLetters" title="No dead letters">
        <p>
          Undeliverable events appear here if their event subscription has a dead-letter container.
          Others are dropped.
        </p>
      </EmptyState>
    );
  }
  const names = distinct(letters.map((letter) => letter.subscription));
  const shown = letters.filter(
    (letter) => subscription === "" || letter.subscription === subscription,
  );
  const known = shown.flatMap(({ event, subscription }) =>
    event === undefined ? [] : { event, subscription },
  );
  return (
    <div class="page">
      <div class="toolbar">
        <Select
          label="Subscription"
          all="All subscriptions"
          value={subscription}
          options={names}
          onChange={setSubscription}
        />
        <ActionButton
          class="button small"
          disabled={known.length === 0}
          action={async () => {
            for (const letter of known) await resend(letter);
            return `Resent ${known.length} dead letters.`;
          }}
        >
          Resend {known.length}
        </ActionButton>
      </div>
      <table class="table">
        <thead>
          <tr>
            <th>Last attempt</th>
            <th>Event</th>
            <th>Subscription</th>
            <th>Reason</th>
            <th class="number">Attempts</th>
            <th>
              <span class="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.toReversed().map((letter) => (
            <DeadLetterRow key={letter.blob + letter.eventId} letter={letter} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function DeadLetterRow(props: { letter: DeadLetterDetails; onOpen: (event: number) => void }) {
  const { letter } = props;
  const { event } = letter;
  return (
    <tr>
      <td class="mono nowrap">
        {letter.lastAttemptAt === undefined ? "" : dateTime(letter.lastAttemptAt)}
      </td>
      <td>
        {event === undefined ? (
          letter.type
        ) : (
          <button type="button" class="link" onClick={() => props.onOpen(event)}>
            {letter.type}
          </button>
        )}
        <div class="muted">{letter.subject ?? letter.eventId}</div>
      </td>
      <td>{letter.subscription}</td>
      <td>
        <Badge tone="bad">{letter.reason}</Badge>
        <div class="muted">Last outcome: {letter.lastOutcome}</div>
      </td>
      <td class="number" data-label="Attempts">
        {letter.attempts}
      </td>
      <td class="row-actions">
        <ActionButton
          class="button small"
          disabled={event === undefined}
          action={() =>
            resend({ event: event ?? letter.eventId, subscription: letter.subscription })
          }
        >
          Resend
        </ActionButton>
      </td>
    </tr>
  );
}
