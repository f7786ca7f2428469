import type { Directory } from "../directory/index.js";
import type { EventGrid, EventSubscriptions, Namespaces, Topics } from "../eventgrid/index.js";
import type { Ingress } from "../network/index.js";
import type { ControllableCloud } from "../remote/index.js";
import type { RoleAssignments } from "../resource-manager/index.js";
import type { Resources } from "./protocol.js";

/** The cloud that the dashboard shows and controls. */
export interface DashboardCloud extends ControllableCloud {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly httpOrigin: string;
  readonly clockKind: "real" | "scaled" | "stepped";
  readonly clockSpeed: number;
  readonly topics: Topics;
  readonly domains: Topics;
  readonly namespaces: Namespaces;
  readonly eventSubscriptions: EventSubscriptions;
  readonly directory: Directory;
  readonly ingress: Ingress;
  readonly eventGrid: EventGrid;
  /** Missing without Resource Manager. */
  readonly controlPlane:
    | {
        readonly roleAssignments: RoleAssignments;
        systemTopics(): Resources["systemTopics"];
      }
    | undefined;
}
