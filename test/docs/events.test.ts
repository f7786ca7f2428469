import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { expect, it } from "vitest";
import { root } from "../support/project.js";

it("docs/events.md lists the event types of Azure's services (write it with --update)", async () => {
  const file = join(root, "docs/events.md");
  const rows = Object.entries(systemEventTypes).map(([service, types]) => {
    const [prefix = ""] = /^\w+\.\w+\./.exec(types[0]) ?? [];
    const names = types.map((type) => type.slice(prefix.length)).join(", ");
    return `| \`${service}\` | \`${prefix}\` ${names} |\n`;
  });
  const text = readFileSync(file, "utf8");
  const written = text.replace(
    /(\| `systemEventTypes\.` \| Types \|\n\|---\|---\|\n)(?:\|.*\n)+/,
    (_, head: string) => `${head}${rows.join("")}`,
  );
  await expect(written).toMatchFileSnapshot(file);
});
