import type { ResourceType } from "../engine/index.js";

/**
 * Lists of Event Grid's resources: filters compare names, and pages are small.
 *
 * @see https://learn.microsoft.com/rest/api/eventgrid/controlplane/topics/list-by-subscription
 */
export const eventGridLists = {
  filter: { compared: ["name"], functions: { contains: ["name"] } },
  pages: { size: 20, max: 100 },
} as const satisfies Pick<ResourceType, "filter" | "pages">;
