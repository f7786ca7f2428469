import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { KubernetesStack, type KubernetesStackProps } from "../../examples/kubernetes/stack.js";
import { type Place, placeFromEnvironment } from "../../examples/place.js";
import { freePort } from "../../examples/start/free-port.js";
import { Synthesized, testApp } from "../support/synthesized.js";
import { describeWithTerraformAndRedis } from "../terraform/with-terraform.js";
import { DeployedExample, type ExampleSetting } from "./deployed-example.js";

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

describeWithTerraformAndRedis("the deployed kubernetes example", () => {
  let example: DeployedExample | undefined;
  afterEach(() => example?.stop());

  it("receives an event through an ingress that rewrites the path", async () => {
    example = await DeployedExample.deploy(setting());
    await example.publish("shop.order.placed", { orderId: "17" });
    await example.cloud.drain();
    await expect.poll(() => example?.messages()).toEqual(["order taken"]);
    expect(await example.redis?.handled()).toBe(1);
    expect((await example.terraform().plan()).changes).toEqual([]);
  });

  it("recovers from an ingress controller that answers 503 at first (specification 7)", async () => {
    const running = await DeployedExample.prepare(setting());
    example = running;
    const { port, stop } = await unavailable();
    running.cloud.ingress.route("https://shop.example.com", `http://127.0.0.1:${port}`);
    const { environment } = running.synthesize();
    await running.serve(environment as Record<string, string>);
    await running.terraform().init();
    await expect(running.terraform().apply()).rejects.toThrow(
      "Http OPTIONS request failed with response code ServiceUnavailable",
    );

    // The controller is restarted, and the same request is answered with 200.
    await stop();
    const target = `http://127.0.0.1:${running.place.handshakePort}`;
    running.cloud.ingress.route("https://shop.example.com", {
      target,
      rewrite: { "/hooks/orders": "/api/events" },
    });
    const asked = await fetch(`${target}/api/events`, {
      method: "OPTIONS",
      headers: { "webhook-request-origin": "eventgrid.azure.net" },
    });
    expect(asked.status).toBe(200);
    expect(asked.headers.get("webhook-allowed-origin")).toBe("eventgrid.azure.net");

    running.synthesize(setting({ existingSubscription: "adopt" }).stack);
    await running.terraform().apply();
    running.synthesize(setting({ existingSubscription: "adopted" }).stack);
    expect((await running.terraform().plan()).changes).toEqual([]);
    await running.publish("shop.order.placed", { orderId: "17" });
    await running.cloud.drain();
    await expect.poll(() => running.messages()).toEqual(["order taken"]);
  });
});

function setting(props: Pick<KubernetesStackProps, "existingSubscription"> = {}): ExampleSetting {
  return {
    subscriberEndpoint,
    rewrite: { "/hooks/orders": "/api/events" },
    service: "kubernetes/service.ts",
    redis: true,
    stack: (app, place) => {
      // Only the local Azure can reach the ingress.
      const webhookProbe = false;
      return new KubernetesStack(app, "kubernetes", { ...place, ...props, webhookProbe });
    },
  };
}

/** An ingress controller that answers 503. */
async function unavailable(): Promise<{ port: number; stop(): Promise<void> }> {
  const port = await freePort();
  const server = createServer((_, response) => response.writeHead(503).end());
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { port, stop };
}
