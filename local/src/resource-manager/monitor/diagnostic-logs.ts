import { field, listAt, sameScope, textAt } from "../../base/index.js";
import { BoundedHistory, type Failure, MAX_HISTORY_BYTES } from "../../eventgrid/index.js";
import type { Resource, Resources } from "../engine/index.js";
import { sourceOf, systemTopics } from "../event-grid/index.js";
import { settingsOf } from "./diagnostic-settings.js";

/**
 * A line of Event Grid's diagnostic logs.
 *
 * @see https://learn.microsoft.com/azure/event-grid/monitor-push-reference#resource-logs
 */
export interface DiagnosticLog {
  readonly time: string;
  /** In capitals. */
  readonly resourceId: string;
  /** In capitals; only of delivery failures. */
  readonly eventSubscriptionName?: string;
  readonly category: "DeliveryFailures" | "PublishFailures";
  readonly operationName: "Deliver" | "Publish";
  readonly message: string;
}

/** Logs the failures of resources whose diagnostic settings enable the category. */
export class DiagnosticLogs {
  readonly #lines: BoundedHistory<DiagnosticLog>;

  constructor(
    private readonly resources: Resources,
    history: number,
  ) {
    this.#lines = new BoundedHistory(history, MAX_HISTORY_BYTES);
  }

  add({ category, scope, eventSubscription, at, message }: Failure): void {
    const topics = systemTopics(this.resources).filter((each) => sameScope(sourceOf(each), scope));
    // A topic of a domain has the settings of the domain.
    const domain = /^.*\/domains\/[^/]+(?=\/topics\/)/i.exec(scope)?.[0];
    const about = [domain ?? scope, ...topics.map(({ id }) => id)];
    const resourceId = about.find((id) =>
      settingsOf(this.resources, id).some((each) => enables(each, category)),
    );
    if (resourceId === undefined) return;
    this.#lines.add(
      {
        time: new Date(at).toISOString(),
        resourceId: resourceId.toUpperCase(),
        ...(eventSubscription !== undefined && {
          eventSubscriptionName: eventSubscription.toUpperCase(),
        }),
        category,
        operationName: category === "DeliveryFailures" ? "Deliver" : "Publish",
        message,
      },
      message.length,
    );
  }

  /** Oldest first. */
  list(): DiagnosticLog[] {
    return this.#lines.list();
  }

  clear(): void {
    this.#lines.clear();
  }
}

function enables({ body }: Resource, category: string): boolean {
  return listAt(body, "properties", "logs").some(
    (each) =>
      field(each, "enabled") === true &&
      (textAt(each, "category") === category || textAt(each, "categoryGroup") === "allLogs"),
  );
}
