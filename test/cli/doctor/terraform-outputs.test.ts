import { expect, it } from "vitest";
import {
  ownSubscription,
  readTerraformOutputs,
} from "../../../cli/src/doctor/terraform-outputs.js";

const id = (name: string, place = "topics/orders/providers/Microsoft.EventGrid") =>
  `/subscriptions/1/providers/Microsoft.EventGrid/${place}/eventSubscriptions/${name}`;

it("reads environments and event subscriptions of outputs, wrapped or not", () => {
  const outputs = {
    environment: {
      value: { ORDERS_DIRECTION: "input", a_DIRECTION: "input", PORT_2: "1", N: 3, "X-Y": "" },
    },
    PULL_NAMESPACE_ENDPOINT: "n",
    ids: { value: { scope: id("a"), extra: id("b", "namespaces/n/topics/t") } },
    alone: { sensitive: false, value: id("c") },
    others: { queue: id("d", "namespaces/n"), longer: `${id("e")}/x`, before: `x${id("f")}` },
    nothing: null,
  };
  expect(readTerraformOutputs(JSON.stringify(outputs))).toEqual({
    environment: { ORDERS_DIRECTION: "input", PORT_2: "1" },
    prefixes: ["ORDERS"],
    eventSubscriptions: [
      { output: "ids", key: "scope", id: id("a") },
      { output: "ids", key: "extra", id: id("b", "namespaces/n/topics/t") },
      { output: "alone", key: "", id: id("c") },
    ],
  });
  const pull = { environment: { value: { PULL_NAMESPACE_ENDPOINT: "n" } } };
  expect(readTerraformOutputs(JSON.stringify(pull)).prefixes).toEqual(["PULL"]);
  expect(readTerraformOutputs("1").eventSubscriptions).toEqual([]);
  expect(() => readTerraformOutputs("a = 1")).toThrow("use terraform output -json");
});

it("takes the subscription of the binding's own scope, unless there are several", () => {
  const one = (output: string, key: string) => ({ output, key, id: `${output} ${key}` });
  const own = (...eventSubscriptions: ReturnType<typeof one>[]) =>
    ownSubscription({ environment: {}, prefixes: [], eventSubscriptions }, "MY_SHOP");
  const other = one("other_ids", "scope");
  expect(own(one("my-shop_ids", "archive"), one("my-shop_ids", "scope"), other)).toBe(
    "my-shop_ids scope",
  );
  expect(own(other)).toBe("other_ids scope");
  expect(own(one("my_shops", ""))).toBe("my_shops ");
  expect(own(other, one("more_ids", ""))).toBeUndefined();
  expect(own(one("other_ids", "archive"))).toBeUndefined();
});
