import { ContainerApp } from "@cdktf/provider-azurerm/lib/container-app/index.js";
import { ContainerAppEnvironment } from "@cdktf/provider-azurerm/lib/container-app-environment/index.js";
import { UserAssignedIdentity } from "@cdktf/provider-azurerm/lib/user-assigned-identity/index.js"; // if app-identity
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
  /** Object ID of the identity that publishes. */ // if app-identity
  readonly principalId: string; // if app-identity
  readonly #identity: UserAssignedIdentity; // if app-identity
  readonly #environment: ContainerAppEnvironment;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: ServiceAppProps,
  ) {
    super(scope, id);
    const { resourceGroupName, location } = props;
    const where = { name: "orders", resourceGroupName, location };
    this.#environment = new ContainerAppEnvironment(this, "environment", where);
    this.#identity = new UserAssignedIdentity(this, "identity", where); // if app-identity
    this.principalId = this.#identity.principalId; // if app-identity
    this.endpoint = `https://orders.${this.#environment.defaultDomain}/api/events`;
  }

  /** Runs the service with the settings of its binding, whose event subscription waits for it. */
  run(binding: CloudEventGridBinding, environment: RuntimeEnvironment): void {
    const { env, secret } = environment.forContainerApp();
    const { id, clientId } = this.#identity; // if app-identity
    env.push({ name: "AZURE_CLIENT_ID", value: clientId }); // if app-identity
    const probe = { transport: "HTTP", port: 9000 };
    const app = new ContainerApp(this, "app", {
      name: "orders",
      resourceGroupName: this.props.resourceGroupName,
      containerAppEnvironmentId: this.#environment.id,
      revisionMode: "Single",
      identity: { type: "UserAssigned", identityIds: [id] }, // if app-identity
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
