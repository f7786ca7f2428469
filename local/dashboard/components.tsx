import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { indentJson, type Tone } from "./format.js";

const paths = {
  live: "M3 12h4l3 8 4-16 3 8h4",
  resources: "M12 3 3 7.5l9 4.5 9-4.5L12 3ZM3 12l9 4.5 9-4.5M3 16.5 12 21l9-4.5",
  deadLetters:
    "M22 12h-6l-2 3h-4l-2-3H2M5.5 5.1 2 12v6a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-6l-3.5-6.9A2 2 0 0 0 16.8 4H7.2a2 2 0 0 0-1.7 1.1Z",
  namespaces: "M3 7h18v5H3zM3 12h18v5H3zM7 9.5h.01M7 14.5h.01M12 17v4M8 21h8",
  controls: "M4 21v-7M4 10V3M12 21v-9M12 8V3M20 21v-5M20 12V3M1.5 14h5M9.5 8h5M17.5 16h5",
  publish: "m22 2-7 20-4-9-9-4 20-7ZM22 2 11 13",
  close: "M18 6 6 18M6 6l12 12",
  copy: "M9 9h11a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1ZM4 15H3a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1h11a1 1 0 0 1 1 1v1",
  check: "M20 6 9 17l-5-5",
  search: "M11 19a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM21 21l-4.3-4.3",
  retry: "M3 12a9 9 0 0 1 15.5-6.2L21 8M21 3v5h-5M21 12a9 9 0 0 1-15.5 6.2L3 16M3 21v-5h5",
  incoming: "M19 12H5M11 6l-6 6 6 6",
  outgoing: "M5 12h14M13 6l6 6-6 6",
  handshake: "M9 12.5 11 15l4.5-5.5M12 22c5-2 8-5 8-10.500V5l-8-3-8 3v6.500C4 17 7 20 12 22Z",
  refused: "m9.500 9.500 5 5m0-5-5 5M12 22c5-2 8-5 8-10.500V5l-8-3-8 3v6.500C4 17 7 20 12 22Z",
  chevron: "m9 6 6 6-6 6",
  trash: "M3 6h18M8 6V4h8v2M6 6l1 15h10l1-15",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** A button that runs an action, and shows what it did or why it failed. */
export function ActionButton(props: {
  class: string;
  icon?: IconName;
  disabled?: boolean;
  /** Asked before an action that cannot be undone. */
  question?: string;
  /** @returns what to say when it is done */
  action: () => Promise<string>;
  onDone?: () => void;
  children: ComponentChildren;
}) {
  const { question, action, onDone } = props;
  const run = async () => {
    if (question && !confirm(question)) return;
    await attempt(action);
    onDone?.();
  };
  return (
    <button type="button" class={props.class} disabled={props.disabled} onClick={run}>
      {props.icon && <Icon name={props.icon} size={14} />}
      {props.children}
    </button>
  );
}

/** A row of a list of facts. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A button that copies a text and confirms it for a moment. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <button type="button" class="icon-button" onClick={copy} title={label} aria-label={label}>
      <Icon name={copied ? "check" : "copy"} size={14} />
    </button>
  );
}

/** Chooses one of some texts, or all. */
export function Select(props: {
  label: string;
  all: string;
  value: string;
  options: readonly string[];
  onChange: (value: string) => void;
}) {
  return (
    <select
      class={`select${props.value ? " set" : ""}`}
      aria-label={props.label}
      value={props.value}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
    >
      <option value="">{props.all}</option>
      {props.options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}

/** JSON with colours, with every digit as it was sent. Other text is shown unchanged. */
export function Code({ text, label }: { text: string; label: string }) {
  const isJson = useMemo(() => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  }, [text]);
  // A megabyte of coloured spans would freeze the page.
  const coloured = isJson && text.length < 200_000;
  return (
    <section class="code" aria-label={label}>
      <CopyButton text={text} label={`Copy ${label}`} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long code must be scrollable by keyboard */}
      <pre tabIndex={0}>
        {coloured
          ? indentJson(text).map(({ text: token, kind }) =>
              kind === "space" || kind === "punctuation" ? (
                token
              ) : (
                <span class={kind}>{token}</span>
              ),
            )
          : text}
      </pre>
    </section>
  );
}

export function EmptyState({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children: ComponentChildren;
}) {
  return (
    <div class="empty">
      <div class="empty-icon">
        <Icon name={icon} size={26} />
      </div>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A shell command that can be copied. */
export function Command({ children }: { children: string }) {
  return (
    <div class="command">
      <code>{children}</code>
      <CopyButton text={children} label="Copy the command" />
    </div>
  );
}

export interface Segment<T extends string> {
  readonly value: T;
  readonly label: ComponentChildren;
}

/** Choices of which one is active: arrow keys move between them, as between radio buttons. */
export function Segments<T extends string>(props: {
  label: string;
  value: T;
  segments: readonly Segment<T>[];
  onChange: (value: T) => void;
}) {
  const group = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = props.segments.findIndex(({ value }) => value === props.value);
    const next = (index + step + props.segments.length) % props.segments.length;
    const segment = props.segments[next];
    if (segment) props.onChange(segment.value);
    group.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div class="segments" role="radiogroup" aria-label={props.label} ref={group} onKeyDown={move}>
      {props.segments.map(({ value, label }) => (
        // biome-ignore lint/a11y/useSemanticElements: buttons of a radio group can hold counts and icons
        <button
          type="button"
          key={value}
          role="radio"
          aria-checked={value === props.value}
          tabIndex={value === props.value ? 0 : -1}
          onClick={() => props.onChange(value)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

interface Toast {
  readonly text: string;
  readonly tone: "good" | "bad";
}

let showToast: (toast: Toast) => void = () => {};

/** Shows the result of an action, and announces it to screen readers. */
export function notify(text: string, tone: Toast["tone"] = "good"): void {
  showToast({ text, tone });
}

/** Runs an action and shows its error if it fails. */
export async function attempt(action: () => Promise<string>): Promise<void> {
  try {
    notify(await action());
  } catch (error) {
    notify(error instanceof Error ? error.message : String(error), "bad");
  }
}

/** A modal dialog whose content is a form. */
export function FormDialog(props: {
  dialog: RefObject<HTMLDialogElement>;
  title: string;
  onClose: () => void;
  onSubmit: (event: SubmitEvent) => void;
  children: ComponentChildren;
}) {
  const { dialog, title } = props;
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={titleId} onClose={props.onClose}>
      <form class="form" onSubmit={props.onSubmit}>
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <button
            type="button"
            class="icon-button"
            aria-label="Close"
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </header>
        {props.children}
      </form>
    </dialog>
  );
}

export function Toasts() {
  const [toast, setToast] = useState<Toast | undefined>();
  showToast = setToast;
  useEffect(() => {
    const timer = setTimeout(() => setToast(undefined), toast?.tone === "bad" ? 8_000 : 3_500);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toast && (
        <div class={`toast ${toast.tone}`}>
          <span>{toast.text}</span>
          <button
            type="button"
            class="icon-button"
            aria-label="Dismiss"
            onClick={() => setToast(undefined)}
          >
            <Icon name="close" size={14} />
          </button>
        </div>
      )}
    </div>
  );
}
