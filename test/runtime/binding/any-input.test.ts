import { validateBinding } from "cloud-eventgrid-binding-runtime/binding";
import {
  ComponentDocumentError,
  readComponentDocument,
} from "cloud-eventgrid-binding-runtime/document";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currentDocument } from "./example-documents.js";
import { inputProps, outputProps } from "./example-props.js";

describe("whatever is given as props", () => {
  it("is not shown where it is a secret", () => {
    const hush = fc.string({ maxLength: 30 }).map((text) => `hush${text}hush`);
    const around = fc.constantFrom<[string, string]>(
      ["http://orders.example.com/?code=", ""],
      ["https://orders.example.com/#", ""],
      ["https://", "@orders.example.com"],
      ["https://user:", "@orders.example.com/api/events"],
    );
    fc.assert(
      fc.property(hush, around, (secret, [before, after]) => {
        const url = `${before}${secret}${after}`;
        const problems = validateBinding({
          ...inputProps,
          ...outputProps,
          subscriberEndpoint: url,
          topicEndpoint: url,
          cloudAuthorityHost: url,
          accessKey: `${secret} `,
          cloudClientSecret: `${secret}\n`,
        });
        expect(problems.length).toBeGreaterThanOrEqual(2);
        expect(JSON.stringify(problems)).not.toContain("hush");
      }),
    );
  });
});

describe("whatever is given as a document", () => {
  const read = (text: string) => {
    try {
      readComponentDocument(text);
    } catch (error) {
      expect(error).toBeInstanceOf(ComponentDocumentError);
    }
  };

  it("is read, or refused in its own words", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), read));
    const damage = fc.record({
      at: fc.nat(currentDocument.length),
      gone: fc.nat(40),
      put: fc.oneof(
        fc.string({ maxLength: 10 }),
        fc.constantFrom("&a", "*a", "- ", "{", "[", "!!x ", "? ", "---\n", "\t", '"'),
      ),
    });
    fc.assert(
      fc.property(damage, ({ at, gone, put }) => {
        read(currentDocument.slice(0, at) + put + currentDocument.slice(at + gone));
      }),
      { numRuns: 300 },
    );
  });
});
