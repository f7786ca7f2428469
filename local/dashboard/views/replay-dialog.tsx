import { useRef, useState } from "preact/hooks";
import type { ReplayMessage } from "../../src/commands/index.js";
import { call, type ReplayRequest, replay } from "../api.js";
import { Dialog, Icon, notify, Segments } from "../components.js";
import { useLoaded } from "../store.js";

type Speed = "1" | "10" | "60" | "max";

/** Replays files of events: recordings, dead letters, exports of this dashboard. */
export function ReplayDialog(props: {
  onClose: () => void;
  onReplay: (request: ReplayRequest) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [speed, setSpeed] = useState<Speed>("1");
  const { value: resources } = useLoaded(() => call("GET resources"), "replay");
  const { value: namespaces } = useLoaded(() => call("GET namespaces"), "replay");
  const topics = [
    ...[...(resources?.topics ?? []), ...(resources?.domains ?? [])].map(({ name }) => name),
    ...(namespaces ?? []).flatMap((namespace) =>
      namespace.topics.map(({ name }) => `${namespace.name}/${name}`),
    ),
  ];
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const topic = String(new FormData(event.currentTarget as HTMLFormElement).get("topic") ?? "");
    const texts = files.map(async (file) => ({ name: file.name, text: await file.text() }));
    props.onReplay({
      files: await Promise.all(texts),
      speed: speed === "max" ? "max" : Number(speed),
      ...(topic === "" ? {} : { topic }),
    });
    dialog.current?.close();
  };
  return (
    <Dialog dialog={dialog} title="Replay events" onClose={props.onClose} onSubmit={submit}>
      <p class="muted">
        Recordings of <code>cloud-eventgrid listen</code>, exports, dead letters, and files of
        events.
      </p>
      <label>
        Files
        <input
          type="file"
          multiple
          accept=".json,.ndjson,.jsonl,application/json"
          required
          onChange={({ currentTarget }) => setFiles([...(currentTarget.files ?? [])])}
        />
      </label>
      <label>
        Topic
        <select name="topic">
          <option value="">As recorded, or the only topic</option>
          {topics.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <Segments<Speed>
        label="Speed"
        value={speed}
        onChange={setSpeed}
        segments={[
          { value: "1", label: "As recorded" },
          { value: "10", label: "10 ×" },
          { value: "60", label: "60 ×" },
          { value: "max", label: "No pauses" },
        ]}
      />
      <footer class="dialog-foot">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button type="submit" class="button primary">
          <Icon name="play" size={14} />
          Replay
        </button>
      </footer>
    </Dialog>
  );
}

interface Replay {
  readonly replayed: number;
  readonly stop: () => void;
}

/** A replay that runs, and how to start one. Its result is shown when it ends. */
export function useReplay() {
  const [running, setRunning] = useState<Replay | undefined>();
  const start = async (request: ReplayRequest) => {
    const abort = new AbortController();
    const stop = () => abort.abort();
    setRunning({ replayed: 0, stop });
    try {
      const result = await replay(request, abort.signal, (replayed) =>
        setRunning({ replayed, stop }),
      );
      notify(summaryOf(result), result.skipped.length > 0 ? "bad" : "good");
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      notify(abort.signal.aborted ? "The replay was stopped." : message, "bad");
    } finally {
      setRunning(undefined);
    }
  };
  return { running, start };
}

/** Shows the progress of a replay. */
export function ReplayStatus({ replay }: { replay: Replay }) {
  return (
    <div class="replay-status" role="status">
      <span>
        Replaying: {replay.replayed.toLocaleString("en")}{" "}
        {replay.replayed === 1 ? "record" : "records"} so far
      </span>
      <button type="button" class="button small" onClick={replay.stop}>
        Stop
      </button>
    </div>
  );
}

type Result = Extract<ReplayMessage, { readonly result: unknown }>["result"];

const words: Readonly<Record<string, string>> = {
  deadLettered: "dead-lettered",
  filtered: "filtered out",
  notReady: "at subscriptions that were not ready",
};

function summaryOf({ events, skipped }: Result): string {
  const counts = new Map<string, number>();
  for (const { outcome } of events.flatMap(({ deliveries }) => deliveries)) {
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  const outcomes = [...counts].map(([outcome, count]) => `${count} ${words[outcome] ?? outcome}`);
  const replayed = `Replayed ${events.length} ${events.length === 1 ? "event" : "events"}`;
  const [first] = skipped;
  const problem = first
    ? ` ${skipped.length} skipped, for example ${first.place}: ${first.problem}.`
    : "";
  return `${[replayed, ...(outcomes.length > 0 ? [outcomes.join(", ")] : [])].join(": ")}.${problem}`;
}
