import { expect, it } from "vitest";
import { isReplayed, replayedIn, withMarks } from "../../../cli/src/dead-letters/marks.js";

// https://learn.microsoft.com/rest/api/storageservices/setting-and-retrieving-properties-and-metadata-for-blob-resources
it("marks every second of 40,000 records in the 8 KB that a blob's metadata may have", () => {
  const replayed = new Set(Array.from({ length: 20_000 }, (_, index) => 2 * index));
  const metadata = withMarks({ kept: "x" }, replayed, 40_000);
  expect(Object.entries(metadata).flat().join("").length).toBeLessThan(8192);
  expect(replayedIn(metadata)).toEqual(replayed);
  expect(isReplayed(metadata)).toBe(false);
});
