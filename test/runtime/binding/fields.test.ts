import type { BindingProps } from "cloud-eventgrid-binding-runtime/binding";
import { describe, expect, it } from "vitest";
import { readDocument } from "../../../runtime/src/binding/component-document/read.js";
import { writeDocument } from "../../../runtime/src/binding/component-document/write.js";
import { environmentOf } from "../../../runtime/src/binding/environment/binding-environment.js";
import { readEnvironment } from "../../../runtime/src/binding/environment/binding-from-environment.js";
import { bindingFields, type FieldTable } from "../../../runtime/src/binding/fields/index.js";
import { parseBinding, resolveBinding } from "../../../runtime/src/binding/parsing/index.js";
import { choiceRule } from "../../../runtime/src/validation/index.js";
import { outputProps } from "./example-props.js";
import { problemsOf } from "./problems.js";

const fields: FieldTable = {
  ...bindingFields,
  publishRegion: {
    direction: "output",
    description: "region that is published to",
    rule: choiceRule("east", "west"),
    required: true,
    documentNames: { current: "publishRegion", earlier: "region", vendor: "azureRegion" },
    service: { variable: "REGION", required: true },
  },
};

/** Props with the added field, which their type does not have. */
const withRegion: BindingProps & object = Object.assign({}, outputProps, { publishRegion: "west" });

describe("a field that is added to the table", () => {
  it("is required and checked by its rule", () => {
    expect(parseBinding(outputProps, {}, fields)).toMatchObject([
      { field: "publishRegion", rule: "required" },
    ]);
    const wrong = { ...withRegion, publishRegion: "north" };
    expect(parseBinding(wrong, {}, fields)).toMatchObject([
      { field: "publishRegion", rule: "choice" },
    ]);
    expect(parseBinding(withRegion, {}, fields)).toHaveProperty("publishRegion", "west");
  });

  it("is written to the environment and read from it", () => {
    const binding = resolveBinding(withRegion, {}, fields);
    const { variables, secrets } = environmentOf(binding, "ORDERS", {}, fields);
    expect(variables).toHaveProperty("ORDERS_REGION", "west");
    const env = { ...variables, ...secrets };
    const options = { direction: "output", env } as const;
    expect(readEnvironment("ORDERS", options, fields)).toHaveProperty("publishRegion", "west");
    const without = { ...options, env: { ...env, ORDERS_REGION: undefined } };
    expect(problemsOf(() => readEnvironment("ORDERS", without, fields))).toEqual([
      "ORDERS_REGION: required",
    ]);
  });

  it.each([
    ["current", "publishRegion"],
    ["earlier", "region"],
    ["vendor", "azureRegion"],
  ] as const)("is written to a document with the %s names and read back", (vocabulary, name) => {
    const text = writeDocument(withRegion, { name: "orders", vocabulary }, fields);
    expect(text).toContain(`- name: ${name}\n      value: "west"`);
    expect(readDocument(text, {}, fields).props).toHaveProperty("publishRegion", "west");
  });

  it("belongs to its direction", () => {
    const { topicEndpoint: _, accessKey: __, ...region } = { ...withRegion, direction: "input" };
    expect(parseBinding(region, {}, fields)).toContainEqual(
      expect.objectContaining({ field: "publishRegion", rule: "direction" }),
    );
  });
});
