import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ActivityRow, Outcome } from "../../src/dashboard/index.js";
import { call, exportEvents } from "../api.js";
import {
  ActionButton,
  Badge,
  Command,
  EmptyState,
  Icon,
  type IconName,
  Segments,
  Select,
} from "../components.js";
import { clockTime, distinct, duration, outcomes } from "../format.js";
import { activity, useActivity, useLoaded, useSeconds } from "../store.js";
import { VirtualRows } from "./virtual-rows.js";

export interface LiveFilter {
  readonly text: string;
  readonly type: string;
  readonly subscription: string;
  readonly status: StatusFilter;
}

export type StatusFilter = "all" | "accepted" | "delivered" | "retrying" | "failed";

export const NO_FILTER: LiveFilter = { text: "", type: "", subscription: "", status: "all" };

const statusOutcomes: Readonly<Record<Exclude<StatusFilter, "all">, readonly Outcome[]>> = {
  accepted: ["accepted", "unmatched"],
  delivered: ["delivered", "handshakeSucceeded"],
  retrying: ["retrying"],
  failed: ["deadLettered", "dropped", "handshakeFailed"],
};

/** Events in and deliveries out, the newest first. */
export function LiveView(props: {
  filter: LiveFilter;
  onFilter: (filter: LiveFilter) => void;
  selected: number | undefined;
  onOpen: (row: ActivityRow) => void;
  onPublish: () => void;
}) {
  const { filter, onFilter } = props;
  const version = useActivity();
  const [active, setActive] = useState<number | undefined>();
  const search = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement && event.target.matches("input,textarea,select");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      search.current?.focus();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  const withText = useEventsWith(filter.text.trim());
  const shown = useMemo(
    () => activity.rows.filter(matcher(filter, withText)),
    [version, filter, withText],
  );
  const types = useMemo(() => distinct(activity.rows.map(({ type }) => type)), [version]);
  const subscriptions = useMemo(
    () => distinct(activity.rows.map(({ subscription }) => subscription)),
    [version],
  );

  if (activity.rows.length === 0) return <NoActivity onPublish={props.onPublish} />;
  const rowAt = (index: number) => shown[shown.length - 1 - index];
  const activeIndex = shown.findIndex(({ number }) => number === active);
  return (
    <section class="live" aria-label="Live activity">
      <div class="toolbar">
        <label class="search">
          <Icon name="search" size={15} />
          <span class="visually-hidden">Search events and their data</span>
          <input
            ref={search}
            type="search"
            placeholder="Type, id, data…"
            value={filter.text}
            onInput={({ currentTarget }) => onFilter({ ...filter, text: currentTarget.value })}
          />
          <kbd>/</kbd>
        </label>
        <Select
          label="Type"
          all="All types"
          value={filter.type}
          options={types}
          onChange={(type) => onFilter({ ...filter, type })}
        />
        <Select
          label="Subscription"
          all="All subscriptions"
          value={filter.subscription}
          options={subscriptions}
          onChange={(subscription) => onFilter({ ...filter, subscription })}
        />
        <Segments
          label="Status"
          value={filter.status}
          segments={[
            { value: "all", label: "All" },
            { value: "accepted", label: "In" },
            { value: "delivered", label: "Delivered" },
            { value: "retrying", label: "Retrying" },
            { value: "failed", label: "Failed" },
          ]}
          onChange={(status) => onFilter({ ...filter, status })}
        />
        <span class="spacer" />
        <ActionButton
          class="button quiet"
          disabled={!shown.some(({ event }) => event !== undefined)}
          action={() => exportEvents([...new Set(shown.flatMap(({ event }) => event ?? []))])}
        >
          Export
        </ActionButton>
        <button type="button" class="button quiet" onClick={() => activity.clear()}>
          Clear
        </button>
      </div>
      {shown.length === 0 ? (
        <div class="empty">
          <p>Nothing matches these filters.</p>
          <button type="button" class="button" onClick={() => onFilter(NO_FILTER)}>
            Clear the filters
          </button>
        </div>
      ) : (
        <VirtualRows
          count={shown.length}
          added={shown.at(-1)?.number ?? 0}
          active={activeIndex < 0 ? undefined : shown.length - 1 - activeIndex}
          label="Events and deliveries, the newest first"
          head={<Head />}
          rowId={(index) => `row-${rowAt(index)?.number}`}
          onActive={(index) => setActive(rowAt(index)?.number)}
          onOpen={(index) => {
            const row = rowAt(index);
            if (row) props.onOpen(row);
          }}
          renderRow={(index, place) => {
            const row = rowAt(index);
            if (!row) return null;
            const { number } = row;
            return (
              <Row
                key={number}
                row={row}
                place={place}
                index={index}
                isActive={number === active}
                isSelected={props.selected !== undefined && row.event === props.selected}
                onClick={() => {
                  setActive(number);
                  props.onOpen(row);
                }}
              />
            );
          }}
        />
      )}
      <footer class="status-line">
        <span>
          {shown.length.toLocaleString("en")} of {activity.rows.length.toLocaleString("en")} rows
        </span>
        {activity.skipped > 0 && (
          <span>{activity.skipped.toLocaleString("en")} skipped, too fast to show</span>
        )}
        <span class="spacer" />
        <span class="hint">
          <kbd>↑</kbd> <kbd>↓</kbd> move <kbd>Enter</kbd> details <kbd>Esc</kbd> close
        </span>
      </footer>
    </section>
  );
}

