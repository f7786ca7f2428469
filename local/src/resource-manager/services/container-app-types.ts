import {
  field,
  listAt,
  objectAt,
  propertiesIn,
  subscriptionOf,
  textAt,
  withDefaults,
} from "../../base/index.js";
import { type Resource, type ResourceType, stableUuid } from "../engine/index.js";

/** Domain names of apps are verified with the same ID throughout a subscription. */
const verificationId = ({ id }: Resource) => stableUuid(`/subscriptions/${subscriptionOf(id)}`);

/**
 * The host name of a container app with an ingress, or of one of its revisions.
 *
 * @see https://learn.microsoft.com/azure/container-apps/ingress-overview
 */
function fqdnOf({ location, body }: Resource, name: string): string {
  const isExternal = field(propertiesIn(body), "configuration", "ingress", "external") === true;
  const environment = environmentOf(body)?.split("/").at(-1);
  return `${name}${isExternal ? "" : ".internal"}.${environment}.${location}.azurecontainerapps.io`;
}

/** Newer versions of the API accept both names, and return both. */
function environmentOf(body: unknown): string | undefined {
  return (
    textAt(propertiesIn(body), "managedEnvironmentId") ??
    textAt(propertiesIn(body), "environmentId")
  );
}

/** The secrets of a container app. azurerm writes empty texts for what a secret does not have. */
function secretsOf({ body }: Resource): readonly Readonly<Record<string, unknown>>[] {
  return listAt(propertiesIn(body), "configuration", "secrets").map((secret) =>
    Object.fromEntries(Object.entries(objectAt(secret)).filter(([, value]) => value !== "")),
  );
}

const DISABLED = { enabled: false };

/** Container Apps. */
export const containerAppTypes: readonly ResourceType[] = [
  {
    type: "Microsoft.App/managedEnvironments",
    properties: (resource) => ({
      defaultDomain: `${resource.name}.${resource.location}.azurecontainerapps.io`,
      staticIp: "127.0.0.1",
      publicNetworkAccess: "Enabled",
      zoneRedundant: false,
      customDomainConfiguration: { customDomainVerificationId: verificationId(resource) },
      peerAuthentication: { mtls: DISABLED },
      peerTrafficConfiguration: { encryption: DISABLED },
    }),
    computed: ({ body }) => {
      const logs = objectAt(propertiesIn(body), "appLogsConfiguration");
      const customerId = textAt(logs, "logAnalyticsConfiguration", "customerId");
      return {
        // Azure does not return the workspace's key, nor where Dapr sends its traces.
        appLogsConfiguration: {
          ...logs,
          logAnalyticsConfiguration: customerId === undefined ? null : { customerId },
        },
        daprAIConnectionString: null,
        daprAIInstrumentationKey: null,
      };
    },
  },
  {
    type: "Microsoft.App/containerApps",
    properties: (resource) => ({
      latestRevisionName: `${resource.name}--1`,
      latestReadyRevisionName: `${resource.name}--1`,
      // Empty without an ingress.
      latestRevisionFqdn: field(propertiesIn(resource.body), "configuration", "ingress")
        ? fqdnOf(resource, `${resource.name}--1`)
        : "",
      outboundIpAddresses: ["127.0.0.1"],
      customDomainVerificationId: verificationId(resource),
      runningStatus: "Running",
    }),
    computed: (resource) => {
      const configuration = objectAt(propertiesIn(resource.body), "configuration");
      const { ingress } = configuration;
      const environmentId = environmentOf(resource.body);
      const ingressDefaults = {
        external: false,
        transport: "Auto",
        allowInsecure: false,
        traffic: [{ weight: 100, latestRevision: true }],
      };
      return {
        managedEnvironmentId: environmentId,
        environmentId,
        configuration: {
          activeRevisionsMode: "Single",
          ...configuration,
          ...(ingress
            ? {
                ingress: {
                  ...objectAt(withDefaults(ingress, ingressDefaults)),
                  fqdn: fqdnOf(resource, resource.name),
                },
              }
            : {}),
          // Azure returns everything but the values of secrets.
          secrets: secretsOf(resource).map(({ value: _, ...secret }) => secret),
        },
      };
    },
    actions: {
      listSecrets: (resource) => ({ value: secretsOf(resource) }),
    },
  },
];
