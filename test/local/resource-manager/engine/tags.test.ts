import { describe, expect, it } from "vitest";
import { GROUP, startGroup } from "../../support/cloud.js";
import { refusal } from "../../support/management-client.js";

describe("tags", () => {
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`tag${index}`, ""]));

  it.each<[string, Record<string, string>, string]>([
    ...Array.from("<>%&\\?/\n", (each): [string, Record<string, string>, string] => [
      "InvalidTagNameCharacters",
      { ok: "", [`a${each}b`]: "", [each]: "" },
      `The tag names 'a${each}b,${each}' have reserved characters`,
    ]),
    ["InvalidTags", many, "may have 50 tags, not 51."],
    ["InvalidTagName", { ["n".repeat(513)]: "a" }, "for tag name - '512' characters."],
    ["InvalidTagValueLength", { team: "v".repeat(257) }, "for tag value - '256' characters."],
  ])("are refused with %s, for groups and resources", async (code, tags, message) => {
    const { call } = await startGroup();
    const topic = `${GROUP}/providers/Microsoft.EventGrid/topics/orders`;
    for (const id of [GROUP, topic]) {
      expect(await call("PUT", id, { location: "westeurope", tags })).toMatchObject(
        refusal(400, code, expect.stringContaining(message)),
      );
    }
  });

  it.each([[["team"]], [{ team: { name: "shop" } }], ["team"]])(
    "are refused if they are %j, and not texts",
    async (tags) => {
      const { call } = await startGroup();
      expect(await call("PUT", GROUP, { location: "westeurope", tags })).toMatchObject(
        refusal(400, "InvalidRequestContent"),
      );
    },
  );

  it("may be as many and as long as the limits, and link to resources", async () => {
    const { call } = await startGroup();
    const { tag0: _, tag1: __, tag2: ___, ...others } = many;
    const link = { "hidden-link:/subscriptions/1/resourceGroups/shop": "Resource" };
    const tags = { ...others, ...link, ["n".repeat(512)]: "v".repeat(256) };
    expect((await call("PUT", GROUP, { location: "westeurope", tags })).status).toBe(200);
    expect((await call("GET", GROUP)).body).toMatchObject({ tags });
  });
});
