import { useState } from "preact/hooks";
import type {
  AttemptDetails,
  EventDetails,
  SubscriptionOutcome,
} from "../../src/dashboard/index.js";
import { call, exportEvents, resend, retry } from "../api.js";
import { ActionButton, Badge, Code, Fact, Icon, Segments } from "../components.js";
import { bytes, clockTime, dateTime, duration, outcomes, type Tone } from "../format.js";
import { activity, useActivity, useLoaded, useSeconds } from "../store.js";

/** An event with the subscriptions in its scope and all delivery attempts. */
export function EventPanel({ number, onClose }: { number: number; onClose: () => void }) {
  useActivity();
  // The details of this event change only with its own rows.
  const latest = activity.rows.findLast(({ event }) => event === number)?.number;
  const {
    value: event,
    error,
    reload,
  } = useLoaded(() => call("GET event", { number: String(number) }), `${number}/${latest}`);
  const isCurrent = event?.number === number;
  if (!isCurrent) {
    return (
      <aside class="panel" aria-label="Event details">
        <PanelHead title={error ? "Event not found" : "Loading…"} onClose={onClose} />
        {error && <p class="note">{error.message}</p>}
      </aside>
    );
  }
  const isRetrying = event.subscriptions.some(({ outcome }) => outcome === "retrying");
  return (
    <aside class="panel" aria-label="Event details">
      <PanelHead title={event.type} subtitle={event.subject} onClose={onClose} />
      <div class="panel-body">
        <div class="actions">
          {isRetrying && (
            <ActionButton
              class="button primary"
              icon="retry"
              action={() => retry({ event: number })}
              onDone={reload}
            >
              Retry now
            </ActionButton>
          )}
          <ActionButton
            class="button"
            icon="publish"
            action={() => resend({ event: number })}
            onDone={reload}
          >
            Resend
          </ActionButton>
          <ActionButton class="button" action={() => exportEvents([number])}>
            Export
          </ActionButton>
        </div>
        <dl class="facts">
          <Fact name="Topic">{event.topic ?? "Azure service"}</Fact>
          <Fact name="Origin">{origins[event.origin]}</Fact>
          <Fact name="Event ID">
            <span class="mono">{event.id}</span>
          </Fact>
          <Fact name="Source">
            <span class="mono">{event.source}</span>
          </Fact>
          <Fact name="Accepted">
            {dateTime(event.acceptedAt)} <span class="muted">· {bytes(event.sizeInBytes)}</span>
          </Fact>
        </dl>
        <h3>Deliveries</h3>
        {event.subscriptions.length === 0 && (
          <p class="muted">No event subscription existed for this event when it was accepted.</p>
        )}
        {event.subscriptions.map((each) =>
          each.outcome === "notReady" ? (
            <p key={each.subscriptionId} class="muted">
              <b>{each.subscription}</b> did not get this event:{" "}
              {unreadyReasons[each.reason ?? ""] ?? `it was ${each.reason}`} when the event was
              accepted.
            </p>
          ) : (
            <SubscriptionCard
              key={each.subscriptionId}
              event={event.number}
              result={each}
              onChanged={reload}
            />
          ),
        )}
        <h3>Event</h3>
        <Code text={event.json} label="event JSON" />
      </div>
    </aside>
  );
}

export function PanelHead(props: {
  title: string;
  subtitle?: string | undefined;
  onClose: () => void;
}) {
  return (
    <header class="panel-head">
      <div>
        <h2>{props.title}</h2>
        {props.subtitle && <p>{props.subtitle}</p>}
      </div>
      <button type="button" class="icon-button" aria-label="Close details" onClick={props.onClose}>
        <Icon name="close" />
      </button>
    </header>
  );
}

const origins: Readonly<Record<EventDetails["origin"], string>> = {
  published: "Published",
  emitted: "Emitted",
  storage: "Storage account, through Azurite",
  routed: "Routed by an event subscription",
  restored: "Earlier process",
  replayed: "Replayed from a file",
};

const unreadyReasons: Readonly<Record<string, string>> = {
  AwaitingManualAction: "its webhook awaited validation",
  Creating: "its creation had not ended",
  Failed: "its creation had failed",
};

const states: Readonly<Record<SubscriptionOutcome["outcome"], { label: string; tone: Tone }>> = {
  notReady: { label: "Not ready", tone: "muted" },
  filtered: { label: "Filtered out", tone: "muted" },
  pending: { label: "Pending", tone: "info" },
  retrying: outcomes.retrying,
  delivered: outcomes.delivered,
  deadLettered: outcomes.deadLettered,
  dropped: outcomes.dropped,
};

