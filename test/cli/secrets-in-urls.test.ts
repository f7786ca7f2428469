import { expect, it } from "vitest";
import { shownUrl, withoutSecrets } from "../../cli/src/terminal/index.js";

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
