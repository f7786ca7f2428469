import fc from "fast-check";
import { expect, it } from "vitest";
import { DeliverySlots } from "../../../../local/src/eventgrid/delivery/delivery-slots.js";

/** A user with so many attempts to make, which records when it begins one. */
function userOf(slots: DeliverySlots, place: string, work: number, log: { name: string }[]) {
  const name = `${place} ${log.length} ${Math.random()}`;
  const releases: (() => void)[] = [];
  const user = {
    name,
    place,
    releases,
    left: work,
    begin(release: () => void) {
      if (user.left === 0) return false;
      user.left--;
      releases.push(release);
      log.push(user);
      if (user.left > 0) slots.request(place, user);
      return true;
    },
  };
  return user;
}

it("bounds attempts in all and at each destination, and starves nobody", () => {
  const places = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
  const loads = fc.array(fc.tuple(places, fc.integer({ min: 0, max: 60 })), { maxLength: 60 });
  fc.assert(
    fc.property(loads, fc.infiniteStream(fc.nat()), (load, choices) => {
      const slots = new DeliverySlots();
      const log: { name: string }[] = [];
      const users = load.map(([place, work]) => userOf(slots, place, work, log));
      for (const user of users) slots.request(user.place, user);
      for (;;) {
        const running = users.flatMap((user) => user.releases.map(() => user));
        expect(running.length).toBeLessThanOrEqual(256);
        for (const place of new Set(users.map((user) => user.place))) {
          const there = running.filter((user) => user.place === place).length;
          expect(there).toBeLessThanOrEqual(32);
          // A slot is free only if nobody wants it.
          const wants = users.some((user) => user.place === place && user.left > 0);
          if (wants && running.length < 256) expect(there).toBe(32);
        }
        const [choice = 0] = [choices.next().value];
        const user = running[Number(choice) % Math.max(1, running.length)];
        if (!user) break;
        user.releases.shift()?.();
      }
      expect(users.every((user) => user.left === 0)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it("gives the subscriptions of a destination their turns", () => {
  const slots = new DeliverySlots();
  const log: { name: string }[] = [];
  const flood = userOf(slots, "a", 1_000, log);
  slots.request("a", flood);
  const late = userOf(slots, "a", 3, log);
  slots.request("a", late);
  for (let ended = 0; ended < 6; ended++) flood.releases.shift()?.();
  expect(log.slice(32).filter((user) => user === late)).toHaveLength(3);
});
