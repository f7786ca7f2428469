import { afterEach, describe, expect, it, vi } from "vitest";
import { standardInput, terminalOf, UsageError } from "../../cli/src/terminal/index.js";

afterEach(() => {
  vi.useRealTimers();
});

function terminal(usesColour = false) {
  const printed: string[] = [];
  const write = (text: string) => void printed.push(text);
  const streams = { env: {}, directory: ".", out: write, error: write, status: write, usesColour };
  return { printed, ...terminalOf(streams) };
}

describe("the output of a command", () => {
  it("colours words at the beginning of lines, and escapes control characters of data", () => {
    const { out, printed } = terminal(true);
    out("  failed  the event is \u001b[31mred\n", { failed: "red" });
    expect(printed).toEqual(["  \u001b[31mfailed\u001b[39m  the event is \\u001b[31mred\n"]);
  });
});

it("a command that needs standard input is used wrongly without it", async () => {
  expect(await standardInput({ input: async () => "{}" })).toBe("{}");
  await expect(standardInput(terminal())).rejects.toThrow(UsageError);
});

describe("the progress of a command", () => {
  it("is shown after a second, and removed before the next output", () => {
    vi.useFakeTimers();
    const { progress, out, printed } = terminal();
    progress("100 events accepted");
    vi.advanceTimersByTime(999);
    expect(printed).toEqual([]);
    progress("200 events accepted");
    vi.advanceTimersByTime(1);
    expect(printed).toEqual(["\r\u001b[K200 events accepted …"]);
    out("200 events were accepted.\n");
    expect(printed.slice(1)).toEqual(["\r\u001b[K", "200 events were accepted.\n"]);
  });

  it("is not shown by a command that takes less", () => {
    vi.useFakeTimers();
    const { progress, done, printed } = terminal();
    progress("signing in");
    done();
    vi.advanceTimersByTime(5000);
    expect(printed).toEqual([]);
  });
});
