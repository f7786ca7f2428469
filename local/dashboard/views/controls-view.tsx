import { useState } from "preact/hooks";
import type { Overview } from "../../src/dashboard/protocol.js";
import { api } from "../api.js";
import { attempt, Badge, confirm, Icon } from "../components.js";
import { dateTime } from "../format.js";
import { activity, useActivity, useLoaded, useSeconds } from "../store.js";

/** Controls for faults, the clock and the keys. */
export function ControlsView({ overview }: { overview: Overview }) {
  return (
    <div class="page controls">
      <Faults />
      <div class="column">
        <Deliveries />
        <Keys />
        <ClockControl kind={overview.clock} />
      </div>
    </div>
  );
}

const faultKinds = {
  "deliveries/status": "Webhooks answer with a status",
  "deliveries/unreachable": "Webhooks are unreachable",
  "deliveries/loseResponse": "Responses of webhooks are lost",
  publishing: "Topics refuse events",
  "receiving/status": "Receivers get a status",
  "receiving/loseResponse": "Responses to receivers are lost",
  duplicates: "Events are delivered twice",
  reordering: "Events are delivered in random order",
  issuer: "Entra is unreachable",
} as const;

type FaultKind = keyof typeof faultKinds;

function Faults() {
  const { value: faults = [], reload } = useLoaded(api.faults, activity.version);
  const [kind, setKind] = useState<FaultKind>("deliveries/status");
  const takesStatus = kind === "publishing" || kind.endsWith("/status");
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(form.get(name) ?? "").trim() || undefined;
    const number = (name: string) => (text(name) === undefined ? undefined : Number(text(name)));
    const [path = "", flag] = kind.split("/");
    const settings = {
      ...(takesStatus ? { status: number("status") } : {}),
      ...(flag && flag !== "status" ? { [flag]: true } : {}),
      times: number("times"),
      subscription: text("subscription"),
    };
    await attempt(async () => {
      await api.addFault(path, settings);
      return "The fault is in force.";
    });
    reload();
  };
  const takesSubscription = kind.includes("/") || kind === "duplicates";
  const takesTimes = kind !== "reordering" && kind !== "issuer";
  return (
    <section class="card" aria-label="Faults">
      <header>
        <span class="card-title">Faults</span>
        <span class="spacer" />
        {faults.length > 0 && (
          <button
            type="button"
            class="button small"
            onClick={async () => {
              await attempt(async () => {
                await api.clearFaults();
                return "No faults are in force.";
              });
              reload();
            }}
          >
            Clear all
          </button>
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
            value={kind}
            onChange={({ currentTarget }) => setKind(currentTarget.value as FaultKind)}
          >
            {Object.entries(faultKinds).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <div class="field-row">
          {takesStatus && (
            <label>
              Status
              <input name="status" type="number" min="100" max="599" value="503" required />
            </label>
          )}
          {takesTimes && (
            <label>
              Times
              <input name="times" type="number" min="1" placeholder="until cleared" />
            </label>
          )}
          {takesSubscription && (
            <label class="wide">
              Event subscription
              <input name="subscription" placeholder="all" />
            </label>
          )}
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

function Keys() {
  const rotate = (retire: boolean) =>
    attempt(async () => {
      await api.rotateKeys(retire);
      return retire
        ? "Tokens are signed with a new key. Tokens of the old keys are invalid."
        : "Tokens are signed with a new key. The old key stays published.";
    });
  return (
    <section class="card" aria-label="Signing keys">
      <header>
        <span class="card-title">Signing keys</span>
      </header>
      <p class="card-note muted">
        Entra signs the tokens of deliveries. Rotate its key to check that your listener fetches the
        new one.
      </p>
      <div class="actions">
        <button type="button" class="button" onClick={() => rotate(false)}>
          <Icon name="key" size={14} /> Rotate
        </button>
        <button
          type="button"
          class="button danger"
          onClick={async () => {
            const isConfirmed = await confirm({
              question: "Withdraw the old signing keys?",
              consequence: "All tokens that they signed are invalid from now on.",
              action: "Rotate and withdraw",
            });
            if (isConfirmed) await rotate(true);
          }}
        >
          Rotate and withdraw the old keys
        </button>
      </div>
    </section>
  );
}

function ClockControl({ kind }: { kind: Overview["clock"] }) {
  useActivity();
  useSeconds();
  const step = (seconds: number, label: string) =>
    attempt(async () => {
      await api.advance(seconds);
      return `The clock moved by ${label}.`;
    });
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
            <button type="button" class="button" key={label} onClick={() => step(seconds, label)}>
              {label}
            </button>
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
        <button
          type="button"
          class="button"
          disabled={activity.pending === 0}
          onClick={() =>
            attempt(async () => {
              const { deliveries } = await api.retry();
              return `Retried ${deliveries} ${deliveries === 1 ? "delivery" : "deliveries"}.`;
            })
          }
        >
          <Icon name="retry" size={14} /> Retry all now
        </button>
        <button
          type="button"
          class="button danger"
          onClick={async () => {
            const isConfirmed = await confirm({
              question: "Reset the local Azure?",
              consequence: "The history, pending events and faults are lost.",
              action: "Reset",
            });
            if (!isConfirmed) return;
            await attempt(async () => {
              await api.reset();
              activity.clear();
              return "The history, pending events and faults are cleared.";
            });
          }}
        >
          <Icon name="trash" size={14} /> Reset
        </button>
      </div>
      <p class="card-note muted">
        Reset clears the history and pending events. Topics, subscriptions and applications stay.
      </p>
    </section>
  );
}
