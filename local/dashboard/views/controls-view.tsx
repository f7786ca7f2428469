import { useState } from "preact/hooks";
import { FAULT_BEGUN, FAULTS_ENDED, RESET } from "../../src/commands/texts.js";
import { call, type Overview, retry } from "../api.js";
import { ActionButton, attempt, Badge } from "../components.js";
import { dateTime } from "../format.js";
import { activity, useActivity, useLoaded, useSeconds } from "../store.js";

/** Controls for faults and the clock. */
export function ControlsView({ overview }: { overview: Overview }) {
  return (
    <div class="page controls">
      <Faults forms={overview.faults} />
      <div class="column">
        <Deliveries />
        <ClockControl kind={overview.clock} />
      </div>
    </div>
  );
}

type FaultForm = Overview["faults"][number];
type Field = FaultForm["fields"][number];

function Faults({ forms }: { forms: readonly FaultForm[] }) {
  const { value: faults = [], reload } = useLoaded(() => call("GET faults"), activity.version);
  const [chosen, setChosen] = useState(0);
  const { kind, flag, fields } = forms[chosen] ?? { kind: "", fields: [] };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const settings = {
      ...Object.fromEntries(fields.map((field) => [field.name, settingIn(form, field)])),
      ...(flag === undefined ? {} : { [flag]: true }),
    };
    await attempt(async () => {
      await call(`POST faults/${kind}` as "POST faults/deliveries", settings);
      return FAULT_BEGUN;
    });
    reload();
  };
  return (
    <section class="card" aria-label="Faults">
      <header>
        <span class="card-title">Faults</span>
        <span class="spacer" />
        {faults.length > 0 && (
          <ActionButton
            class="button small"
            action={async () => {
              await call("DELETE faults");
              return FAULTS_ENDED;
            }}
            onDone={reload}
          >
            Clear all
          </ActionButton>
        )}
      </header>
      {faults.length === 0 ? (
        <p class="card-note muted">
          No faults are in force. Add one to test how your service handles it.
        </p>
      ) : (
        <ul class="plain faults">
          {faults.map((fault, index) => (
            <li key={index}>
              <Badge tone="warn">{fault.kind}</Badge> <code>{JSON.stringify(fault.settings)}</code>
              {fault.remaining !== undefined && <span class="muted"> {fault.remaining} left</span>}
            </li>
          ))}
        </ul>
      )}
      <form class="form" onSubmit={submit}>
        <label>
          Fault
          <select
            value={chosen}
            onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
          >
            {forms.map(({ label }, index) => (
              <option key={label} value={index}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <div class="field-row">
          {fields.map((field) => (
            <FaultField key={`${kind} ${field.name}`} field={field} />
          ))}
        </div>
        <div>
          <button type="submit" class="button primary">
            Add the fault
          </button>
        </div>
      </form>
    </section>
  );
}

/** A field of the form; its value is text. */
function FaultField({ field: { name, kind, help, choices, isRequired } }: { field: Field }) {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const label = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  const id = `fault-${name}`;
  return (
    <label class={kind === "text" ? "wide" : undefined} htmlFor={id}>
      {kind === "duration" ? `${label} in seconds` : label}
      {choices ? (
        <select id={id} name={name}>
          <option value="">all</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          name={name}
          type={kind === "text" ? "text" : "number"}
          value={name === "status" ? "503" : undefined}
          title={help}
          placeholder={/default: ([^)]+)/.exec(help)?.[1]}
          required={isRequired}
        />
      )}
    </label>
  );
}

function settingIn(form: FormData, { name, kind }: Field): unknown {
  const text = String(form.get(name) ?? "").trim();
  if (text === "") return undefined;
  if (kind === "duration") return { seconds: Number(text) };
  return kind === "number" ? Number(text) : text;
}

function ClockControl({ kind }: { kind: Overview["clock"] }) {
  useActivity();
  useSeconds();
  return (
    <section class="card" aria-label="Clock">
      <header>
        <span class="card-title">Clock</span>
        <Badge tone={kind === "stepped" ? "warn" : "muted"}>{kind}</Badge>
        <span class="spacer" />
        <span class="mono muted">{dateTime(activity.now())}</span>
      </header>
      {kind === "stepped" ? (
        <div class="actions">
          {(
            [
              [10, "10 seconds"],
              [60, "1 minute"],
              [3_600, "1 hour"],
              [86_400, "1 day"],
            ] as const
          ).map(([seconds, label]) => (
            <ActionButton
              key={label}
              class="button"
              action={async () => {
                await call("POST advance", { seconds });
                return `The clock moved by ${label}.`;
              }}
            >
              {label}
            </ActionButton>
          ))}
        </div>
      ) : (
        <p class="card-note muted">
          {kind === "scaled" ? "It runs faster than the wall clock." : "It follows the wall clock."}{" "}
          Start with <code>--clock stepped</code> to move it by hand, so that a day of retries takes
          no time.
        </p>
      )}
    </section>
  );
}

function Deliveries() {
  useActivity();
  return (
    <section class="card" aria-label="Deliveries">
      <header>
        <span class="card-title">Deliveries</span>
        <span class="spacer" />
        <span class="muted">{activity.pending} pending</span>
      </header>
      <div class="actions">
        <ActionButton
          class="button"
          icon="retry"
          disabled={activity.pending === 0}
          action={() => retry({})}
        >
          Retry all now
        </ActionButton>
        <ActionButton
          class="button danger"
          icon="trash"
          question="Reset the local Azure? The history, pending events and faults are lost."
          action={async () => {
            await call("POST reset");
            activity.clear();
            return RESET;
          }}
        >
          Reset
        </ActionButton>
      </div>
      <p class="card-note muted">
        Reset clears the history and pending events. Topics, subscriptions and applications stay.
      </p>
    </section>
  );
}
