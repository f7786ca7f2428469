import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../cli/src/program.js";
import { command } from "./command.js";
import { directoryWith } from "./temporary.js";

describe("cloud-eventgrid init", () => {
  it("uses the first choices when nobody can answer", async () => {
    const directory = directoryWith();
    const { exitCode, out } = await command(["init", "orders", "--json"], { directory });
    expect(exitCode).toBe(0);
    expect(JSON.parse(out).files).toEqual([
      "package.json",
      "tsconfig.json",
      "cdktf.json",
      ".gitignore",
      "README.md",
      "main.ts",
      "stack.ts",
      "orders/events.ts",
      "orders/service.ts",
      "orders/start.ts",
      "orders/service.test.ts",
    ]);
  });

  it("prints a command that changes to the folder, even if its name has a space", async () => {
    const directory = directoryWith();
    const { out } = await command(["init", "My orders", "--yes"], { directory });
    expect(out).toContain('Next: cd "My orders" && npm install && npm test');
  });

  it("leaves the event subscription to a second apply, unless the stack runs the service", async () => {
    const directory = directoryWith();
    const main = async (host: string) => {
      await command(["init", host, "--host", host, "--yes"], { directory });
      return readFileSync(join(directory, host, "main.ts"), "utf8");
    };
    expect(await main("none")).toContain('subscribed: env.SUBSCRIBED !== "no",');
    expect(await main("kubernetes")).toContain('subscribed: env.SUBSCRIBED !== "no",');
    expect(await main("container-apps")).not.toContain("SUBSCRIBED");
  });

  it("asks for what is not given, and asks again after an unknown choice", async () => {
    const directory = directoryWith();
    const asked: string[] = [];
    const answers = ["send", "both", "storage", "", "kub", ""];
    const exitCode = await run(["init", "orders"], {
      env: {},
      directory,
      out: () => undefined,
      error: () => undefined,
      ask: async (question) => {
        asked.push(question.split(" (")[0] ?? "");
        return answers.shift() ?? "";
      },
    });
    expect(exitCode).toBe(0);
    expect(asked).toEqual([
      "What does it do?",
      "What does it do?",
      "Where do the events come from?",
      "What serves the webhook?",
      "Where does it run?",
      "Which cdk?",
    ]);
    expect(readFileSync(join(directory, "orders/stack.ts"), "utf8")).toContain(
      "sources.objectStorage(",
    );
    expect(readFileSync(join(directory, "orders/manifests/orders.yaml"), "utf8")).toContain(
      "kind: Ingress",
    );
  });

  it.each([
    ["--direction", "sideways"],
    ["--endpoint", "http://orders.example.com"],
  ])("exits with 2 for %s %s", async (...option) => {
    const directory = directoryWith();
    expect((await command(["init", "orders", ...option], { directory })).exitCode).toBe(2);
  });
});
