import { ContainerApp } from "@cdktf/provider-azurerm/lib/container-app/index.js";
import { ContainerAppEnvironment } from "@cdktf/provider-azurerm/lib/container-app-environment/index.js";
import { UserAssignedIdentity } from "@cdktf/provider-azurerm/lib/user-assigned-identity/index.js";
import type { RuntimeEnvironment } from "cloud-eventgrid-binding";
import { Construct } from "constructs";

export interface ReceiverAppProps {
  readonly resourceGroupName: string;
  readonly location: string;
  /** The container image of the service. */
  readonly image: string;
}

/** The service on Azure Container Apps, without ingress: it pulls its events. */
export class ReceiverApp extends Construct {
  readonly #identity: UserAssignedIdentity;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: ReceiverAppProps,
  ) {
    super(scope, id);
    const { resourceGroupName, location } = props;
    const where = { name: "orders", resourceGroupName, location };
    this.#identity = new UserAssignedIdentity(this, "identity", where);
  }

  /** Object ID of the identity that the service receives with. */
  get principalId(): string {
    return this.#identity.principalId;
  }

  /** Runs the service with the settings of its binding. */
  run(environment: RuntimeEnvironment): void {
    const { env, secret } = environment.forContainerApp();
    const { image, ...where } = this.props;
    const { id, clientId } = this.#identity;
    const apps = new ContainerAppEnvironment(this, "environment", { ...where, name: "orders" });
    const probe = { transport: "HTTP", port: 9000 };
    new ContainerApp(this, "app", {
      name: "orders",
      resourceGroupName: where.resourceGroupName,
      containerAppEnvironmentId: apps.id,
      revisionMode: "Single",
      identity: { type: "UserAssigned", identityIds: [id] },
      secret,
      template: {
        // Nothing wakes a service without ingress. Replicas share the events.
        minReplicas: 2,
        maxReplicas: 2,
        terminationGracePeriodSeconds: 60, // longer than the receiver takes to drain
        container: [
          {
            name: "orders",
            image,
            cpu: 0.5,
            memory: "1Gi",
            // The identity that DefaultAzureCredential uses.
            env: [...env, { name: "AZURE_CLIENT_ID", value: clientId }],
            startupProbe: [{ ...probe, path: "/readyz", failureCountThreshold: 10 }],
            livenessProbe: [{ ...probe, path: "/healthz" }],
          },
        ],
      },
    });
  }
}
