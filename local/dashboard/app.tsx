import { render } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import type { ActivityRow } from "../src/dashboard/index.js";
import { call } from "./api.js";
import { Fact, Icon, type IconName, notify, Toasts } from "./components.js";
import { clockTime } from "./format.js";
import { activity, useActivity, useLoaded } from "./store.js";
import { ControlsView } from "./views/controls-view.js";
import { DeadLettersView } from "./views/dead-letters-view.js";
import { EventPanel, PanelHead } from "./views/event-panel.js";
import { type LiveFilter, LiveView, NO_FILTER } from "./views/live-view.js";
import { NamespacesView } from "./views/namespaces-view.js";
import { PublishDialog } from "./views/publish-dialog.js";
import { ResourcesView } from "./views/resources-view.js";

const views = {
  live: { label: "Live", icon: "live" },
  "dead-letters": { label: "Dead letters", icon: "deadLetters" },
  namespaces: { label: "Namespaces", icon: "namespaces" },
  resources: { label: "Resources", icon: "resources" },
  controls: { label: "Controls", icon: "controls" },
} as const satisfies Record<string, { label: string; icon: IconName }>;

type ViewName = keyof typeof views;

/** The view in the page's address: `#/live`, or `#/live/17` with the details of event 17. */
interface Place {
  readonly view: ViewName;
  readonly event: number | undefined;
}

function placeIn(hash: string): Place {
  const [, view = "", event] = hash.split("/");
  return {
    view: Object.hasOwn(views, view) ? (view as ViewName) : "live",
    event: event && /^\d+$/.test(event) ? Number(event) : undefined,
  };
}

function App() {
  const [place, setPlace] = useState(() => placeIn(location.hash));
  const [filter, setFilter] = useState<LiveFilter>(NO_FILTER);
  const [handshake, setHandshake] = useState<ActivityRow | undefined>();
  const [publishing, setPublishing] = useState(false);
  const [awaited, setAwaited] = useState<string | undefined>();
  const { value: overview, error } = useLoaded(() => call("GET overview"), "once");
  const version = useActivity();

  useEffect(() => {
    const onHashChange = () => setPlace(placeIn(location.hash));
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, []);
  const go = useCallback((view: ViewName, event?: number) => {
    location.hash = event === undefined ? `#/${view}` : `#/${view}/${event}`;
  }, []);
  const closePanel = useCallback(() => {
    setHandshake(undefined);
    go(placeIn(location.hash).view);
    document.querySelector<HTMLElement>(".rows")?.focus();
  }, [go]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !document.querySelector("dialog[open]")) closePanel();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [closePanel]);
  useEffect(() => {
    if (awaited === undefined) return;
    const row = activity.rows.findLast(
      ({ kind, eventId }) => kind === "event" && eventId === awaited,
    );
    if (!row) return;
    setAwaited(undefined);
    go("live", row.number);
  }, [version, awaited, go]);

  const open = (row: ActivityRow) => {
    if (row.kind === "handshake") setHandshake(row);
    else if (row.event !== undefined) {
      setHandshake(undefined);
      go("live", row.event);
    } else notify("The event is no longer in the history.", "bad");
  };
  const hasPanel = handshake !== undefined || place.event !== undefined;
  return (
    <div class="layout">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Sidebar view={place.view} onPublish={() => setPublishing(true)} />
      <main id="main" class={hasPanel ? "with-panel" : ""}>
        <div class="view">
          <header class="view-head">
            <h1>{views[place.view].label}</h1>
            {overview && (
              <span class="muted">
                {overview.httpOrigin.replace("http://", "")} · subscription{" "}
                {overview.subscriptionId.slice(0, 8)}…
              </span>
            )}
          </header>
          {error && <p class="note error-text">{error.message}</p>}
          {place.view === "live" && (
            <LiveView
              filter={filter}
              onFilter={setFilter}
              selected={place.event}
              onOpen={open}
              onPublish={() => setPublishing(true)}
            />
          )}
          {place.view === "namespaces" && <NamespacesView />}
          {place.view === "resources" && <ResourcesView />}
          {place.view === "dead-letters" && (
            <DeadLettersView onOpen={(event) => go("dead-letters", event)} />
          )}
          {place.view === "controls" && overview && <ControlsView overview={overview} />}
        </div>
        {handshake ? (
          <HandshakePanel row={handshake} onClose={closePanel} />
        ) : (
          place.event !== undefined && <EventPanel number={place.event} onClose={closePanel} />
        )}
      </main>
      {publishing && overview && (
        <PublishDialog
          overview={overview}
          onClose={() => setPublishing(false)}
          onPublished={(eventId) => {
            setPublishing(false);
            notify("The event was accepted.");
            setAwaited(eventId);
          }}
        />
      )}
      <Toasts />
    </div>
  );
}

function Sidebar({ view, onPublish }: { view: ViewName; onPublish: () => void }) {
  useActivity();
  return (
    <nav class="sidebar" aria-label="Views">
      <div class="brand">
        <img src="/dashboard/icon.svg" alt="" width="28" height="28" />
        <div>
          <b>Event Grid</b>
          <span>local Azure</span>
        </div>
      </div>
      <button type="button" class="button primary publish" onClick={onPublish}>
        <Icon name="publish" size={15} />
        Publish event
      </button>
      <ul>
        {Object.entries(views).map(([name, { label, icon }]) => (
          <li key={name}>
            <a href={`#/${name}`} aria-current={name === view ? "page" : undefined}>
              <Icon name={icon} size={17} />
              <span>{label}</span>
              {name === "live" && activity.pending > 0 && (
                <span
                  class="count"
                  title="Events that are not yet delivered, dead-lettered or dropped"
                >
                  {activity.pending.toLocaleString("en")}
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
      <div class="spacer" />
      <div class="sidebar-foot">
        <span class={`connection ${activity.connected ? "on" : "off"}`} role="status">
          <span>{activity.connected ? "Connected" : "Reconnecting…"}</span>
        </span>
      </div>
    </nav>
  );
}

function HandshakePanel({ row, onClose }: { row: ActivityRow; onClose: () => void }) {
  return (
    <aside class="panel" aria-label="Handshake details">
      <PanelHead title="Handshake" subtitle={row.subscription} onClose={onClose} />
      <div class="panel-body">
        <dl class="facts">
          <Fact name="At">
            <span class="mono">{clockTime(row.at)}</span>
          </Fact>
          <Fact name="Status">{row.status ?? "no response"}</Fact>
          <Fact name="Outcome">
            {row.outcome === "handshakeSucceeded" ? "The webhook consented." : row.error}
          </Fact>
        </dl>
      </div>
    </aside>
  );
}

activity.connect();
const root = document.getElementById("app");
if (root) render(<App />, root);
