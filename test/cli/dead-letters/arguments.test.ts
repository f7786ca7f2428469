import { describe, expect, it } from "vitest";
import { command } from "../command.js";

describe("the arguments of dead-letters", () => {
  it.each([
    [["--container", "https://shop.blob.core.windows.net/"], "names no container"],
    [["--container", "dead", "--since", "1h", "--until", "2h"], "--since must be before --until"],
  ])("are checked before anybody signs in: %j", async (args, message) => {
    for (const name of ["list", "show", "replay"]) {
      const more = name === "replay" ? ["--dry-run", "--json"] : ["--json"];
      const { exitCode, out } = await command(["dead-letters", name, ...args, ...more]);
      expect([exitCode, JSON.parse(out)]).toEqual([
        2,
        { ok: false, exitCode: 2, error: expect.stringContaining(message) },
      ]);
    }
  });

  it.each(["--dry-run", "--yes"])(
    "may not have a query in the topic's URL, with %s",
    async (flag) => {
      const topic = "https://orders.westeurope-1.eventgrid.azure.net/api/events?code=hush";
      const args = ["--container", "dead", "--topic", topic, "--access-key-env", "KEY", flag];
      const { exitCode, out, error } = await command(["dead-letters", "replay", ...args], {
        env: { KEY: "key" },
      });
      expect([exitCode, out, error]).toEqual([
        2,
        "",
        expect.stringMatching(/^error: --topic must /),
      ]);
      expect(error).not.toContain("hush");
    },
  );
});
