import {
  type AdvancedFilter,
  containerName,
  type DeadLetterContainer,
  storageAccountId,
} from "../subscription/index.js";

/** The first and only stable version of Resource Manager's API with namespaces, which azapi knows. */
export const API_VERSION = "2025-02-15";

/** A condition as Resource Manager takes it, which writes `stringIn` as `StringIn`. */
export function filterBody({ operator, ...condition }: AdvancedFilter): object {
  return { operatorType: operator.charAt(0).toUpperCase() + operator.slice(1), ...condition };
}

/** A container for dead letters as Resource Manager takes it. */
export function deadLetterDestination(deadLetter: DeadLetterContainer): object {
  return {
    endpointType: "StorageBlob",
    properties: {
      resourceId: storageAccountId(deadLetter),
      blobContainerName: containerName(deadLetter),
    },
  };
}
