import { expect, it } from "vitest";
import { BLOB_SUBJECT, passesNever } from "../../../../cli/src/rules/filters/index.js";

const ACCOUNT = "/providers/Microsoft.Storage/storageAccounts/a";
const CREATED = "Microsoft.Storage.BlobCreated";

it.each([
  ["Uploads/", true, CREATED, ACCOUNT, true],
  ["upLoads", true, CREATED, ACCOUNT, true],
  ["uploads/A", true, CREATED, ACCOUNT, false],
  // Azure compares these without regard to case.
  ["Uploads/", false, CREATED, ACCOUNT, false],
  ["Uploads/", undefined, CREATED, ACCOUNT, false],
  ["Uploads/", true, "Microsoft.Storage.BlobInventoryPolicyCompleted", ACCOUNT, false],
  ["Uploads/", true, CREATED, "/providers/Microsoft.EventGrid/topics/t", false],
] as const)("knows the names of containers: %s, sensitive %s, of %s at %s", (...row) => {
  const [name, isSubjectCaseSensitive, type, source, expected] = row;
  const filter = { subjectBeginsWith: `${BLOB_SUBJECT}${name}`, isSubjectCaseSensitive };
  expect(passesNever(filter, type, source)).toBe(expected);
});
