import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/project.js";

const page = readFileSync(join(root, "docs/troubleshooting.md"), "utf8");

function sourceText(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/(^|\/)(node_modules|dist)\//.test(file))
    .map((file) => readFileSync(join(root, folder, file), "utf8"))
    .join("\n");
}

/** The texts in code font in the first column of the table below a heading. */
function messagesBelow(heading: string): string[] {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [table = ""] = section.split("\n## ");
  return [...table.matchAll(/^\| (?!Message|Symptom|---)([^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text),
  );
}

describe("docs/troubleshooting.md", () => {
  const ours = ["runtime/src", "lib", "cli/src"].map(sourceText).join("\n");
  const azures = ["local/src", "test/terraform", "test/stand-ins/src", "cli/src", "lib", "test/lib"]
    .map(sourceText)
    .join("\n");
  const missing = (texts: string[], source: string) =>
    texts
      .flatMap((text) => text.split("…"))
      .map((part) => part.replace(/ https:\/\/$/, "").trim())
      .filter((part) => part.length > 3 && !source.includes(part));

  it.each([
    "The service does not start",
    "The service is ready, but no events arrive",
    "Events are handled twice, late or not at all",
    "`create` rejects",
  ])("quotes messages of this project: %s", (heading) => {
    expect(missing(messagesBelow(heading), ours)).toEqual([]);
  });

  // Terraform and the real providers print these; nothing in this repository does.
  const foreign = [
    "Cannot import non-existent remote object",
    "No changes",
    'exec: "node": executable file not found',
  ];

  it("quotes messages that the local Azure or the tests of deployments know", () => {
    const texts = messagesBelow("`terraform plan` or `apply` fails");
    expect(missing(texts, azures)).toEqual(foreign);
  });
});
