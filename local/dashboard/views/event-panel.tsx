import { useState } from "preact/hooks";
import type {
  AttemptDetails,
  EventDetails,
  Headers,
  SubscriptionOutcome,
} from "../../src/dashboard/protocol.js";
import { call, resend, retry } from "../api.js";
import { ActionButton, Badge, Code, CopyButton, Fact, Icon, Segments } from "../components.js";
import { bytes, clockTime, dateTime, duration, outcomes, type Tone } from "../format.js";
import { activity, useActivity, useLoaded, useSeconds } from "../store.js";
import { ExportDialog } from "./export-dialog.js";

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
  const [exporting, setExporting] = useState(false);
  const isCurrent = event?.number === number;
  if (!isCurrent) {
    return (
      <aside class="panel" aria-label="Event details">
        <PanelHead title={error ? "Event not found" : "Loading…"} onClose={onClose} />
        {error && <p class="panel-note">{error.message}</p>}
      </aside>
    );
  }
  const isRetrying = event.subscriptions.some(({ state }) => state === "retrying");
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
          <button type="button" class="button" onClick={() => setExporting(true)}>
            Export…
          </button>
          {event.curl && (
            <CopyButton text={event.curl} label="Copy a curl command that publishes this event">
              Copy as curl
            </CopyButton>
          )}
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
        {exporting && (
          <ExportDialog
            events={[{ ...event, at: event.acceptedAt }]}
            onClose={() => setExporting(false)}
          />
        )}
        <h3>Deliveries</h3>
        {event.subscriptions.length === 0 && event.unready.length === 0 && (
          <p class="muted">No event subscription existed for this event when it was accepted.</p>
        )}
        {event.unready.map(({ subscription, state }) => (
          <p key={subscription} class="muted">
            <b>{subscription}</b> did not get this event:{" "}
            {unreadyReasons[state] ?? `it was ${state}`} when the event was accepted.
          </p>
        ))}
        {event.subscriptions.map((subscription) => (
          <SubscriptionCard
            key={subscription.id}
            event={event}
            outcome={subscription}
            onChanged={reload}
          />
        ))}
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

const states: Readonly<Record<SubscriptionOutcome["state"], { label: string; tone: Tone }>> = {
  filtered: { label: "Filtered out", tone: "muted" },
  pending: { label: "Pending", tone: "info" },
  retrying: outcomes.retrying,
  delivered: outcomes.delivered,
  deadLettered: outcomes.deadLettered,
  dropped: outcomes.dropped,
};

function SubscriptionCard(props: {
  event: EventDetails;
  outcome: SubscriptionOutcome;
  onChanged: () => void;
}) {
  const { event, outcome } = props;
  const { label, tone } = states[outcome.state];
  const last = outcome.attempts.at(-1)?.number;
  return (
    <section class="card" aria-label={`Event subscription ${outcome.name}`}>
      <header>
        <span class="card-title">{outcome.name}</span>
        <Badge tone={tone}>{label}</Badge>
        <span class="spacer" />
        <ActionButton
          class="button small"
          action={() => resend({ event: event.number, subscription: outcome.id })}
          onDone={props.onChanged}
        >
          {outcome.state === "filtered" ? "Deliver anyway" : "Resend"}
        </ActionButton>
      </header>
      {outcome.filteredBy !== undefined && (
        <p class="card-note">
          Excluded by <code>{outcome.filteredBy}</code>
        </p>
      )}
      {outcome.state === "retrying" && outcome.nextAttemptAt !== undefined && (
        <NextRetry at={outcome.nextAttemptAt} />
      )}
      {outcome.deadLetter && (
        <p class="card-note">
          <b>{outcome.deadLetter.reason}</b> after {outcome.deadLetter.attempts}{" "}
          {outcome.deadLetter.attempts === 1 ? "attempt" : "attempts"}, stored as{" "}
          <code>{outcome.deadLetter.blob}</code>
        </p>
      )}
      {outcome.attempts.length > 0 && (
        <ol class="attempts">
          {outcome.attempts.map((each) => (
            <Attempt key={each.number} attempt={each} isOpen={each.number === last} />
          ))}
        </ol>
      )}
    </section>
  );
}

/** Counts down on the cloud's clock. */
function NextRetry({ at }: { at: number }) {
  useActivity();
  useSeconds();
  const left = at - activity.now();
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
  return (
    <li class={`attempt ${tone}`}>
      <details open={isOpen}>
        <summary>
          <Icon name="chevron" size={13} />
          <b>Attempt {each.deliveryCount + 1}</b>
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
              {each.outcome === "delivered"
                ? "Only the latest 1,000 successful deliveries keep request and response."
                : "No request was sent: a fault responded instead."}
            </p>
          )}
        </div>
      </details>
    </li>
  );
}

function AttemptPart({
  attempt: { request, response, status, claims },
  part,
}: {
  attempt: AttemptDetails;
  part: Part;
}) {
  if (part === "token") return <Code text={JSON.stringify(claims)} label="token claims" />;
  if (part === "request") {
    if (!request) return <p class="muted">No request was sent.</p>;
    return (
      <>
        <p class="request-line mono">POST {request.url.replace(/[?#].*$/, "")}</p>
        <HeaderList headers={request.headers} />
        <Code text={request.body} label="request body" />
      </>
    );
  }
  if (!response) return <p class="muted">There was no response.</p>;
  return (
    <>
      <p class="request-line mono">HTTP {status}</p>
      <HeaderList headers={response.headers} />
      {response.body === "" ? (
        <p class="muted">The body is empty.</p>
      ) : (
        <Code text={response.body} label="response body" />
      )}
      {response.truncated && <p class="muted">The body is longer than the stored part.</p>}
    </>
  );
}

function HeaderList({ headers }: { headers: Headers }) {
  return (
    <dl class="headers">
      {headers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd title={value}>{name === "authorization" ? `${value.slice(0, 28)}…` : value}</dd>
        </div>
      ))}
    </dl>
  );
}
