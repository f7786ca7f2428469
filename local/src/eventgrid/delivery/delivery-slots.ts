/** Attempts at once in all, so that no load exhausts connections and memory. */
const IN_ALL = 256;
/** Attempts at once at one destination: twice what one subscription may use. */
const PER_DESTINATION = 32;
/** Attempts at once of one subscription. */
export const PER_SUBSCRIPTION = 16;

/** A subscription with events to deliver. */
export interface SlotUser {
  /**
   * Begins one attempt, and calls `release` when it has ended.
   *
   * @returns `false` if there is nothing to do any more
   */
  begin(release: () => void): boolean;
}

/** A host, or a queue: subscriptions that wait for a slot there, the longest first. */
interface Destination {
  readonly name: string;
  used: number;
  readonly waiting: SlotUser[];
}

/**
 * Bounds the attempts at once, and shares them: destinations take turns, and so do the subscriptions of
 * a destination.
 */
export class DeliverySlots {
  #used = 0;
  readonly #destinations = new Map<string, Destination>();
  /** Destinations that have a free slot and a subscription that waits for it, in their turn. */
  readonly #ready: Destination[] = [];
  #isGranting = false;

  /** Lets the subscription begin one attempt in its turn. Again before that changes nothing. */
  request(name: string, user: SlotUser): void {
    let destination = this.#destinations.get(name);
    if (!destination) {
      destination = { name, used: 0, waiting: [] };
      this.#destinations.set(name, destination);
    }
    if (!destination.waiting.includes(user)) destination.waiting.push(user);
    this.#queue(destination);
    this.#grant();
  }

  #queue(destination: Destination): void {
    const isReady = destination.waiting.length > 0 && destination.used < PER_DESTINATION;
    if (isReady && !this.#ready.includes(destination)) this.#ready.push(destination);
  }

  #grant(): void {
    // A user that begins asks for its next attempt: the loop that is running sees it.
    if (this.#isGranting) return;
    this.#isGranting = true;
    while (this.#used < IN_ALL) {
      const destination = this.#ready.shift();
      if (!destination) break;
      const user = destination.waiting.shift();
      if (!user) continue;
      this.#take(destination, 1);
      if (!user.begin(() => this.#release(destination))) this.#take(destination, -1);
      this.#queue(destination);
    }
    this.#isGranting = false;
  }

  #release(destination: Destination): void {
    this.#take(destination, -1);
    this.#queue(destination);
    this.#grant();
    const isIdle = destination.used === 0 && destination.waiting.length === 0;
    if (isIdle) this.#destinations.delete(destination.name);
  }

  #take(destination: Destination, slots: 1 | -1): void {
    this.#used += slots;
    destination.used += slots;
  }
}
