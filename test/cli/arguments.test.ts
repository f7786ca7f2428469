import { describe, expect, it, onTestFinished, vi } from "vitest";
import { collect, readTime, resourceId, wholeNumber } from "../../cli/src/arguments.js";

describe("an argument", () => {
  it("is a time, or a span before now in minutes, hours or days", () => {
    const minutesAgo = (text: string) => (Date.now() - readTime(text).getTime()) / 60_000;
    expect(minutesAgo("30m")).toBeCloseTo(30, 1);
    expect(minutesAgo("24h")).toBeCloseTo(24 * 60, 1);
    expect(minutesAgo("7d")).toBeCloseTo(7 * 24 * 60, 1);
    // Where this machine is does not matter.
    vi.stubEnv("TZ", "America/New_York");
    onTestFinished(() => void vi.unstubAllEnvs());
    const seven = new Date(Date.UTC(2026, 0, 31, 7));
    for (const text of ["T07:00Z", "T07:00", " 07:00:00", "T09:00+02:00", " 09:00:00+02:00"])
      expect(readTime(`2026-01-31${text}`)).toEqual(seven);
    expect(readTime("2026-01-31")).toEqual(new Date(Date.UTC(2026, 0, 31)));
    for (const text of [
      "7",
      "7w",
      "1234567d",
      "x7d",
      "7dx",
      "2026-13-01",
      "2026-02-30",
      "2026-02-30T07:00Z",
      "31.1.2026",
      "x 2026-01-31",
    ]) {
      expect(() => readTime(text)).toThrow("It must be a time such as");
    }
  });

  it("is a whole number within its limits", () => {
    const read = wholeNumber(1, 20);
    expect([read("1"), read("20")]).toEqual([1, 20]);
    for (const text of ["0", "21", "1.5", "-1", "1e1", "", "0000000001"]) {
      expect(() => read(text)).toThrow("It must be a whole number from 1 to 20.");
    }
  });

  it("is the ID of a resource, a group or a management group, with or without its first slash", () => {
    const read = resourceId("az");
    for (const id of [
      "/subscriptions/s",
      "/subscriptions/s/resourceGroups/g",
      "/providers/Microsoft.Management/managementGroups/m/x",
    ]) {
      expect([read(id), read(id.slice(1))]).toEqual([id, id]);
    }
    for (const text of ["/subscriptions", "/subscriptions/s//g", "/x/subscriptions/s", "s"]) {
      expect(() => read(text)).toThrow("It must be a resource ID");
    }
  });

  it("is kept beside the others if it is repeated", () => {
    expect(collect("b", collect("a"))).toEqual(["a", "b"]);
  });
});