function SubscriptionCard(props: {
  event: number;
  result: SubscriptionOutcome;
  onChanged: () => void;
}) {
  const { subscription, subscriptionId, outcome, reason, attempts, deadLetter } = props.result;
  const { label, tone } = states[outcome];
  const { nextAttemptAt } = attempts.at(-1) ?? {};
  return (
    <section class="card" aria-label={`Event subscription ${subscription}`}>
      <header>
        <span class="card-title">{subscription}</span>
        <Badge tone={tone}>{label}</Badge>
        <span class="spacer" />
        <ActionButton
          class="button small"
          action={() => resend({ event: props.event, subscription: subscriptionId })}
          onDone={props.onChanged}
        >
          {outcome === "filtered" ? "Deliver anyway" : "Resend"}
        </ActionButton>
      </header>
      {outcome === "filtered" && (
        <p class="card-note">
          Excluded by <code>{reason}</code>
        </p>
      )}
      {outcome === "retrying" && nextAttemptAt !== undefined && <NextRetry at={nextAttemptAt} />}
      {deadLetter && (
        <p class="card-note">
          <b>{deadLetter.reason}</b> after {deadLetter.attempts}{" "}
          {deadLetter.attempts === 1 ? "attempt" : "attempts"}, stored as{" "}
          <code>{deadLetter.blob}</code>
        </p>
      )}
      {attempts.length > 0 && (
        <ol class="attempts">
          {attempts.map((each, index) => (
            <Attempt key={index} attempt={each} isOpen={index === attempts.length - 1} />
          ))}
        </ol>
      )}
    </section>
  );
}

/** Counts down on the cloud's clock. */
function NextRetry({ at }: { at: string }) {
  useActivity();
  useSeconds();
  const left = Date.parse(at) - activity.now();
  return (
    <p class="card-note">
      Next attempt at {clockTime(at)}
      {left > 0 && <span class="muted"> · in {duration(left)}</span>}
    </p>
  );
}

type Part = "request" | "response" | "token";

function Attempt({ attempt: each, isOpen }: { attempt: AttemptDetails; isOpen: boolean }) {
  const { label, tone } = outcomes[each.outcome];
  const [part, setPart] = useState<Part>("response");
  const segments = [
    { value: "response" as const, label: "Response" },
    { value: "request" as const, label: "Request" },
    ...(each.claims ? [{ value: "token" as const, label: "Token claims" }] : []),
  ];
  if (each.attempt === undefined) {
    return (
      <li class={`attempt ${tone}`}>
        <p class="attempt-end">
          <b>{label}</b> <span class="muted">{each.error}</span>
        </p>
      </li>
    );
  }
  return (
    <li class={`attempt ${tone}`}>
      <details open={isOpen}>
        <summary>
          <Icon name="chevron" size={13} />
          <b>Attempt {each.attempt}</b>
          <span class={`result ${tone}`}>{each.status ?? "no response"}</span>
          <span class="muted">{label}</span>
          <span class="spacer" />
          <span class="muted mono">
            {clockTime(each.at)} · {duration(each.durationMs)}
          </span>
        </summary>
        <div class="attempt-body">
          {each.error && <p class="error-text">{each.error}</p>}
          {each.eventCount > 1 && <p class="muted">A batch of {each.eventCount} events.</p>}
          {each.request || each.response ? (
            <>
              <Segments
                label="Request or response"
                value={part}
                segments={segments}
                onChange={setPart}
              />
              <AttemptPart attempt={each} part={part} />
            </>
          ) : (
            <p class="muted">
              Only the latest deliveries keep request and response, and none to which a fault
              responded.
            </p>
          )}
        </div>
      </details>
    </li>
  );
}

function AttemptPart({
  attempt: { attempt, subscription, request, response, status, claims },
  part,
}: {
  attempt: AttemptDetails;
  part: Part;
}) {
  if (part === "token")
    return (
      <Code
        text={JSON.stringify(claims)}
        label={`token claims of attempt ${attempt} to ${subscription}`}
      />
    );
  if (part === "request") {
    if (!request) return <p class="muted">No request was sent.</p>;
    return (
      <>
        <p class="mono break">POST {request.url.replace(/[?#].*$/, "")}</p>
        <HeaderList headers={request.headers} />
        <Code text={request.body} label={`request body of attempt ${attempt} to ${subscription}`} />
      </>
    );
  }
  if (!response) return <p class="muted">There was no response.</p>;
  return (
    <>
      <p class="mono break">HTTP {status}</p>
      <HeaderList headers={response.headers} />
      {response.body.text === "" ? (
        <p class="muted">The body is empty.</p>
      ) : (
        <Code
          text={response.body.text}
          label={`response body of attempt ${attempt} to ${subscription}`}
        />
      )}
      {response.body.truncated && <p class="muted">The body is longer than the stored part.</p>}
    </>
  );
}

function HeaderList({ headers }: { headers: Readonly<Record<string, unknown>> }) {
  const shown = Object.entries(headers).map(([name, value]) => ({ name, text: String(value) }));
  return (
    <dl class="headers">
      {shown.map(({ name, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd title={text}>{name === "authorization" ? `${text.slice(0, 28)}…` : text}</dd>
        </div>
      ))}
    </dl>
  );
}
