import { ContainerApp } from "@cdktf/provider-azurerm/lib/container-app/index.js";
import { ContainerAppEnvironment } from "@cdktf/provider-azurerm/lib/container-app-environment/index.js";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { StorageContainer } from "@cdktf/provider-azurerm/lib/storage-container/index.js";
import { UserAssignedIdentity } from "@cdktf/provider-azurerm/lib/user-assigned-identity/index.js";
import { TerraformOutput, Token } from "cdktf";
import { CloudEventGridNamespace, CloudEventGridPullBinding } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import { ExampleStack } from "../example-stack.js";
import type { Place } from "../place.js";
import { warehouse } from "./events.js";

export interface PullContainerAppStackProps
  extends Pick<Place, "cloudTenantId" | "cloudSubscriptionId"> {
  /** The service's container image. */
  readonly image: string;
  /** Seconds until new roles take effect. @default 60 */
  readonly roleEffectSeconds?: number;
}

const HEALTH_PORT = 8080;

/** A service without ingress on Azure Container Apps, which pulls the events of another one. */
export class PullContainerAppStack extends ExampleStack {
  constructor(scope: Construct, id: string, props: PullContainerAppStackProps) {
    super(scope, id, props);
    const where = this.resourceGroup();
    const name = "warehouse";
    const namespace = new CloudEventGridNamespace(this, "events", where);
    const topic = namespace.addTopic("orders");
    const identity = new UserAssignedIdentity(this, "identity", { ...where, name });
    // The service that places orders: another container app, which looks the same.
    const shop = new UserAssignedIdentity(this, "shop", { ...where, name: "shop" });
    topic.grantPublish(shop.principalId);
    const account = new StorageAccount(this, "account", {
      ...where,
      name: "examplepullwarehouse",
      accountTier: "Standard",
      accountReplicationType: "LRS",
    });
    const deadLetters = new StorageContainer(this, "dead-letters", {
      name: "dead-letters",
      storageAccountId: account.id,
    });

    const pull = new CloudEventGridPullBinding(this, name, {
      topic,
      eventSubscriptionName: name,
      events: warehouse,
      receiver: identity.principalId,
      deadLetter: { storageAccount: account, container: deadLetters },
      ...(props.roleEffectSeconds !== undefined && { roleEffectSeconds: props.roleEffectSeconds }),
    });
    const environment = pull.runtimeEnvironment("WAREHOUSE");
    const { env, secret } = environment.forContainerApp();

    const probe = { transport: "HTTP", port: HEALTH_PORT };
    const apps = new ContainerAppEnvironment(this, "apps", { ...where, name });
    new ContainerApp(this, "app", {
      name,
      resourceGroupName: where.resourceGroupName,
      containerAppEnvironmentId: apps.id,
      revisionMode: "Single",
      identity: { type: "UserAssigned", identityIds: [identity.id] },
      secret,
      template: {
        // Nothing wakes a service that has no ingress. The replicas share the events.
        minReplicas: 2,
        maxReplicas: 2,
        terminationGracePeriodSeconds: 60, // time to finish handlers, and to give other events back
        container: [
          {
            name,
            image: props.image,
            cpu: 0.5,
            memory: "1Gi",
            // The identity that DefaultAzureCredential uses.
            env: [...env, { name: "AZURE_CLIENT_ID", value: identity.clientId }],
            startupProbe: [{ ...probe, path: "/readyz", failureCountThreshold: 10 }],
            livenessProbe: [{ ...probe, path: "/healthz" }],
          },
        ],
      },
    });
    new TerraformOutput(this, "environment", {
      value: Token.asAny({
        ...environment.forAppSettings(),
        ...topic.runtimeEnvironment("SHOP").forAppSettings(),
      }),
      sensitive: true,
      staticId: true,
    });
  }
}
