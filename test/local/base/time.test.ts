import { expect, it, vi } from "vitest";
import { utcTime } from "../../../local/src/base/index.js";

it.each(["2027-01-31T22:00:00", "1/31/2027 10:00:00 PM", "2027-02-01T00:00:00+0200"])(
  "the time %s does not depend on where this machine is",
  (text) => {
    vi.stubEnv("TZ", "America/New_York");
    const time = utcTime(text);
    vi.unstubAllEnvs();
    expect(time).toBe(Date.UTC(2027, 0, 31, 22));
  },
);
