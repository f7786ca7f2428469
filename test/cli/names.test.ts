import { expect, it } from "vitest";
import { byProjectName, namesOf, projectName } from "../../cli/src/project/names.js";

it.each([
  ["Orders & Events 2", "orders-events-2"],
  ["ä ö ü ß æ œ ø å ł đ þ é", "ae-oe-ue-ss-ae-oe-o-aa-l-d-th-e"],
  ["system", "binding-system"],
  ["Microsoft orders", "binding-microsoft-orders"],
  ["eventgrid", "binding-eventgrid"],
  ["2 orders", "binding-2-orders"],
  ["ab", "ab-events"],
  ["abc", "abc"],
  ["a".repeat(32), "a".repeat(32)],
])("makes of %j the name %s", (text, name) => {
  expect(projectName(text)).toBe(name);
});

it("shortens a name to the 32 characters of a container app, with a hash", () => {
  const names = [
    "a".repeat(33),
    `${"a".repeat(33)}b`,
    `${"a".repeat(24)}-${"b".repeat(9)}`,
    `a-${"b".repeat(40)}`,
  ];
  expect(names.map(projectName)).toEqual([
    expect.stringMatching(/^a{25}-[0-9a-f]{6}$/),
    expect.stringMatching(/^a{25}-[0-9a-f]{6}$/),
    expect.stringMatching(/^a{24}-[0-9a-f]{6}$/),
    expect.stringMatching(/^a-b{23}-[0-9a-f]{6}$/),
  ]);
  expect(new Set(names.map(projectName)).size).toBe(4);
});

it("names a project's folder, type, variables and outputs", () => {
  expect(namesOf("shop-orders")).toEqual({
    folder: "shop-orders",
    type: "ShopOrders",
    prefix: "SHOP_ORDERS",
    output: "shop_orders",
  });
});

it("refuses components whose projects would have one name, and one name for several", () => {
  const several = [{ name: "Orders" }, { name: "orders" }];
  expect(() => byProjectName(several)).toThrow(
    'the components "Orders" and "orders" both become orders',
  );
  expect(() => byProjectName(several, "shop")).toThrow("--name needs a single component");
  const [orders, stock] = [{ name: "Orders" }, { name: "stock" }];
  expect([...byProjectName([orders], "shop")]).toEqual([["shop", orders]]);
  expect([...byProjectName([stock, orders])]).toEqual([
    ["stock", stock],
    ["orders", orders],
  ]);
});
