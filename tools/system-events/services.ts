/** Where the events of a service come from, and what they are about. */
export interface Service {
  /** Beginning of its event types. */
  readonly prefix: string;
  /** Type of the resource that raises them; missing if it is a subscription or a resource group. */
  readonly resourceType?: string;
  /** Subjects by the end of the event type; the first that matches counts. */
  readonly subjects: readonly (readonly [end: RegExp, subject: string])[];
  /** Values of fields of its payloads, which other services give a different meaning. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Fields that the SDK lacks. */
  readonly more?: Readonly<Record<string, unknown>>;
}

const VM =
  "/subscriptions/{subscriptionId}/resourceGroups/shop/providers/Microsoft.Compute/virtualMachines/vm-1";
const USER = "8:acs:{uuid}";
const THREAD = "thread/19:support@thread.v2";

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
  {
    prefix: "Microsoft.Communication.",
    resourceType: "Microsoft.Communication/communicationServices",
    subjects: [
      [/Advanced\w+$/, "advancedMessage/sender/15555550100/recipient/{uuid}"],
      [/Email\w+$/, "sender/shop@example.com/message/{uuid}"],
      [/SMS\w+$/, "/phonenumber/15555550100"],
      [/RouterJob\w+$/, "job/job-1/channel/voice"],
      [/RouterWorker\w+$/, "worker/worker-1"],
      [/Chat\w*InThread$/, THREAD],
      [/Chat\w+$/, `${THREAD}/recipient/${USER}`],
      [/Recording\w+$/, "recording/call/call-1/recordingId/recording-1"],
      [/UserDisconnected$/, `user/${USER}`],
      [/$/, "call/call-1/startedBy/ana"],
    ],
    values: {
      kind: "communicationUser",
      rawId: USER,
      id: USER,
      from: "15555550100",
      to: "15555550101",
      properties: { topic: "Support" },
      labels: { language: "en" },
      tags: { shop: "bern" },
      value: 5,
      key: "language",
      version: 1613694358927,
      type: "Text",
      threadId: "19:support@thread.v2",
      status: "Delivered",
      message: "Your order is on its way.",
      name: "ana",
      displayName: "Ana",
      senderDisplayName: "Ana",
      callerDisplayName: "Ana",
      role: "Attendee",
      state: "active",
      labelOperator: "Equal",
      jobStatus: "Queued",
      channelType: "whatsapp",
      deliveryStatus: "Delivered",
      deliveryStatusDetails: "No error.",
      engagementType: "view",
      recordingContentType: "AudioVideo",
      recordingChannelType: "Mixed",
      recordingFormatType: "Mp4",
      messageBody: "Where is my order?",
      content: "Where is my order?",
      sender: "shop@example.com",
      recipient: "ana@example.com",
      mimeType: "image/jpeg",
    },
  },
  {
    prefix: "Microsoft.ContainerRegistry.",
    resourceType: "Microsoft.ContainerRegistry/registries",
    subjects: [
      [/Chart\w+$/, "shop"],
      [/$/, "shop/orders:v1"],
    ],
    values: {
      action: "push",
      digest: "sha256:0000000000000000000000000000000000000000000000000000000000000000",
      mediaType: "application/vnd.docker.distribution.manifest.v2+json",
      repository: "shop/orders",
      tag: "v1",
      version: "1.0.0",
      name: "shop",
      host: "{name}.azurecr.io",
      addr: "192.0.2.1",
      method: "PUT",
      url: "https://{name}.azurecr.io/v2/shop/orders/manifests/v1",
      useragent: "docker/27.0",
      location: "westeurope",
      size: 524,
      length: 524,
    },
  },
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
      state: "Enabled",
      attributes: { floor: "1" },
      sequenceNumber: 1,
    },
  },
  { prefix: "Microsoft.EventGrid.", subjects: [[/$/, ""]] },
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
    subjects: [[/$/, "example"]] as const,
    values: {
      Id: `https://{name}.vault.azure.net/${kind.toLowerCase()}s/example/00000000000000000000000000000001`,
      ObjectType: kind,
    },
  })),
  {
    prefix: "Microsoft.KeyVault.",
    resourceType: "Microsoft.KeyVault/vaults",
    subjects: [[/$/, "{name}"]],
    values: { Id: "https://{name}.vault.azure.net/", ObjectName: "{name}" },
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
    },
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
    },
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
