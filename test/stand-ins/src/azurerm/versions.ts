/** The API versions that the azurerm provider of the recorded schema asks for. */
export const API_VERSION = {
  authorization: "2022-04-01",
  roleDefinitions: "2022-05-01-preview",
  eventGrid: "2025-02-15",
  providers: "2022-09-01",
  resourceGroups: "2023-07-01",
  storage: "2023-05-01",
  subscriptions: "2022-12-01",
} as const;

/** A Resource Manager path with its API version. */
export function versioned(path: string, version: string): string {
  return `${path}?api-version=${version}`;
}

/** A path of Event Grid's API with its API version. */
export function eventGrid(path: string): string {
  return versioned(path, API_VERSION.eventGrid);
}