const columns = [
  "Time",
  "Event",
  "Subject",
  "Topic",
  "Subscription",
  "Attempt",
  "Status",
  "Duration",
] as const;

function Head() {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid points to its active row instead
    // biome-ignore lint/a11y/useSemanticElements: a table cannot draw a part of its rows
    <div class="row head" role="row">
      {columns.map((column) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the grid points to its active row instead
        // biome-ignore lint/a11y/useSemanticElements: a table cannot draw a part of its rows
        <span
          key={column}
          role="columnheader"
          class={column === "Attempt" || column === "Duration" ? "number" : ""}
        >
          {column}
        </span>
      ))}
    </div>
  );
}

const kindIcons: Readonly<Record<ActivityRow["kind"], IconName>> = {
  event: "incoming",
  delivery: "outgoing",
  handshake: "handshake",
};

/** What stands for a topic in rows without one. */
function sourceOf({ kind, origin }: ActivityRow): string {
  if (kind === "handshake") return "";
  return origin === "storage" ? "Azurite" : "Azure service";
}

function Row(props: {
  row: ActivityRow;
  place: JSX.CSSProperties;
  index: number;
  isActive: boolean;
  isSelected: boolean;
  onClick: () => void;
}) {
  const { row } = props;
  const { label, tone } = outcomes[row.outcome];
  const what = row.kind === "handshake" ? "handshake" : row.type;
  const more = (row.eventCount ?? 1) > 1 ? ` +${(row.eventCount ?? 1) - 1}` : "";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its rows
    // biome-ignore lint/a11y/useFocusableInteractive: the grid points to its active row instead
    // biome-ignore lint/a11y/useSemanticElements: a table cannot draw a part of its rows
    <div
      class={`row ${row.kind} ${row.outcome}${props.isActive ? " active" : ""}${props.isSelected ? " selected" : ""}`}
      id={`row-${row.number}`}
      role="row"
      aria-rowindex={props.index + 1}
      aria-selected={props.isSelected}
      style={props.place}
      onClick={props.onClick}
    >
      <Cell class="time">{clockTime(row.at)}</Cell>
      <Cell class="type" title={`${what}${more}`}>
        <Icon
          name={row.outcome === "handshakeFailed" ? "refused" : kindIcons[row.kind]}
          size={14}
        />
        <span class="text">{what}</span>
        {more && <span class="count">{more}</span>}
      </Cell>
      <Cell title={row.subject}>
        {row.subject}
        {row.subscription && <span class="narrow muted"> → {row.subscription}</span>}
      </Cell>
      <Cell title={row.topic}>
        {row.topic ?? sourceOf(row)}
        {row.kind === "event" && row.origin === "replayed" && (
          <span class="muted"> · replayed</span>
        )}
      </Cell>
      <Cell title={row.subscription}>{row.subscription}</Cell>
      <Cell class="number">{row.attempt ?? ""}</Cell>
      <Cell class="status">
        <Badge tone={tone}>
          {row.status !== undefined && row.kind !== "event" && <b>{row.status}</b>} {label}
        </Badge>
      </Cell>
      <Cell class="number">{row.durationMs === undefined ? "" : duration(row.durationMs)}</Cell>
    </div>
  );
}

function Cell(props: { class?: string; title?: string | undefined; children?: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid points to its active row instead
    // biome-ignore lint/a11y/useSemanticElements: a table cannot draw a part of its rows
    <span role="gridcell" class={`cell ${props.class ?? ""}`} title={props.title}>
      {props.children}
    </span>
  );
}

function NoActivity({ onPublish }: { onPublish: () => void }) {
  return (
    <EmptyState icon="live" title="Waiting for the first event">
      <p>
        Events appear here as they are published, followed by every delivery attempt. These two
        commands create a topic and publish to it:
      </p>
      <Command>npx --no -- cloud-eventgrid-local topics create orders</Command>
      <Command>
        {`npx --no -- cloud-eventgrid-local publish --topic orders --type shop.order.placed --data '{"orderId":"17"}'`}
      </Command>
      <p>
        <button type="button" class="button primary" onClick={onPublish}>
          <Icon name="publish" size={15} />
          Publish an event
        </button>
      </p>
    </EmptyState>
  );
}

/** The numbers of the events whose text has these words. The cloud searches again every second. */
function useEventsWith(words: string): ReadonlySet<number> {
  const { value } = useLoaded(
    async () => new Set(words === "" ? [] : await call("GET search", { text: words })),
    `${words} ${useSeconds(words !== "")}`,
  );
  return useMemo(() => value ?? new Set(), [value]);
}

function matcher({ text, type, subscription, status }: LiveFilter, withText: ReadonlySet<number>) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = status === "all" ? undefined : statusOutcomes[status];
  return (row: ActivityRow) => {
    if (wanted && !wanted.includes(row.outcome)) return false;
    if (type !== "" && row.type !== type) return false;
    if (subscription !== "" && row.subscription !== subscription) return false;
    if (words.length === 0) return true;
    const content =
      `${row.type} ${row.subject} ${row.eventId} ${row.topic} ${row.subscription} ${row.status ?? ""}`.toLowerCase();
    if (words.every((word) => content.includes(word))) return true;
    return row.event !== undefined && withText.has(row.event);
  };
}
