import { describe, expect, it } from "vitest";
import { showValue } from "../../../runtime/src/validation/index.js";

describe("a value in a message", () => {
  it.each([
    "mJ8q2ZtW0vR5xY1kP7nB4cL9sD3fG6hT/aQeUiOrXz0=",
    "kLm8Q~a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXy",
    "Endpoint=https://orders.example.com/;SharedAccessKey=abc",
  ])("is not quoted if it looks like a secret: %s", (secret) => {
    expect(showValue(secret)).toBe(
      `a text of ${secret.length} characters that looks like a secret`,
    );
  });

  it.each([
    "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/Shop/providers/x",
    "11111111-1111-4111-8111-11111111111g",
    "OrdersEventSubscription2024ForTheWarehouseInEurope",
    "orders-topic-1.westeurope-1.eventgrid.azure.net",
  ])("is quoted if it is a name: %s", (name) => {
    expect(showValue(name)).toBe(JSON.stringify(name));
  });

  it("is shown without what is in it, unless it is a short list of numbers", () => {
    const inner = "hush";
    expect(
      [[1, 2.5], [], [1, inner], new Array(10).fill(1), { inner }, () => inner, true, null].map(
        showValue,
      ),
    ).toEqual([
      "[1, 2.5]",
      "a list",
      "a list",
      "a list",
      "an object",
      "a function",
      "true",
      "null",
    ]);
  });
});
