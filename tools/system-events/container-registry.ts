import type { Service } from "./service.js";

const digest = "sha256:5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef";

/** Charts have no request. */
const chart = {
  mediaType: "application/vnd.acr.helm.chart",
  size: 25265,
  tag: "shop-1.0.0.tgz",
  name: "shop",
  version: "1.0.0",
  length: undefined,
  request: undefined,
};

const deletedImage = { action: "delete", method: "DELETE", useragent: "python-requests/2.32" };

/**
 * The documented payloads, which have fewer fields than the SDK's classes.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-schema-container-registry
 */
export const containerRegistry: Service = {
  prefix: "Microsoft.ContainerRegistry.",
  resourceType: "Microsoft.ContainerRegistry/registries",
  subjects: [
    [/Chart\w+$/, "shop:1.0.0"],
    [/ImageDeleted$/, "shop/orders"],
    [/$/, "shop/orders:v1"],
  ],
  values: {
    digest,
    location: "westeurope",
    repository: "shop/orders",
    mediaType: "application/vnd.docker.distribution.manifest.v2+json",
    action: "push",
    tag: "v1",
    size: 3023,
    length: 3023,
    host: "{name}.azurecr.io",
    method: "PUT",
    useragent: "docker/27.0",
    addr: undefined,
    url: undefined,
    name: undefined,
    version: undefined,
    actor: undefined,
    source: undefined,
    connectedRegistry: undefined,
  },
  variants: [
    [/ChartPushed$/, { ...chart, action: "chart_push" }],
    [/ChartDeleted$/, { ...chart, action: "chart_delete" }],
    [/ImageDeleted$/, { ...deletedImage, tag: undefined, size: undefined, length: undefined }],
  ],
};
