import { nearName } from "cloud-eventgrid-binding-runtime/internal";
import { describe, expect, it } from "vitest";
import { unknownNames } from "../../../runtime/src/validation/index.js";

describe("a name that is probably misspelt", () => {
  it.each([
    ["adress", "address"],
    ["addresss", "address"],
    ["addrexs", "address"],
    ["adderss", "address"],
    ["ADDRESS", "address"],
    ["handShakePorts", "handshakePort"],
    ["limts", "limits"],
    ["PORT", "port"],
  ])("%s is recognised as %s", (name, meant) => {
    expect(nearName(name, ["port", "limits", "address", "handshakePort"])).toBe(meant);
  });

  it.each(["part", "limtes", "adrez", "other"])("%s resembles no known name", (name) => {
    expect(nearName(name, ["port", "limits", "address"])).toBeUndefined();
  });

  it("is reported with the known name, unless its value is undefined", () => {
    const options = { limts: 1, adress: undefined, other: 2 };
    const allowsOthers = true;
    expect(unknownNames(options, ["limits", "address"], "server.", { allowsOthers })).toEqual([
      {
        field: "server.limts",
        rule: "unknown",
        message: "server.limts is unknown: did you mean limits?",
      },
    ]);
  });
});
