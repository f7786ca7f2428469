import type { Area } from "../../row.js";
import { credentials } from "./credentials.js";
import { management } from "./management.js";
import { publishing } from "./publishing.js";
import { pushing } from "./push.js";
import { receiving } from "./receiving.js";
import { routing } from "./routing.js";
import { subscriptionManagement } from "./subscription-management.js";
import { subscriptions } from "./subscriptions.js";

/** The areas about namespaces, in the order of the page. */
export const namespaces: readonly Area[] = [
  publishing,
  credentials,
  receiving,
  subscriptions,
  pushing,
  routing,
  management,
  subscriptionManagement,
];
