import { expect, it } from "vitest";
import {
  assignRole,
  createPrincipal,
  findings,
  unreadableRemedy,
} from "../../../cli/src/doctor/finding.js";
import { findingText, verdict } from "../../../cli/src/doctor/report.js";

const { ok, note, warning, failed, unknown, unreadable, notShown, notReadable } = findings("topic");
const portal = { text: "inspect it in the Azure portal" };

it("shows a finding with its remedy in columns, and a command on one line", () => {
  const remedy = {
    text: "because of\nthis: sign in again please",
    command: `az ${"x ".repeat(20)}y`,
  };
  expect(findingText(failed("it is not\nthere at all", remedy), 50)).toBe(
    `  failed   topic                 it is not\\nthere at
                                 all
           → because of\\nthis: sign in again
             please
           → ${remedy.command}
`,
  );
  expect(findingText(ok("fine"))).toBe("  ok       topic                 fine\n");
  const create = createPrincipal("a");
  expect(findingText(note("none", create))).toBe(
    "  note     topic                 none\n           → az ad sp create --id a\n",
  );
});

it("ends with what is wrong, and what is not known", () => {
  const [bad, open] = [failed("", ""), unknown("", "")];
  expect(verdict([ok(""), note("", ""), warning("", "")])).toBe("Nothing prevents delivery.");
  expect(verdict([], "publishing")).toBe("Nothing prevents publishing.");
  expect(verdict([bad])).toBe("1 problem.");
  expect(verdict([open, open])).toBe("2 checks without a result.");
  expect(verdict([bad, open, bad])).toBe("2 problems, 1 check without a result.");
});

it("builds the findings of a check", () => {
  const answer = { status: 403, body: undefined, code: "AuthorizationFailed" };
  const check = "topic";
  const says = "a cannot be read: 403 AuthorizationFailed";
  const role = { text: expect.stringContaining("has the role Reader at the scope") };
  expect([
    ...[warning("a", "b"), failed("a", { command: "b" }), notShown("a")],
    ...[unreadable("a", answer), notReadable("a", { status: 404, body: "" })],
  ]).toEqual([
    { check, status: "warning", message: "a", remedy: { text: "b" } },
    { check, status: "failed", message: "a", remedy: { command: "b" } },
    { check, status: "unknown", message: "Azure does not show a", remedy: portal },
    { check, status: "unknown", message: says, remedy: role },
    { check, status: "note", message: "a cannot be read: 404", remedy: portal },
  ]);
  expect(assignRole("EventGrid Data Sender", "p", "/s")).toEqual({
    command: 'az role assignment create --role "EventGrid Data Sender" --assignee p --scope "/s"',
  });
});

it.each([
  [429, "try again in some minutes"],
  [500, "try again in some minutes"],
  [499, portal.text],
  [404, portal.text],
  [401, "sign in with an identity that may perform a/read"],
  [403, "sign in with an identity that may perform a/read"],
])("advises after the answer %i: %s", (status, advice) => {
  const message = "no authorization to perform action 'a/read' over scope '/s'";
  expect(unreadableRemedy({ status, body: undefined, message })).toBe(advice);
});
