import { expect, it } from "vitest";
import { describeWith } from "../../../support/describe-with.js";
import { prove } from "./proof.js";

/** `PROOF_ORDERS=10000` for the runs whose figures are in the documentation. */
const ORDERS = Number(process.env.PROOF_ORDERS ?? 2_000);

describeWith(
  "postgres",
  "the proof of exactly once",
  () => {
    it.each(["listener", "receiver"])("ships every order exactly once with a %s", async (kind) => {
      const findings = await prove(ORDERS, kind === "receiver");
      console.log(`exactly once, ${kind}:`);
      console.table(findings);
      expect(findings).toMatchObject({
        orders: ORDERS,
        "orders with exactly one shipment": ORDERS,
        "orders without a shipment": 0,
        "orders with several shipments": 0,
        "events of orders that do not exist": 0,
      });
      const { orders: _, seconds, ...counts } = findings;
      expect(seconds).toBeGreaterThan(0);
      for (const name of [
        "processes killed",
        "events published twice",
        "deliveries beyond the first",
        "duplicates suppressed by the inbox",
      ] as const) {
        expect(counts[name], name).toBeGreaterThan(0);
      }
    });
  },
  { timeout: 900_000 },
);
