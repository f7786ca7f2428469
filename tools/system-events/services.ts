import { communication } from "./communication.js";
import { containerRegistry } from "./container-registry.js";
import type { Service } from "./service.js";

const VM =
  "/subscriptions/{subscriptionId}/resourceGroups/shop/providers/Microsoft.Compute/virtualMachines/vm-1";
/**
 * The services of the SDK but those whose samples `local` writes by hand. Where several match, the
 * first counts.
 *
 * @see https://learn.microsoft.com/azure/event-grid/system-topics for the pages with their subjects
 */
export const services: readonly Service[] = [
  {
    prefix: "Microsoft.ApiCenter.",
    resourceType: "Microsoft.ApiCenter/services",
    subjects: [[/$/, "/workspaces/default/apis/orders/versions/v1/definitions/openapi"]],
    values: {
      title: "Orders",
      description: "Orders of the shop",
      name: "openapi",
      version: "3.0.2",
    },
  },
  {
    prefix: "Microsoft.ApiManagement.",
    resourceType: "Microsoft.ApiManagement/service",
    subjects: [
      [/CircuitBreaker\.\w+$/, "/backends/orders/circuit-breaker/rules/failures"],
      [/GatewayToken\w+$/, "/gateways/store/store-1"],
      [/GatewayHostnameConfiguration\w+$/, "/gateways/store/hostnameConfigurations/default"],
      [/GatewayCertificateAuthority\w+$/, "/gateways/store/certificateAuthorities/root"],
      [/GatewayAPI\w+$/, "/gateways/store/apis/orders"],
      [/Gateway\w+$/, "/gateways/store"],
      [/APIRelease\w+$/, "/apis/orders/releases/1"],
      [/API\w+$/, "/apis/orders;Rev=1"],
      [/Product\w+$/, "/products/shop"],
      [/Subscription\w+$/, "/subscriptions/shop"],
      [/User\w+$/, "/users/ana"],
    ],
    values: {
      resourceUri: "{id}{subject}",
      backendName: "orders",
      rules: { failures: { tripDuration: "00:00:01" } },
      gatewayId: "store",
      instanceId: "store-1",
    },
  },
  {
    prefix: "Microsoft.AppConfiguration.",
    resourceType: "Microsoft.AppConfiguration/configurationStores",
    subjects: [
      [/Snapshot\w+$/, "https://{name}.azconfig.io/snapshots/release-1"],
      [/$/, "https://{name}.azconfig.io/kv/shop:currency?label=production"],
    ],
    values: {
      key: "shop:currency",
      label: "production",
      name: "release-1",
      syncToken: "zAJw6V16=NTo2",
    },
  },
  {
    prefix: "Microsoft.AVS.",
    resourceType: "Microsoft.AVS/privateClouds",
    subjects: [
      [/Script\w+$/, "{id}/scriptExecutions/script-1"],
      [/Cluster\w+$/, "{id}/clusters/cluster-1"],
      [/$/, "{id}"],
    ],
    values: {
      cmdletId: "{id}/scriptPackages/package/scriptCmdlets/cmdlet",
      output: ["done"],
      namedOutputs: { result: "done" },
      failureMessage: "The cluster could not be scaled.",
    },
  },
  communication,
  containerRegistry,
  {
    prefix: "Microsoft.ContainerService.",
    resourceType: "Microsoft.ContainerService/managedClusters",
    subjects: [[/$/, "{name}"]],
    values: { nodePoolName: "nodepool1" },
  },
  {
    prefix: "Microsoft.DataBox.",
    resourceType: "Microsoft.DataBox/jobs",
    subjects: [[/$/, "/jobs/{name}"]],
    values: { serialNumber: "SERIAL1" },
    variants: (["CopyStarted", "CopyCompleted", "OrderCompleted"] as const).map((stageName) => [
      new RegExp(`${stageName}$`),
      { stageName },
    ]),
  },
  { prefix: "Microsoft.Edge.", subjects: [[/$/, "{id}"]], values: { apiVersion: "2025-06-01" } },
  {
    prefix: "Microsoft.EventGrid.MQTT",
    resourceType: "Microsoft.EventGrid/namespaces",
    subjects: [
      [/Session\w+$/, "clients/device-1/sessions/session-1"],
      [/$/, "clients/device-1"],
    ],
    values: {
      namespaceName: "{name}",
      clientAuthenticationName: "device-1",
      clientName: "device-1",
      clientSessionName: "session-1",
      state: "Enabled",
      attributes: { floor: "1" },
      sequenceNumber: 1,
    },
  },
  {
    prefix: "Microsoft.EventGrid.",
    subjects: [[/$/, ""]],
    values: {
      validationCode: "{uuid}",
      validationUrl:
        "https://rp-westeurope.eventgrid.azure.net:553/eventsubscriptions/orders/validate?id={uuid}",
    },
  },
  {
    prefix: "Microsoft.HealthcareApis.",
    resourceType: "Microsoft.HealthcareApis/workspaces",
    subjects: [
      [/Fhir\w+$/, "{name}.fhir.azurehealthcareapis.com/Patient/patient-1"],
      [
        /$/,
        "{name}.dicom.azurehealthcareapis.com/v1/partitions/Microsoft.Default/studies/1.2.3/series/1.2.3.4/instances/1.2.3.4.5",
      ],
    ],
    values: {
      resourceType: "Patient",
      resourceFhirAccount: "{name}.fhir.azurehealthcareapis.com",
      resourceFhirId: "patient-1",
      resourceVersionId: 1,
      partitionName: "Microsoft.Default",
      imageStudyInstanceUid: "1.2.3",
      imageSeriesInstanceUid: "1.2.3.4",
      imageSopInstanceUid: "1.2.3.4.5",
      serviceHostName: "{name}.dicom.azurehealthcareapis.com",
      sequenceNumber: 1,
    },
  },
  ...(["Certificate", "Key", "Secret"] as const).map((kind) => ({
    prefix: `Microsoft.KeyVault.${kind}`,
    resourceType: "Microsoft.KeyVault/vaults",
    subjects: [[/$/, "orders-db"]] as const,
    values: {
      Id: `https://{name}.vault.azure.net/${kind.toLowerCase()}s/orders-db/00000000000000000000000000000001`,
      ObjectType: kind,
      ObjectName: "orders-db",
    },
  })),
  {
    prefix: "Microsoft.KeyVault.",
    resourceType: "Microsoft.KeyVault/vaults",
    subjects: [[/$/, "{name}"]],
    values: {
      Id: "https://{name}.vault.azure.net/",
      ObjectType: "Vault",
      ObjectName: "{name}",
    },
  },
  {
    prefix: "Microsoft.MachineLearningServices.",
    resourceType: "Microsoft.MachineLearningServices/workspaces",
    subjects: [
      [/ModelRegistered$/, "models/prices:1"],
      [/ModelDeployed$/, "endpoints/prices"],
      [/DatasetDriftDetected$/, "datadrifts/prices/runs/run-1"],
      [/$/, "experiments/prices/runs/run-1"],
    ],
    values: {
      dataDriftName: "prices",
      experimentName: "prices",
      modelName: "prices",
      serviceName: "prices",
      serviceComputeType: "ACI",
      runType: "azureml.scriptrun",
      modelVersion: "1",
      modelIds: "prices:1",
      runStatus: "Completed",
      driftCoefficient: 0.17,
    },
  },
  {
    prefix: "Microsoft.Maps.",
    resourceType: "Microsoft.Maps/accounts",
    subjects: [[/$/, "/spatial/geofence/udid/{uuid}/id/{uuid}"]],
    values: {
      distance: -999,
      nearestLat: 46.9,
      nearestLon: 7.4,
      expiredGeofenceGeometryId: [],
      invalidPeriodGeofenceGeometryId: [],
      isEventPublished: true,
    },
    // Positive outside the fence.
    variants: [[/Exited$/, { distance: 999 }]],
  },
  {
    prefix: "Microsoft.Media.",
    resourceType: "Microsoft.Media/mediaservices",
    subjects: [
      [/Job\w+$/, "transforms/encode/jobs/job-1"],
      [/$/, "liveEvent/live-1"],
    ],
    values: {
      timescale: "10000000",
      trackType: "video",
      trackName: "video",
      encoderIp: "192.0.2.1",
      encoderPort: "49152",
      "@odata.type": "#Microsoft.Media.JobOutputAsset",
      error: null,
      assetName: "output-1",
      label: "encoded",
      progress: 50,
      ingestUrl: "rtmp://{name}.channel.media.azure.net:1935/live/{uuid}",
      bitrate: 2_500_000,
      incomingBitrate: 2_503_153,
      resultCode: "S_OK",
      latencyResultCode: "S_OK",
      channelLatencyMs: "10",
      discontinuityGap: "575284",
      discontinuityCount: 0,
      nonincreasingCount: 0,
      overlapCount: 0,
      ingestDriftValue: "0",
      transcriptionLanguage: "en-US",
      transcriptionState: "On",
    },
    variants: [
      [/ConnectionRejected$/, { resultCode: "MPE_INGEST_CODEC_NOT_SUPPORTED" }],
      [/LiveEvent\w+Heartbeat$/, { state: "Running" }],
      [/DataChunkDropped$/, { resultCode: "FragmentDrop_OverlapTimestamp" }],
    ],
  },
  {
    prefix: "Microsoft.PolicyInsights.",
    subjects: [[/$/, VM]],
    values: { complianceState: "NonCompliant", complianceReasonCode: "" },
  },
  {
    prefix: "Microsoft.ResourceNotifications.",
    subjects: [[/$/, VM]],
    values: {
      id: VM,
      name: "vm-1",
      type: "Microsoft.Compute/virtualMachines",
      location: "westeurope",
      tags: {},
      properties: {},
      apiVersion: "2024-07-01",
    },
  },
  {
    prefix: "Microsoft.Resources.",
    subjects: [[/$/, VM]],
    values: {
      resourceUri: VM,
      scope: VM,
      resourceProvider: "Microsoft.Compute",
      resourceGroup: "shop",
      evidence: { role: "Contributor" },
      claims: { aud: "https://management.core.windows.net/", ver: "1.0" },
      clientIpAddress: "192.0.2.1",
      url: `https://management.azure.com${VM}?api-version=2024-07-01`,
    },
  },
  {
    prefix: "Microsoft.Web.AppServicePlan",
    resourceType: "Microsoft.Web/serverfarms",
    subjects: [[/$/, "/Microsoft.Web/serverfarms/{name}"]],
    values: {
      action: "Updated",
      name: "P1v3",
      Tier: "PremiumV3",
      Size: "P1v3",
      Family: "Pv3",
      Capacity: "1",
      stampKind: "Public",
    },
  },
  {
    prefix: "Microsoft.Web.SlotSwap",
    resourceType: "Microsoft.Web/sites",
    subjects: [[/$/, "/Microsoft.Web/sites/{name}"]],
    values: { name: "{name}", appEventTypeDetail: null },
    more: { sourceSlot: "staging", targetSlot: "production" },
  },
  {
    prefix: "Microsoft.Web.",
    resourceType: "Microsoft.Web/sites",
    subjects: [[/$/, "/Microsoft.Web/sites/{name}"]],
    values: { name: "{name}", action: "Restarted" },
  },
];

/** The first service whose prefix fits. */
export function serviceOf(type: string): Service {
  const service = services.find(({ prefix }) => type.startsWith(prefix));
  if (service === undefined)
    throw new Error(`Add the service of ${type} to ${import.meta.filename}`);
  return service;
}

export function subjectOf({ subjects }: Service, type: string): string {
  return subjects.find(([end]) => end.test(type))?.[1] ?? "";
}

/** The values of the fields of a type. */
export function valuesOf({ values, variants = [] }: Service, type: string) {
  return { ...values, ...variants.find(([end]) => end.test(type))?.[1] };
}
