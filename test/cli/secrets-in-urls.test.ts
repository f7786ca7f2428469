import { expect, it } from "vitest";
import { shownUrl, withoutSecrets } from "../../cli/src/terminal/index.js";
import { command } from "./command.js";

it.each([
  ["https://a.example.com/x?code=S3CRET", "https://a.example.com/x?…"],
  ["https://user:S3CRET@a.example.com/x", "https://a.example.com/x"],
  ["ftp://S3CRET@a.example.com:21/x?code=S3CRET", "ftp://a.example.com:21/x?…"],
  ["a/x?code=S3CRET", "a/x?…"],
])("shows %s as %s", (url, shown) => {
  expect(shownUrl(url)).toBe(shown);
});

it("shows a message without the queries in it, and with its punctuation", () => {
  expect(withoutSecrets("'https://a.example.com/x?code=S3CRET' is (a/b?sig=S3CRET) wrong.")).toBe(
    "'https://a.example.com/x?…' is (a/b?…) wrong.",
  );
});

it.each([
  ["init", "--endpoint", "https://a.example.com/x?code=S3CRET"],
  ["init", "--endpoint", "https://user:S3CRET@a.example.com/x"],
  ["init", "--endpoint", "a.example.com/x?code=S3CRET"],
  ["listen", "ftp://a.example.com/x?code=S3CRET"],
  ["probe", "ftp://a.example.com/x?code=S3CRET"],
  ["dead-letters", "list", "--container", "https://a.blob.core.windows.net/?sig=S3CRET"],
  ["dead-letters", "replay", "--webhook", "ftp://a.example.com/?code=S3CRET", "--container", "a"],
  ["publish", "--type", "a", "--topic", "https://S3CRET@a.example.com/?key=S3CRET"],
])("%s %s repeats no secret of a URL, in text and JSON", async (...args) => {
  for (const more of [[], ["--json"]]) {
    const { exitCode, out, error } = await command([...args, ...more]);
    expect(exitCode).not.toBe(0);
    expect(out + error).not.toContain("S3CRET");
  }
});
