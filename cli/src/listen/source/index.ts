/** Where the events of `listen` come from, and what it creates in Azure for that. */
export {
  type Account,
  openAccount,
  queueError,
  readAccountId,
} from "./account.js";
export { type FilterFlags, readFilter } from "./filter.js";
export { newName, originOf, owner, PREFIX } from "./names.js";
export { QueueSource, type ReceivedEvent } from "./queue-source.js";
export { Refused } from "./rights.js";
export { readScope, type Scope } from "./scope.js";
export {
  deleteSubscription,
  EXPIRY_MINUTES,
  listSubscriptions,
  type SubscriptionServices,
} from "./subscription.js";
