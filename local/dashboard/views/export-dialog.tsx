import { useRef, useState } from "preact/hooks";
import { call } from "../api.js";
import { attempt, Dialog } from "../components.js";
import { clockTime } from "../format.js";

/** An event that can be exported. */
export interface Exportable {
  /** Its number in the activity log. */
  readonly number: number;
  readonly at: string;
  readonly type: string | undefined;
  readonly subject: string | undefined;
}

/** More boxes would slow the page down. */
const MOST_BOXES = 200;

/** Saves a selection of events, to replay them later or in a test. */
export function ExportDialog(props: {
  /** The newest first. */
  events: readonly Exportable[];
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Events that arrive while the dialog is open are not selected behind the user's back.
  const [events] = useState(props.events);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const chosen = events.filter(({ number }) => !left.has(number));
  const toggle = (number: number) => {
    const next = new Set(left);
    if (!next.delete(number)) next.add(number);
    setLeft(next);
  };
  const save = (as: "recording" | "testCase") => () =>
    attempt(async () => {
      const { name, text } = await call("POST export", {
        events: chosen.map(({ number }) => number),
        as,
      });
      download(name, text);
      dialog.current?.close();
      return `Saved ${name}.`;
    });
  const unlisted = events.length - MOST_BOXES;
  return (
    <Dialog
      dialog={dialog}
      title={`Export ${chosen.length.toLocaleString("en")} ${chosen.length === 1 ? "event" : "events"}`}
      onClose={props.onClose}
    >
      <p class="muted">
        With the retries and duplicates of each. JSON can be replayed here or with{" "}
        <code>cloud-eventgrid-local replay</code>; the test case is a file for Vitest that replays
        the events to your service.
      </p>
      <fieldset class="choices">
        <legend>Events</legend>
        {events.slice(0, MOST_BOXES).map(({ number, at, type, subject }) => (
          <label key={number}>
            <input type="checkbox" checked={!left.has(number)} onChange={() => toggle(number)} />
            <span class="mono muted">{clockTime(at)}</span>
            <span>
              {type} {subject}
            </span>
          </label>
        ))}
        {unlisted > 0 && <p class="muted">and {unlisted.toLocaleString("en")} older events</p>}
      </fieldset>
      <footer class="dialog-foot">
        <button
          type="button"
          class="button"
          disabled={chosen.length === 0}
          onClick={save("recording")}
        >
          Export as JSON
        </button>
        <button
          type="button"
          class="button primary"
          disabled={chosen.length === 0}
          onClick={save("testCase")}
        >
          Save as test case
        </button>
      </footer>
    </Dialog>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text]));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by the next turn.
  setTimeout(() => URL.revokeObjectURL(url));
}
