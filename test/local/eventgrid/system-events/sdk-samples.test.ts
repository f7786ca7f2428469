import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { systemEventTypes } from "cloud-eventgrid-local";
import { expect, it } from "vitest";
import {
  sdkSamples,
  writtenFamilies,
} from "../../../../local/src/eventgrid/system-events/families.js";

/** How a serializer of the SDK describes a value on the wire. */
interface Mapper {
  readonly serializedName?: string;
  readonly type: {
    readonly className?: string;
    readonly modelProperties?: Readonly<Record<string, Mapper>>;
    readonly element?: Mapper;
  };
}

const load = createRequire(import.meta.url);
const sdk = dirname(load.resolve("@azure/eventgrid"));
const mappers: Readonly<Record<string, Mapper>> = load(join(sdk, "generated/models/mappers.js"));

/** The class of the payload of each event type. The SDK misspells two types. */
const classes = new Map(
  [
    ...readFileSync(join(sdk, "predicates.d.ts"), "utf8").matchAll(
      /^ {4}"(Microsoft\.[\w. ]+)": (\w+);$/gm,
    ),
  ].map(([, type = "", className = ""]) => [
    type.trim().replace(/SelectorsExpire$/, "SelectorsExpired"),
    className,
  ]),
);

/** The service sends these, and the serializers of their classes lack them. */
const ALSO_SENT = /^WebSlotSwap\w+\.(source|target)Slot$/;

/** The fields of a value that the serializer of its class does not have. */
function unknownFields(value: unknown, { type }: Mapper): string[] {
  if (Array.isArray(value))
    return value.flatMap((item) => unknownFields(item, type.element ?? { type: {} }));
  const { className = "" } = type;
  const { modelProperties } = mappers[className]?.type ?? {};
  if (modelProperties === undefined || value === null) return [];
  const fields = new Map(
    Object.values(modelProperties).map((each) => [each.serializedName?.replaceAll("\\", ""), each]),
  );
  return Object.entries(Object(value)).flatMap(([name, inner]) => {
    const field = fields.get(name);
    return field ? unknownFields(inner, field) : `${className}.${name}`;
  });
}

it("every event type of the SDK has a sample, but those of the retired Media Services", () => {
  expect(classes.size).toBeGreaterThan(200);
  expect(
    [...classes.keys()].filter(
      (type) =>
        !type.startsWith("Microsoft.Media.") && !systemEventTypes.some((each) => each === type),
    ),
  ).toEqual([]);
});

it("the samples of the SDK's types have the names that its serializers give to fields", () => {
  const unknown = Object.entries(sdkSamples).flatMap(([type, { data }]) =>
    unknownFields(data, { type: { className: classes.get(type) ?? type } }),
  );
  expect(unknown.filter((field) => !ALSO_SENT.test(field))).toEqual([]);
});

it("a sample has a value in each of its fields", () => {
  const written = writtenFamilies.flatMap(({ samples }) => Object.values(samples).flat());
  const data = [...Object.values(sdkSamples), ...written].map((each) => JSON.stringify(each));
  const empty = data.flatMap((text) => [...text.matchAll(/"([^"]+)":""/g)].map(([, name]) => name));
  // No errors; "may be empty", says the reference of the SDK; and what has no subject.
  expect([...new Set(empty)].sort()).toEqual(["complianceReasonCode", "errorList", "subject"]);
});
