/* What commands have done, as the command line and the page say it. */

export const FAULT_BEGUN = "The fault is in force.";
export const FAULTS_ENDED = "No faults are in force.";
export const RESET = "The history, pending events and faults are cleared.";

export function resent(subscriptions: readonly string[]): string {
  if (subscriptions.length === 0) return "No event subscription matches this event.";
  return `Sent again to ${subscriptions.join(", ")}.`;
}

export function retried(deliveries: number): string {
  return `Retried ${deliveries} ${deliveries === 1 ? "delivery" : "deliveries"}.`;
}

export function rotated(retire = false): string {
  return retire
    ? "Tokens are signed with a new key. Tokens of the old keys are invalid."
    : "Tokens are signed with a new key. The old key stays published.";
}
