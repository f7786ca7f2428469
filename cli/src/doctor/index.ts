/** Finds the reasons why a deployment does not deliver events. */
export { type DoctorEnvironment, type DoctorFlags, Examination } from "./examination.js";
export { type ShownSubscription, subscriptionsAt } from "./subscriptions.js";
