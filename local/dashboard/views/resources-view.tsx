import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type {
  ApplicationDetails,
  Resources,
  SubscriptionDetails,
  TopicDetails,
} from "../../src/dashboard/protocol.js";
import { call } from "../api.js";
import { attempt, Badge, Command, confirm, EmptyState, Icon, Segments } from "../components.js";
import { clockTime, dateTime, duration } from "../format.js";
import { useActivity, useLoaded } from "../store.js";
import { Copyable, Secret } from "./copyable.js";

type Tab =
  | "topics"
  | "domains"
  | "subscriptions"
  | "systemTopics"
  | "applications"
  | "roleAssignments"
  | "alerts";

/** All resources, with keys to copy. */
export function ResourcesView() {
  const version = useActivity();
  const [tab, setTab] = useState<Tab>("topics");
  const { value, error, reload } = useLoaded(() => call("GET resources"), version);
  if (!value) return <p class="page-note muted">{error?.message ?? "Loading…"}</p>;
  const label = (name: string, list: readonly unknown[]) => (
    <>
      {name} <span class="count">{list.length}</span>
    </>
  );
  return (
    <div class="page">
      <Segments<Tab>
        label="Kind of resource"
        value={tab}
        onChange={setTab}
        segments={[
          { value: "topics", label: label("Topics", value.topics) },
          { value: "domains", label: label("Domains", value.domains) },
          { value: "subscriptions", label: label("Event subscriptions", value.subscriptions) },
          { value: "systemTopics", label: label("System topics", value.systemTopics) },
          { value: "applications", label: label("Applications", value.applications) },
          { value: "roleAssignments", label: label("Role assignments", value.roleAssignments) },
          { value: "alerts", label: label("Alerts", value.alerts) },
        ]}
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
      return (
        <div class="cards">
          {resources.topics.map((topic) => (
            <TopicCard key={topic.id} topic={topic} onChanged={reload} />
          ))}
        </div>
      );
    case "domains":
      return (
        <div class="cards">
          {resources.domains.map((domain) => (
            <TopicCard
              key={domain.id}
              topic={domain}
              domainTopics={domain.domainTopics}
              onChanged={reload}
            />
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
    case "applications":
      return (
        <div class="cards">
          {resources.applications.map((application) => (
            <ApplicationCard key={application.clientId} application={application} />
          ))}
        </div>
      );
    case "systemTopics":
      return (
        <Table heads={["Name", "Type", "Source"]}>
          {resources.systemTopics.map(({ id, name, topicType, source }) => (
            <tr key={id}>
              <td>
                <b>{name}</b>
              </td>
              <td>{topicType}</td>
              <td class="mono break">{source}</td>
            </tr>
          ))}
        </Table>
      );
    case "roleAssignments":
      return (
        <Table heads={["Role", "Principal", "Scope"]}>
          {resources.roleAssignments.map(({ role, principal, principalType, scope }) => (
            <tr key={role + principal + scope}>
              <td>{role}</td>
              <td>
                {principal} <span class="muted">{principalType}</span>
              </td>
              <td class="mono break">{scope}</td>
            </tr>
          ))}
        </Table>
      );
    case "alerts":
      return (
        <Table heads={["State", "Rule", "Resource", "Changes"]}>
          {resources.alerts.map(({ rule, ruleId, severity, scope, state, changes }) => (
            <tr key={ruleId + scope}>
              <td>
                <Badge tone={state === "firing" ? "bad" : state === "healthy" ? "good" : "muted"}>
                  {state === "notEvaluated" ? "not evaluated" : state}
                </Badge>
              </td>
              <td>
                <b>{rule}</b> <span class="muted">severity {severity}</span>
              </td>
              <td>{scope.split("/").at(-1)}</td>
              <td>
                <ul class="plain">
                  {changes.slice(-5).map((change) => (
                    <li key={change.at}>
                      {change.state} {dateTime(change.at)}{" "}
                      <span class="muted">
                        {change.calls
                          .map(({ receiver, status, error }) => `${receiver}: ${status ?? error}`)
                          .join(", ")}
                      </span>
                    </li>
                  ))}
                </ul>
              </td>
            </tr>
          ))}
        </Table>
      );
  }
}

function Table({ heads, children }: { heads: readonly string[]; children: ComponentChildren }) {
  return (
    <table class="table">
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head}>{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function TopicCard(props: {
  topic: TopicDetails;
  /** Names of the topics, if the card shows a domain. */
  domainTopics?: readonly string[];
  onChanged: () => void;
}) {
  const { topic, domainTopics, onChanged } = props;
  const regenerate = async (key: "key1" | "key2") => {
    const isConfirmed = await confirm({
      question: `Regenerate ${key} of ${topic.name}?`,
      consequence: "Publishers that use the present key are refused.",
      action: "Regenerate",
    });
    if (!isConfirmed) return;
    await attempt(async () => {
      await call("POST topics/regenerate-key", { topic: topic.id, key });
      return `${key} of ${topic.name} is new. The old one is refused from now on.`;
    });
    onChanged();
  };
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
        <dt>Endpoint</dt>
        <dd>
          <Copyable text={topic.endpoint} label="Copy the endpoint" />
        </dd>
        <dt>Host name</dt>
        <dd>
          <Copyable text={topic.hostName} label="Copy the host name" />
        </dd>
        <dt>Key 1</dt>
        <dd>
          <Secret text={topic.key1} label="key1" onRegenerate={() => regenerate("key1")} />
        </dd>
        <dt>Key 2</dt>
        <dd>
          <Secret text={topic.key2} label="key2" onRegenerate={() => regenerate("key2")} />
        </dd>
        <dt>Resource ID</dt>
        <dd>
          <Copyable text={topic.id} label="Copy the resource ID" />
        </dd>
        {domainTopics && (
          <>
            <dt>Topics</dt>
            <dd>{domainTopics.join(", ") || <span class="muted">none</span>}</dd>
          </>
        )}
        <dt>Subscriptions</dt>
        <dd>{topic.subscriptions}</dd>
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
          <button
            type="button"
            class="button small"
            onClick={async () => {
              await attempt(async () => {
                await call("POST handshake", { subscription: subscription.id });
                return `${subscription.name}: the ${isWebhook ? "webhook" : "function"} consented.`;
              });
              props.onChanged();
            }}
          >
            Repeat handshake
          </button>
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
        <dt>{isWebhook ? "Webhook" : subscription.endpointType}</dt>
        <dd>
          <span class="mono break">{subscription.endpoint}</span>
          {subscription.routedTo && <span class="muted"> → {subscription.routedTo}</span>}
        </dd>
        {subscription.validationUrl && (
          <>
            <dt>Validation URL</dt>
            <dd>
              <Copyable text={subscription.validationUrl} label="Copy the validation URL" />
            </dd>
          </>
        )}
        <dt>Scope</dt>
        <dd>{subscription.topic ?? <span class="mono break">{subscription.scope}</span>}</dd>
        {isWebhook && (
          <>
            <dt>Protected by</dt>
            <dd>
              {subscription.clientId ? (
                <Copyable text={subscription.clientId} label="Copy the client ID" />
              ) : (
                <span class="muted">nothing: deliveries carry no token</span>
              )}
            </dd>
          </>
        )}
        <dt>Filter</dt>
        <dd>
          <FilterText filter={subscription.filter} />
        </dd>
        <dt>Retries</dt>
        <dd>
          up to {subscription.maxDeliveryAttempts} attempts within{" "}
          {duration(subscription.eventTimeToLiveInMinutes * 60_000)}
        </dd>
        <dt>Batches</dt>
        <dd>
          {subscription.batching.maxEventsPerBatch === 1
            ? "one event per delivery"
            : `up to ${subscription.batching.maxEventsPerBatch} events`}
        </dd>
        <dt>Dead letters</dt>
        <dd>{subscription.deadLetterContainer ?? <span class="muted">dropped</span>}</dd>
      </dl>
      {subscription.handshakes.length > 0 && (
        <details class="history">
          <summary>
            <Icon name="chevron" size={13} />
            Handshakes <span class="count">{subscription.handshakes.length}</span>
          </summary>
          <ol>
            {subscription.handshakes.map(({ at, status, succeeded, reason }) => (
              <li key={at}>
                <span class="mono muted">{clockTime(at)}</span>{" "}
                <Badge tone={succeeded ? "good" : "bad"}>
                  {status !== undefined && <b>{status}</b>} {succeeded ? "Consented" : "Failed"}
                </Badge>
                {reason && <div class="muted">{reason}</div>}
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
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

function ApplicationCard({ application }: { application: ApplicationDetails }) {
  return (
    <section class="card" aria-label={`Application ${application.displayName}`}>
      <header>
        <span class="card-title">{application.displayName}</span>
      </header>
      <dl class="facts">
        <dt>Client ID</dt>
        <dd>
          <Copyable text={application.clientId} label="Copy the client ID" />
        </dd>
        <dt>Tenant</dt>
        <dd>
          <Copyable text={application.tenantId} label="Copy the tenant ID" />
        </dd>
        <dt>App roles</dt>
        <dd>{application.appRoles.join(", ") || <span class="muted">none</span>}</dd>
        <dt>Assigned to</dt>
        <dd>
          {application.assignments.length === 0 && <span class="muted">nobody</span>}
          <ul class="plain">
            {application.assignments.map(({ principal, role }) => (
              <li key={principal + role}>
                {principal} <span class="muted">{role}</span>
              </li>
            ))}
          </ul>
        </dd>
      </dl>
    </section>
  );
}

function Nothing({ tab }: { tab: Tab }) {
  switch (tab) {
    case "topics":
      return (
        <EmptyState icon="resources" title="No topics yet">
          <p>Create one, and a subscription that delivers its events to your webhook:</p>
          <Command>npx --no cloud-eventgrid-local topics create orders</Command>
          <Command>
            npx --no cloud-eventgrid-local subscriptions create orders-webhook --topic orders
            --endpoint https://orders.example.com/api/events
          </Command>
        </EmptyState>
      );
    case "domains":
      return (
        <EmptyState icon="resources" title="No domains yet">
          <p>A domain has one endpoint for many topics:</p>
          <Command>npx --no cloud-eventgrid-local domains create shop</Command>
        </EmptyState>
      );
    case "subscriptions":
      return (
        <EmptyState icon="resources" title="No event subscriptions yet">
          <p>One appears when its webhook answers the handshake:</p>
          <Command>
            npx --no cloud-eventgrid-local subscriptions create orders-webhook --topic orders
            --endpoint https://orders.example.com/api/events
          </Command>
        </EmptyState>
      );
    default:
      return (
        <EmptyState icon="resources" title="Nothing here yet">
          <p>
            Terraform, az and the SDKs create these through Resource Manager and Graph. This makes
            them use the local Azure:
          </p>
          <Command>eval "$(npx --no cloud-eventgrid-local env)"</Command>
        </EmptyState>
      );
  }
}
