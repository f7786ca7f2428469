import { useRef, useState } from "preact/hooks";
import {
  contentTypeOf,
  namespaceTargets,
  newEvent,
  type PublishTarget,
  topicTarget,
} from "../../src/dashboard/publishing.js";
import { call, type Overview, send } from "../api.js";
import { Command, FormDialog, Icon, Segments } from "../components.js";
import { useLoaded } from "../store.js";

type Mode = "custom" | "system" | "raw";

/** Publishes an event of the user, an event of an Azure service, or unchanged JSON. */
export function PublishDialog(props: {
  overview: Overview;
  onClose: () => void;
  /** Called with the event's `id` once it is accepted. */
  onPublished: (eventId: string | undefined) => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [mode, setMode] = useState<Mode>("custom");
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const { value: groups } = useLoaded(loadTargets, "publish");

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const field = (name: string) => String(form.get(name) ?? "");
    setBusy(true);
    setError("");
    try {
      const topic = groups
        ?.flatMap(({ targets }) => targets)
        .find(({ id }) => id === field("topic"));
      props.onPublished(await publish(mode, topic, field));
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    } finally {
      setBusy(false);
    }
  };
  const noTopics = groups?.every(({ targets }) => targets.length === 0);
  return (
    <FormDialog dialog={dialog} title="Publish an event" onClose={props.onClose} onSubmit={submit}>
      <Segments<Mode>
        label="Kind of event"
        value={mode}
        onChange={setMode}
        segments={[
          { value: "custom", label: "Custom event" },
          { value: "system", label: "Azure service" },
          { value: "raw", label: "Raw JSON" },
        ]}
      />
      {mode !== "system" && noTopics ? (
        <>
          <p class="muted">There is no topic to publish to. Create one:</p>
          <Command>npx --no -- cloud-eventgrid-local topics create orders</Command>
        </>
      ) : (
        <>
          {mode !== "system" && groups && (
            <TopicField groups={groups} choosesDomainTopic={mode === "custom"} />
          )}
          {mode === "custom" && <CustomFields />}
          {mode === "system" && <SystemFields overview={props.overview} />}
          {mode === "raw" && <RawField />}
          {error && (
            <p class="form-error" role="alert">
              {error}
            </p>
          )}
          <footer class="dialog-foot">
            <button type="button" class="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button type="submit" class="button primary" disabled={busy}>
              <Icon name="publish" size={15} />
              Publish
            </button>
          </footer>
        </>
      )}
    </FormDialog>
  );
}

interface TargetGroup {
  /** Missing for topics. */
  readonly label?: string;
  readonly targets: readonly PublishTarget[];
}

async function loadTargets(): Promise<TargetGroup[]> {
  const [{ topics, domains }, namespaces] = await Promise.all([
    call("GET resources"),
    call("GET namespaces"),
  ]);
  return [
    { targets: topics.map(topicTarget) },
    { label: "Domains", targets: domains.map(topicTarget) },
    ...namespaces.map((namespace) => ({
      label: `Namespace ${namespace.name}`,
      targets: namespaceTargets(namespace),
    })),
  ];
}

function TopicField(props: {
  groups: readonly TargetGroup[];
  /** Whether the form writes the event, and so the topic that it chooses in a domain. */
  choosesDomainTopic: boolean;
}) {
  const targets = props.groups.flatMap((group) => group.targets);
  const [chosen, setChosen] = useState(targets[0]?.id ?? "");
  const domainTopics = targets.find(({ id }) => id === chosen)?.domainTopics;
  return (
    <>
      <label>
        Topic
        <select
          name="topic"
          required
          value={chosen}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          {props.groups.map(({ label, targets }) => {
            const options = targets.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ));
            if (label === undefined || options.length === 0) return options;
            return (
              <optgroup key={label} label={label}>
                {options}
              </optgroup>
            );
          })}
        </select>
      </label>
      {domainTopics && props.choosesDomainTopic && (
        <label>
          Topic of the domain
          <input name="domainTopic" required list="domain-topics" autocomplete="off" />
          <datalist id="domain-topics">
            {domainTopics.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </label>
      )}
    </>
  );
}

