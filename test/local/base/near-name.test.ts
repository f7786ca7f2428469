import { expect, it } from "vitest";
import { nearName } from "../../../local/src/base/index.js";

it.each([
  ["PORT", ["host", "port"], "port"],
  ["pot", ["port"], undefined],
  ["rety", ["retry"], "retry"],
  ["retyr", ["retry"], undefined],
  ["filt", ["filter"], undefined],
  ["histroy", ["history"], "history"],
  ["tpc", ["topical"], undefined],
  ["topics", ["topical", "topic"], "topic"],
])("%s among %j is meant for %s", (name, known, meant) => {
  expect(nearName(name, known)).toBe(meant);
});
