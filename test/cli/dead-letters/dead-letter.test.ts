import { expect, it } from "vitest";
import { cloudEventOf } from "../../../cli/src/dead-letters/dead-letter.js";

it("takes an event without a specversion for a CloudEvent by its source and type", () => {
  const event = { source: "/s", type: "t" };
  expect(cloudEventOf({ event })).toEqual({ specversion: "1.0", ...event });
  for (const other of [{ source: 1 }, { type: 1 }, { specversion: "0.3" }]) {
    expect(cloudEventOf({ event: { ...event, ...other } })).toBeUndefined();
  }
});
