/** The queue of an event subscription: receiving from it, holding locks, and settling events. */

export { Locks, PulledEvent } from "./locks.js";
export { type LockedEvent, QueueClient } from "./queue-client.js";
export { ReceiveLoop, type Room } from "./receive-loop.js";
export { dispositionOf, Settler } from "./settler.js";
