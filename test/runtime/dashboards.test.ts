import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createNoopMeter, type Meter, type MeterProvider } from "@opentelemetry/api";
import { createListener, createPublisher, createReceiver } from "cloud-eventgrid-binding-runtime";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { OutboxMetrics } from "../../runtime/src/postgres/relay.js";
import { root } from "../support/project.js";

const folder = join(root, "runtime/dashboards");

/** Notes the instruments that are created, by the names that Prometheus has for them. */
class NotingMeters implements MeterProvider {
  readonly names = new Set<string>();

  getMeter(): Meter {
    return new Proxy(createNoopMeter(), {
      get: (meter, member) => (name: string) => {
        const inPrometheus = name.replaceAll(".", "_");
        const isCounter = member === "createCounter" || member === "createObservableCounter";
        this.names.add(isCounter ? `${inPrometheus}_total` : inPrometheus);
        if (member === "createHistogram") this.names.add(`${inPrometheus}_bucket`);
        return Reflect.get(meter, member).call(meter, name);
      },
    });
  }
}

/** The expressions of the dashboard and of the alert rules. */
function expressions(): string[] {
  const dashboard = JSON.parse(readFileSync(join(folder, "grafana.json"), "utf8"));
  const rules = parse(readFileSync(join(folder, "prometheus-alerts.yaml"), "utf8"));
  const panels: readonly { targets: readonly { expr: string }[] }[] = dashboard.panels;
  const groups: readonly { rules: readonly { expr: string }[] }[] = rules.groups;
  return [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
  ];
}

it("names only metrics that the runtime exports in the dashboard and the alert rules", async () => {
  const meterProvider = new NotingMeters();
  const telemetry = { meterProvider };
  const on = { "*": () => {} };
  const key = "a2V5";
  const id = "11111111-2222-4333-8444-555555555555";
  const listener = createListener(
    { cloudTenantId: id, cloudClientId: id, handshakePort: "9000", path: "/api/events" },
    { on, telemetry, logger: false },
  );
  const queue = { namespaceEndpoint: "https://shop.example.com", topicName: "orders" };
  const receiver = createReceiver(
    { ...queue, eventSubscriptionName: "shop", accessKey: key, receiveWith: "accessKey" },
    { on, telemetry, logger: false },
  );
  const publisher = createPublisher(
    { topicEndpoint: "https://shop.example.com/api/events", accessKey: key },
    { source: "/shop", telemetry },
  );
  new OutboxMetrics(meterProvider);
  await Promise.all([listener.close(), receiver.close(), publisher.close()]);

  const named = expressions().flatMap((expression) =>
    Array.from(expression.matchAll(/\b(?:eventgrid|messaging)_\w+(?=[{[)])/g), ([name]) => name),
  );
  expect(named.length).toBeGreaterThan(20);
  const used = named.filter((name) => !LABELS.has(name));
  expect(used.filter((name) => !meterProvider.names.has(name))).toEqual([]);
});

/** Labels in `by (…)`, which look like metrics. */
const LABELS = new Set([
  "eventgrid_event_outcome",
  "eventgrid_denial_reason",
  "eventgrid_publish_outcome",
]);
