import { useRef, useState } from "preact/hooks";
import type { DomainDetails, Overview, TopicDetails } from "../../src/dashboard/protocol.js";
import { api } from "../api.js";
import { Command, Dialog, Icon, Segments } from "../components.js";
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
  const { value: resources } = useLoaded(api.resources, "publish");

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const field = (name: string) => String(form.get(name) ?? "");
    setBusy(true);
    setError("");
    try {
      const topic = [...(resources?.topics ?? []), ...(resources?.domains ?? [])].find(
        ({ id }) => id === field("topic"),
      );
      props.onPublished(await publish(mode, topic, field));
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    } finally {
      setBusy(false);
    }
  };
  const noTopics = resources?.topics.length === 0 && resources.domains.length === 0;
  return (
    <Dialog dialog={dialog} title="Publish an event" onClose={props.onClose} onSubmit={submit}>
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
          <Command>npx cloud-eventgrid-local topics create orders</Command>
        </>
      ) : (
        <>
          {mode !== "system" && resources && (
            <TopicField
              topics={resources.topics}
              domains={resources.domains}
              choosesDomainTopic={mode === "custom"}
            />
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
    </Dialog>
  );
}

function TopicField(props: {
  topics: readonly TopicDetails[];
  domains: readonly DomainDetails[];
  /** Whether the form writes the event, and so the topic that it chooses in a domain. */
  choosesDomainTopic: boolean;
}) {
  const { topics, domains } = props;
  const [chosen, setChosen] = useState((topics[0] ?? domains[0])?.id ?? "");
  const domain = domains.find(({ id }) => id === chosen);
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
          {topics.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          {domains.length > 0 && (
            <optgroup label="Domains">
              {domains.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </label>
      {domain && props.choosesDomainTopic && (
        <label>
          Topic of the domain
          <input name="domainTopic" required list="domain-topics" autocomplete="off" />
          <datalist id="domain-topics">
            {domain.domainTopics.map((name) => (
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
  topic: TopicDetails | undefined,
  field: (name: string) => string,
): Promise<string | undefined> {
  if (mode === "system") {
    const { id } = await api.emit({
      type: field("type"),
      scope: field("scope"),
      subject: field("subject") || undefined,
      data: parsed(field("data")),
    });
    return id;
  }
  if (!topic) throw new Error("Choose a topic.");
  if (mode === "raw") {
    const text = field("raw");
    const value: unknown = parsed(text);
    await api.publish(topic, contentTypeOf(topic.inputSchema, Array.isArray(value)), text);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === "object" && first && "id" in first ? String(first.id) : undefined;
  }
  const id = crypto.randomUUID();
  const data = parsed(field("data"));
  const subject = field("subject");
  const domainTopic = field("domainTopic");
  const isCloudEvent = topic.inputSchema === "CloudEventSchemaV1_0";
  const event = isCloudEvent
    ? {
        specversion: "1.0",
        id,
        source: domainTopic || field("source") || "/dashboard",
        type: field("type"),
        ...(subject ? { subject } : {}),
        time: new Date().toISOString(),
        ...(data === undefined ? {} : { data }),
      }
    : {
        id,
        ...(domainTopic ? { topic: domainTopic } : {}),
        eventType: field("type"),
        subject: subject || "dashboard",
        eventTime: new Date().toISOString(),
        data: data ?? {},
        dataVersion: "1.0",
      };
  const text = JSON.stringify(isCloudEvent ? event : [event]);
  await api.publish(topic, contentTypeOf(topic.inputSchema, !isCloudEvent), text);
  return id;
}

function contentTypeOf(inputSchema: string, isArray: boolean): string {
  if (inputSchema !== "CloudEventSchemaV1_0") return "application/json";
  return `application/cloudevents${isArray ? "-batch" : ""}+json`;
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
