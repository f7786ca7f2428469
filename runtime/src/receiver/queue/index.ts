/** The queue of an event subscription: receiving from it, holding locks, and settling events. */
export { Locks } from "./locks.js";
export { PulledEvent } from "./pulled-event.js";
export { type LockedEvent, QueueClient } from "./queue-client.js";
export { ReceiveLoop, type Room } from "./receive-loop.js";
export { type Settlement, Settler } from "./settler.js";