function CustomFields() {
  return (
    <>
      <div class="field-row">
        <label class="wide">
          Type
          <input name="type" required placeholder="shop.order.placed" autocomplete="off" />
        </label>
        <label class="wide">
          Subject
          <input name="subject" placeholder="orders/17" autocomplete="off" />
        </label>
      </div>
      <label>
        Source
        <input name="source" placeholder="/dashboard" autocomplete="off" />
      </label>
      <label>
        Data
        <textarea name="data" rows={7} spellcheck={false} placeholder={'{ "orderId": "17" }'} />
      </label>
    </>
  );
}

function SystemFields({ overview }: { overview: Overview }) {
  const { subscriptionId, systemEventTypes } = overview;
  const [type, setType] = useState(systemEventTypes[0]?.type ?? "");
  const resourceType = systemEventTypes.find((each) => each.type === type)?.resourceType;
  const group = `/subscriptions/${subscriptionId}/resourceGroups/shop`;
  return (
    <>
      <label>
        Type
        <select
          name="type"
          value={type}
          onChange={({ currentTarget }) => setType(currentTarget.value)}
        >
          {typesByService(systemEventTypes).map(([service, types]) => (
            <optgroup key={service} label={service}>
              {types.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <label>
        Resource
        <input
          key={resourceType ?? ""}
          name="scope"
          required
          spellcheck={false}
          defaultValue={resourceType ? `${group}/providers/${resourceType}/example` : group}
        />
      </label>
      <label>
        Subject
        <input name="subject" placeholder="as the service writes it" autocomplete="off" />
      </label>
      <label>
        Fields of data that replace the sample's
        <textarea name="data" rows={4} spellcheck={false} placeholder="{}" />
      </label>
    </>
  );
}

/** The types by service, such as `Microsoft.Storage`, in alphabetical order. */
function typesByService(types: Overview["systemEventTypes"]): [string, string[]][] {
  const services = new Map<string, string[]>();
  for (const { type } of types) {
    const service = type.split(".").slice(0, 2).join(".");
    services.set(service, [...(services.get(service) ?? []), type]);
  }
  return [...services].sort(([a], [b]) => a.localeCompare(b));
}

function RawField() {
  return (
    <label>
      An event, or an array of events
      <textarea
        name="raw"
        rows={12}
        required
        spellcheck={false}
        defaultValue={`{
  "specversion": "1.0",
  "id": "${crypto.randomUUID()}",
  "source": "/dashboard",
  "type": "shop.order.placed",
  "subject": "orders/17",
  "data": { "orderId": "17" }
}`}
      />
    </label>
  );
}

async function publish(
  mode: Mode,
  topic: PublishTarget | undefined,
  field: (name: string) => string,
): Promise<string | undefined> {
  if (mode === "system") {
    const { id } = await call("POST emit", {
      type: field("type"),
      scope: field("scope"),
      subject: field("subject") || undefined,
      // The command checks that it is an object.
      data: parsed(field("data")) as Readonly<Record<string, unknown>> | undefined,
    });
    return id;
  }
  if (!topic) throw new Error("Choose a topic.");
  if (mode === "raw") {
    const text = field("raw");
    const value: unknown = parsed(text);
    await send(topic, contentTypeOf(topic, text), text);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === "object" && first && "id" in first ? String(first.id) : undefined;
  }
  const domainTopic = field("domainTopic") || undefined;
  const event = {
    type: field("type"),
    subject: field("subject") || undefined,
    source: domainTopic ?? (field("source") || undefined),
    data: parsed(field("data")),
    domainTopic,
  };
  const { id, text } = newEvent(topic, event, "/dashboard");
  await send(topic, contentTypeOf(topic, text), text);
  return id;
}

function parsed(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(
      `The data is not valid JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
}
