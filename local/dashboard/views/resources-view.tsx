import { useState } from "preact/hooks";
import type {
  DomainDetails,
  Resources,
  SubscriptionDetails,
  TopicDetails,
} from "../../src/dashboard/index.js";
import { call } from "../api.js";
import { ActionButton, Badge, Command, EmptyState, Fact, Segments } from "../components.js";
import { duration } from "../format.js";
import { useActivity, useLoaded } from "../store.js";
import { Copyable, CopyableFact, KeyFacts } from "./copyable.js";

const tabNames = {
  topics: "Topics",
  domains: "Domains",
  subscriptions: "Event subscriptions",
} as const satisfies Record<keyof Resources, string>;

type Tab = keyof typeof tabNames;

const tabs = Object.keys(tabNames) as Tab[];

/** All resources, with keys to copy. */
export function ResourcesView() {
  const version = useActivity();
  const [tab, setTab] = useState<Tab>("topics");
  const { value, error, reload } = useLoaded(() => call("GET resources"), version);
  if (!value) return <p class="note muted">{error?.message ?? "Loading…"}</p>;
  return (
    <div class="page">
      <Segments<Tab>
        label="Kind of resource"
        value={tab}
        onChange={setTab}
        segments={tabs.map((tab) => ({
          value: tab,
          label: (
            <>
              {tabNames[tab]} <span class="count">{value[tab].length}</span>
            </>
          ),
        }))}
      />
      <TabContent tab={tab} resources={value} reload={reload} />
    </div>
  );
}

function TabContent(props: { tab: Tab; resources: Resources; reload: () => void }) {
  const { tab, resources, reload } = props;
  if (resources[tab].length === 0) return <Nothing tab={tab} />;
  switch (tab) {
    case "topics":
    case "domains":
      return (
        <div class="cards">
          {resources[tab].map((topic) => (
            <TopicCard key={topic.id} topic={topic} />
          ))}
        </div>
      );
    case "subscriptions":
      return (
        <div class="cards">
          {resources.subscriptions.map((subscription) => (
            <SubscriptionCard
              key={subscription.id}
              subscription={subscription}
              onChanged={reload}
            />
          ))}
        </div>
      );
  }
}

function TopicCard({ topic }: { topic: TopicDetails | DomainDetails }) {
  const domainTopics = "domainTopics" in topic ? topic.domainTopics : undefined;
  return (
    <section class="card" aria-label={`${domainTopics ? "Domain" : "Topic"} ${topic.name}`}>
      <header>
        <span class="card-title">{topic.name}</span>
        <Badge tone="info">{schemaNames[topic.inputSchema] ?? topic.inputSchema}</Badge>
        {!topic.localAuthEnabled && <Badge tone="warn">keys disabled</Badge>}
        <span class="spacer" />
        <span class="muted">
          {topic.resourceGroup} · {topic.location}
        </span>
      </header>
      <dl class="facts">
        <CopyableFact name="Endpoint" text={topic.endpoint} label="Copy the endpoint" />
        <CopyableFact name="Host name" text={topic.hostName} label="Copy the host name" />
        <KeyFacts owner={topic} />
        <CopyableFact name="Resource ID" text={topic.id} label="Copy the resource ID" />
        {domainTopics && (
          <Fact name="Topics">{domainTopics.join(", ") || <span class="muted">none</span>}</Fact>
        )}
        <Fact name="Subscriptions">{topic.subscriptions}</Fact>
      </dl>
    </section>
  );
}

const schemaNames: Readonly<Record<string, string>> = {
  CloudEventSchemaV1_0: "CloudEvents 1.0",
  EventGridSchema: "Event Grid schema",
  CustomEventSchema: "Custom schema",
};

