import type { Area } from "../../row.js";
import { directory } from "./directory.js";
import { errors } from "./errors.js";
import { eventSubscriptions } from "./event-subscriptions.js";
import { namespaces } from "./namespaces.js";
import { topics } from "./topics.js";

/** The areas of recorded answers, in the order of the page. */
export const recorded: readonly Area[] = [
  topics,
  eventSubscriptions,
  namespaces,
  errors,
  directory,
];
