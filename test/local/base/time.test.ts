import { afterEach, expect, it } from "vitest";
import { utcTime } from "../../../local/src/base/index.js";

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

it.each(["2027-01-31T22:00:00", "1/31/2027 10:00:00 PM", "2027-02-01T00:00:00+0200"])(
  "the time %s does not depend on where this machine is",
  (text) => {
    process.env.TZ = "America/New_York";
    expect(utcTime(text)).toBe(Date.UTC(2027, 0, 31, 22));
  },
);
