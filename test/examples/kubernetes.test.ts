import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { KubernetesStack } from "../../examples/kubernetes/stack.js";
import { type Place, placeFromEnvironment } from "../../examples/place.js";
import { Synthesized, testApp } from "../support/synthesized.js";

const subscriberEndpoint = "https://shop.example.com/hooks/orders";

function manifest(name: string) {
  return parse(readFileSync(`examples/kubernetes/manifests/${name}.yaml`, "utf8"));
}

describe("the manifests of the kubernetes example", () => {
  const { spec: deployment } = manifest("deployment");
  const pod = deployment.template;
  const [container] = pod.spec.containers;
  const service = manifest("service");
  const account = manifest("service-account");
  const { metadata, spec: ingress } = manifest("ingress");
  const [rule] = ingress.rules;

  it("lead from the public URL over ingress and Service to the handshake port of the pods", () => {
    const { path, backend } = rule.http.paths[0];
    expect(`https://${rule.host}${path}`).toBe(subscriberEndpoint);
    expect(ingress.tls[0].hosts).toEqual([rule.host]);
    expect(metadata.annotations).toMatchObject({
      "nginx.ingress.kubernetes.io/rewrite-target": "/api/events",
      "nginx.ingress.kubernetes.io/proxy-body-size": "2m",
    });
    const [{ name, targetPort }] = service.spec.ports;
    expect(backend.service).toEqual({ name: service.metadata.name, port: { name } });
    expect(container.ports).toEqual([{ name: targetPort, containerPort: 9000 }]);
    for (const labels of [service.spec.selector, deployment.selector.matchLabels]) {
      expect(pod.metadata.labels).toMatchObject(labels);
    }
  });

  it("probe the listener of the pods", () => {
    expect(container).toMatchObject({
      startupProbe: { httpGet: { path: "/readyz", port: "webhook" } },
      readinessProbe: { httpGet: { path: "/readyz", port: "webhook" } },
      livenessProbe: { httpGet: { path: "/healthz", port: "webhook" } },
    });
  });

  it("give the pods the identity that may use the Redis", () => {
    expect(pod.spec.serviceAccountName).toBe(account.metadata.name);
    expect(pod.metadata.labels["azure.workload.identity/use"]).toBe("true");
    expect(account.metadata.annotations).toHaveProperty(["azure.workload.identity/client-id"]);
  });
});

describe("the stack of the kubernetes example", () => {
  const place: Place = { ...placeFromEnvironment({}), subscriberEndpoint };
  const stack = new Synthesized(new KubernetesStack(testApp(), "kubernetes", place));

  it("registers the public path, and configures the service with the rewritten path", () => {
    expect(stack.one("azurerm_eventgrid_event_subscription")).toMatchObject({
      webhook_endpoint: { url: "https://shop.example.com/hooks/orders" },
    });
    expect(stack.json.output).toMatchObject({
      environment: {
        value: {
          ORDERS_DIRECTION: "input",
          ORDERS_NAME: "orders",
          ORDERS_TENANT_ID: place.cloudTenantId,
          ORDERS_CLIENT_ID: place.cloudClientId,
          ORDERS_HANDSHAKE_PORT: "9000",
          ORDERS_WEBHOOK_PATH: "/api/events",
        },
      },
    });
  });

  it("probes the ingress before it creates the subscription", () => {
    const probe = stack.all("terraform_data").find(({ path }) => path === "orders/probe");
    expect(probe).toBeDefined();
    expect(stack.waits("azurerm_eventgrid_event_subscription", "orders/subscription")).toContain(
      "orders/probe",
    );
  });
});
