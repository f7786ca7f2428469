import { ContainerApp } from "@cdktf/provider-azurerm/lib/container-app/index.js";
import { ContainerAppEnvironment } from "@cdktf/provider-azurerm/lib/container-app-environment/index.js";
import { ManagedRedis } from "@cdktf/provider-azurerm/lib/managed-redis/index.js";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { StorageContainer } from "@cdktf/provider-azurerm/lib/storage-container/index.js";
import { UserAssignedIdentity } from "@cdktf/provider-azurerm/lib/user-assigned-identity/index.js";
import { Fn } from "cdktf";
import { CloudEventGridBinding, CloudEventGridTopic } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import { ExampleStack } from "../example-stack.js";
import type { Place } from "../place.js";
import { warehouse } from "./events.js";

export interface ContainerAppsStackProps extends Omit<Place, "subscriberEndpoint"> {
  /** The service's container image. */
  readonly image: string;
}

/** The service on Azure Container Apps, with replicas that share a Redis, probes and dead letters. */
export class ContainerAppsStack extends ExampleStack {
  constructor(scope: Construct, id: string, props: ContainerAppsStackProps) {
    super(scope, id, props);
    const where = this.resourceGroup();
    const { image, ...place } = props;
    const name = "warehouse";
    const environment = new ContainerAppEnvironment(this, "environment", { ...where, name });
    const topic = new CloudEventGridTopic(this, "topic", where);
    const identity = new UserAssignedIdentity(this, "identity", { ...where, name });
    topic.grantPublish(identity.principalId);
    const account = new StorageAccount(this, "account", {
      ...where,
      name: "examplewarehouse",
      accountTier: "Standard",
      accountReplicationType: "LRS",
    });
    const deadLetters = new StorageContainer(this, "dead-letters", {
      name: "dead-letters",
      storageAccountId: account.id,
    });

    const redis = new ManagedRedis(this, "redis", {
      ...where,
      name: "examplewarehouse",
      skuName: "Balanced_B0",
      defaultDatabase: {
        clusteringPolicy: "EnterpriseCluster",
        evictionPolicy: "NoEviction",
        accessKeysAuthenticationEnabled: true,
      },
    });
    // The port of every Azure Managed Redis.
    const redisUrl = `rediss://:${Fn.urlencode(redis.defaultDatabase.primaryAccessKey)}@${redis.hostname}:10000`;

    const binding = new CloudEventGridBinding(this, name, {
      ...place,
      direction: "input, output",
      // The domain of the environment, not of the app: the app gets settings from the binding.
      subscriberEndpoint: `https://${name}.${environment.defaultDomain}/api/events`,
      scope: topic.id,
      events: warehouse,
      topicEndpoint: topic.endpoint,
      publishWith: "entra",
      deadLetter: { storageAccount: account, container: deadLetters },
    });

    const port = Number(place.handshakePort);
    const probe = { transport: "HTTP", port };
    const { env, secret } = binding.runtimeEnvironment("WAREHOUSE").forContainerApp();
    const app = new ContainerApp(this, "app", {
      name,
      resourceGroupName: where.resourceGroupName,
      containerAppEnvironmentId: environment.id,
      revisionMode: "Single",
      identity: { type: "UserAssigned", identityIds: [identity.id] },
      secret: [...secret, { name: "redis-url", value: redisUrl }],
      ingress: {
        externalEnabled: true,
        targetPort: port,
        trafficWeight: [{ latestRevision: true, percentage: 100 }],
      },
      template: {
        minReplicas: 2, // one runs while the other is replaced
        maxReplicas: 10,
        httpScaleRule: [{ name: "deliveries", concurrentRequests: "50" }],
        terminationGracePeriodSeconds: 60, // time to finish deliveries in flight
        container: [
          {
            name,
            image,
            cpu: 0.5,
            memory: "1Gi",
            env: [
              ...env,
              // The identity that DefaultAzureCredential uses.
              { name: "AZURE_CLIENT_ID", value: identity.clientId },
              // The Redis in which the replicas remember handled events.
              { name: "REDIS_URL", secretName: "redis-url" },
            ],
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
