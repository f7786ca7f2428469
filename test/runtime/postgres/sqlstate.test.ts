import { expect, it } from "vitest";
import {
  canGoOn,
  isTransient,
  notCommittedBecause,
  repeated,
  sqlStateOf,
} from "../../../runtime/src/postgres/sqlstate.js";

const sqlError = (code: string) => Object.assign(new Error(code), { code });

it.each(["cause", "meta", "driverAdapterError", "driverError", "original", "parent"])(
  "finds the SQLSTATE of an error that a library puts into %s",
  (name) => {
    const library = { code: "P2010", [name]: { code: "EPIPE", cause: { originalCode: "40001" } } };
    expect(sqlStateOf(library)).toBe("40001");
  },
);

it.each(["P2010", "EPIPE", "ABCDE", "4000", "400011", 40001])("%j is no SQLSTATE", (code) => {
  expect(sqlStateOf({ code })).toBe("");
});

it("looks seven errors deep, since an error may be its own cause", () => {
  const below = (depth: number): object =>
    depth === 0 ? { code: "40P01" } : { cause: below(depth - 1) };
  expect(sqlStateOf(below(6))).toBe("40P01");
  expect(sqlStateOf(below(7))).toBe("");
});

it("repeats three times what a concurrent transaction makes fail, and nothing else", async () => {
  const tried = async (code: string, mayRepeat?: () => boolean) => {
    let tries = 0;
    const work = async () => {
      tries += 1;
      throw sqlError(code);
    };
    await expect(repeated(work, mayRepeat)).rejects.toThrow(code);
    return tries;
  };
  expect(await tried("40001")).toBe(3);
  expect(await tried("40P01")).toBe(3);
  expect(await tried("40001", () => false)).toBe(1);
  expect(await tried("23505")).toBe(1);
  expect(isTransient(undefined)).toBe(false);
});

it("goes on with a server that refuses a statement, not with one that is gone or read-only", () => {
  const states = ["23505", "40001", "08006", "57P01", "25006", undefined];
  const goingOn = states.filter((code) => canGoOn({ code }));
  expect(goingOn).toEqual(["23505", "40001"]);
});

it.each(["22012", "25P01", "25P02", "3B001"])("says why nothing was committed: %s", (code) => {
  const cause = sqlError(code);
  expect(notCommittedBecause(cause)).toMatchObject({ code: "ERR_POSTGRES_TRANSACTION", cause });
  expect(notCommittedBecause(cause)?.message).toContain(
    code === "25P02" ? "was rolled back" : "ended before the function",
  );
  expect(notCommittedBecause(sqlError("23505"))).toBeUndefined();
});