function SubscriptionCard(props: { subscription: SubscriptionDetails; onChanged: () => void }) {
  const { subscription } = props;
  const tone = { Succeeded: "good", Failed: "bad" } as const;
  const state = subscription.state as keyof typeof tone;
  const isWebhook = subscription.endpointType === "WebHook";
  const hasHandshake = isWebhook || subscription.endpointType === "AzureFunction";
  return (
    <section class="card" aria-label={`Event subscription ${subscription.name}`}>
      <header>
        <span class="card-title">{subscription.name}</span>
        <Badge tone={tone[state] ?? "warn"}>{subscription.state}</Badge>
        <span class="spacer" />
        {hasHandshake && (
          <ActionButton
            class="button small"
            action={async () => {
              await call("POST handshake", { subscription: subscription.id });
              return `${subscription.name}: the ${isWebhook ? "webhook" : "function"} consented.`;
            }}
            onDone={props.onChanged}
          >
            Repeat handshake
          </ActionButton>
        )}
      </header>
      {subscription.failure && <p class="card-note error-text">{subscription.failure}</p>}
      {subscription.validationUrl && (
        <p class="card-note">
          The webhook did not return the validation code. Open the validation URL within ten minutes
          of the handshake.
        </p>
      )}
      <dl class="facts">
        <Fact name="Deliveries">
          <DeliveriesText deliveries={subscription.deliveries} />
        </Fact>
        <Fact name={isWebhook ? "Webhook" : subscription.endpointType}>
          <span class="mono break">{subscription.endpoint}</span>
          {subscription.routedTo && <span class="muted"> → {subscription.routedTo}</span>}
        </Fact>
        {subscription.validationUrl && (
          <CopyableFact
            name="Validation URL"
            text={subscription.validationUrl}
            label="Copy the validation URL"
          />
        )}
        <Fact name="Scope">
          {subscription.topic ?? <span class="mono break">{subscription.scope}</span>}
        </Fact>
        {isWebhook && (
          <Fact name="Protected by">
            {subscription.clientId ? (
              <Copyable text={subscription.clientId} label="Copy the client ID" />
            ) : (
              <span class="muted">nothing: deliveries carry no token</span>
            )}
          </Fact>
        )}
        <Fact name="Filter">
          <FilterText filter={subscription.filter} />
        </Fact>
        <Fact name="Retries">
          up to {subscription.maxDeliveryAttempts} attempts within{" "}
          {duration(subscription.eventTimeToLiveInMinutes * 60_000)}
        </Fact>
        {subscription.batching.maxEventsPerBatch > 1 && (
          <Fact name="Batches">up to {subscription.batching.maxEventsPerBatch} events</Fact>
        )}
        <Fact name="Dead letters">
          {subscription.deadLetterContainer ?? <span class="muted">dropped</span>}
        </Fact>
      </dl>
    </section>
  );
}

/** Of the attempts in the history: how many succeeded and failed, and how long a success takes. */
function DeliveriesText({ deliveries }: Pick<SubscriptionDetails, "deliveries">) {
  if (!deliveries) return <span class="muted">none</span>;
  const { delivered, failed, medianMs } = deliveries;
  return (
    <>
      {delivered.toLocaleString("en")} delivered,{" "}
      <span class={failed > 0 ? "error-text" : ""}>{failed.toLocaleString("en")} failed</span>
      {medianMs !== undefined && <span class="muted"> · median {duration(medianMs)}</span>}
    </>
  );
}

function FilterText({ filter }: { filter: Readonly<Record<string, unknown>> }) {
  const conditions = Object.entries(filter).flatMap(([name, value]) => {
    if (value === undefined || value === "" || value === false) return [];
    if (name === "advancedFilters" && Array.isArray(value)) return value.map(conditionText);
    return [`${name} ${JSON.stringify(value)}`];
  });
  if (conditions.length === 0) return <span class="muted">all events</span>;
  return (
    <ul class="plain">
      {conditions.map((condition) => (
        <li key={condition}>
          <code>{condition}</code>
        </li>
      ))}
    </ul>
  );
}

/** For example `data.total NumberGreaterThan 100`. */
function conditionText(condition: Readonly<Record<string, unknown>>): string {
  const { key, operatorType, value, values } = condition;
  const operand = values ?? value;
  return `${key} ${operatorType}${operand === undefined ? "" : ` ${JSON.stringify(operand)}`}`;
}

function Nothing({ tab }: { tab: Tab }) {
  const { title, text, commands } = empty[tab];
  return (
    <EmptyState icon="resources" title={title}>
      <p>{text}</p>
      {commands.map((command) => (
        <Command key={command}>{command}</Command>
      ))}
    </EmptyState>
  );
}

const SUBSCRIBE =
  "npx --no -- cloud-eventgrid-local subscriptions create orders-webhook --topic orders --endpoint https://orders.example.com/api/events";

const empty: Readonly<
  Record<
    Tab,
    { readonly title: string; readonly text: string; readonly commands: readonly string[] }
  >
> = {
  topics: {
    title: "No topics yet",
    text: "Create one, and a subscription that delivers its events to your webhook:",
    commands: ["npx --no -- cloud-eventgrid-local topics create orders", SUBSCRIBE],
  },
  domains: {
    title: "No domains yet",
    text: "A domain has one endpoint for many topics:",
    commands: ["npx --no -- cloud-eventgrid-local domains create shop"],
  },
  subscriptions: {
    title: "No event subscriptions yet",
    text: "One appears when its webhook answers the handshake:",
    commands: [SUBSCRIBE],
  },
};
