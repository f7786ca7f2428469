import { ContainerApp } from "@cdktf/provider-azurerm/lib/container-app/index.js";
import { ContainerAppEnvironment } from "@cdktf/provider-azurerm/lib/container-app-environment/index.js";
import type { CloudEventGridBinding, RuntimeEnvironment } from "cloud-eventgrid-binding";
import { Construct } from "constructs";

export interface ServiceAppProps {
  readonly resourceGroupName: string;
  readonly location: string;
  /** The container image of the service. */
  readonly image: string;
}

/** The service on Azure Container Apps. */
export class ServiceApp extends Construct {
  /** URL of the webhook. It does not name the app, which gets its settings from the binding. */
  readonly endpoint: string;
  readonly #environment: ContainerAppEnvironment;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: ServiceAppProps,
  ) {
    super(scope, id);
    const { resourceGroupName, location } = props;
    this.#environment = new ContainerAppEnvironment(this, "environment", {
      name: "orders",
      resourceGroupName,
      location,
    });
    this.endpoint = `https://orders.${this.#environment.defaultDomain}/api/events`;
  }

  /** Runs the service with the settings of its binding, whose event subscription waits for it. */
  run(binding: CloudEventGridBinding, environment: RuntimeEnvironment): void {
    const { env, secret } = environment.forContainerApp();
    const probe = { transport: "HTTP", port: 9000 };
    const app = new ContainerApp(this, "app", {
      name: "orders",
      resourceGroupName: this.props.resourceGroupName,
      containerAppEnvironmentId: this.#environment.id,
      revisionMode: "Single",
      secret,
      ingress: {
        externalEnabled: true,
        targetPort: 9000,
        trafficWeight: [{ latestRevision: true, percentage: 100 }],
      },
      template: {
        minReplicas: 2, // one runs while the other is replaced
        maxReplicas: 10,
        httpScaleRule: [{ name: "deliveries", concurrentRequests: "50" }],
        terminationGracePeriodSeconds: 60, // longer than the listener takes to drain
        container: [
          {
            name: "orders",
            image: this.props.image,
            cpu: 0.5,
            memory: "1Gi",
            env,
            startupProbe: [{ ...probe, path: "/readyz", failureCountThreshold: 10 }],
            readinessProbe: [{ ...probe, path: "/readyz", intervalSeconds: 5 }],
            livenessProbe: [{ ...probe, path: "/healthz" }],
          },
        ],
      },
    });
    // Event Grid sends the handshake when the subscription is created, so the app must run by then.
    binding.waitFor(app);
  }
}
