/** The option of event subscriptions for a container of dead letters. */
export function deadLettersTo(blobContainerName: string, resourceId?: string) {
  const properties = { blobContainerName, resourceId };
  return { deadLetterDestination: { endpointType: "StorageBlob", properties } } as const;
}
