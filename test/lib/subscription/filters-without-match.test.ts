import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { type TerraformStack, TerraformVariable } from "cdktf";
import {
  CloudEventGridNamespace,
  CloudEventGridPullBinding,
  sources,
  where,
} from "cloud-eventgrid-binding";
import { azureRules } from "cloud-eventgrid-binding-runtime/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { storageProblems } from "../../../local/src/eventgrid/destinations/destination.js";
import { synthesized } from "../../support/synthesized.js";
import { received, resourceGroup, storageAccount } from "../fixtures.js";
import { binding, create, messagesOf, problemsOf } from "../problems.js";
import { SUBSCRIPTION } from "../subscriptions.js";

const types = ["Microsoft.Storage.BlobCreated"];
const atAccount = { scope: storageAccount, includedEventTypes: types };
const beginsWith = (text: string) => ({ ...atAccount, subjectFilter: { beginsWith: text } });
const place = { resourceGroupName: "shop", location: "westeurope" };
const topic = `${resourceGroup}/providers/Microsoft.EventGrid/topics/shop`;

function warningsOf(props: object): readonly string[] {
  return synthesized((scope) => void create(scope, { ...received, ...props })).warnings.map(
    (text) => text.replace(/^\[[^\]]*\] /, ""),
  );
}

describe("a filter by the subjects of a storage account", () => {
  it.each([
    ["blobServices/default/containers/uploads/", "add a slash at the beginning"],
    ["https://shop.blob.core.windows.net/uploads", "instead of the URL"],
    [
      "/blobServices/default/containers/uploads/in/",
      "write /blobServices/default/containers/uploads/blobs/in/",
    ],
    ["/blobServices/default/containers/my_uploads/", "because a container has 3 to 63"],
    ["/blobServices/default/containers/a--b/blobs/", "because a container has 3 to 63"],
  ])("is refused if no subject begins with %s", (text, advice) => {
    expect(messagesOf(binding(beginsWith(text)))).toEqual([
      expect.stringContaining(
        `subjectFilter.beginsWith is ${JSON.stringify(text)}, which no subject`,
      ),
    ]);
    expect(messagesOf(binding(beginsWith(text)))[0]).toContain(advice);
    // Advanced filters ignore case.
    const advancedFilters = [where("subject").stringBeginsWith(text.toUpperCase())];
    expect(problemsOf(binding({ ...atAccount, advancedFilters }))).toEqual([
      "advancedFilters[0].stringBeginsWith: subject",
    ]);
  });

  it("is refused beside other scopes, for an account of the stack and with a token at its end", () => {
    const build = (scope: TerraformStack) => {
      const account = new StorageAccount(scope, "account", {
        ...place,
        name: "shop",
        accountTier: "Standard",
        accountReplicationType: "LRS",
      });
      const folder = new TerraformVariable(scope, "folder", { type: "string" }).stringValue;
      const uploads = {
        scope: account.id,
        includedEventTypes: types,
        subjectFilter: { beginsWith: `/blobServices/default/containers/uploads/in/${folder}` },
      };
      create(scope, { ...received, additionalScopes: { uploads } });
    };
    expect(problemsOf(build)).toEqual([
      "additionalScopes.uploads.subjectFilter.beginsWith: subject",
    ]);
  });

  it.each([
    "/blobServices/default/containers/",
    "/BLOBSERVICES/default/containers/Uploads/",
    "/blobServices/default/containers/up",
    "/blobServices/default/containers/$web/blobs/a/b",
    "/blobServices/default/containers/uploads/bl",
    "BlobDataManagement/",
  ])("may begin with %s", (text) => {
    expect(problemsOf(binding(beginsWith(text)))).toEqual([]);
    expect(warningsOf(beginsWith(text))).toEqual([]);
  });

  it("is warned of where Azure may know more", () => {
    expect(warningsOf(beginsWith("uploads/"))).toEqual([
      'subjectFilter.beginsWith is "uploads/", but the subjects of blobs begin with /blobServices/default/containers/: nothing may pass',
    ]);
    expect(warningsOf({ ...beginsWith("uploads/"), scope: topic })).toEqual([]);
  });

  it("has only containers that can exist, as the local Azure and dead letters have", () => {
    const name = fc.oneof(
      fc.stringMatching(/^[ab-]{0,5}$/),
      fc.stringMatching(/^(a-?){55,65}$/),
      fc.constantFrom("a-b", "my_uploads", "Uploads", "a".repeat(63), "a".repeat(64)),
    );
    fc.assert(
      fc.property(name, (container) => {
        const isValid = [...storageProblems("container", container, undefined)].length === 0;
        const deadLetter = { storageAccount, container };
        const subject = `/blobServices/default/containers/${container}/blobs/`;
        expect(azureRules.container.test(container), container).toBe(isValid);
        expect(problemsOf(binding({ deadLetter })).length === 0, container).toBe(isValid);
        // Subjects are compared without regard to case.
        if (container !== "" && container !== "Uploads")
          expect(problemsOf(binding(beginsWith(subject))).length === 0, container).toBe(isValid);
      }),
      { numRuns: 30, examples: [["a-b"], ["a".repeat(64)], ["a--b"]] },
    );
    const at = (container: string) => () => sources.objectStorage(storageAccount, { container });
    expect(at("my_uploads")).toThrow("container must be the name of a container");
    expect(at("$web")().subjectFilter).toBeDefined();
  });

  it.each([
    ["begins", [`${"a".repeat(63)}`, `$${"a".repeat(62)}`], []],
    ["cannot begin", [], [`${"a".repeat(64)}`, "_a", "a_"]],
  ])("%s with a part of a container's name", (_, possible, impossible) => {
    const problems = (part: string) =>
      problemsOf(binding(beginsWith(`/blobServices/default/containers/${part}`)));
    expect(possible.filter((part) => problems(part).length > 0)).toEqual([]);
    expect(impossible.filter((part) => problems(part).length === 0)).toEqual([]);
  });

  it("is not judged by another operator or one of several values", () => {
    const text = "/blobServices/default/containers/uploads/in/";
    const problems = (filter: object) =>
      problemsOf(binding({ ...atAccount, advancedFilters: [filter] }));
    expect(problems(where("subject").stringIn(text))).toHaveLength(1);
    expect(problems(where("subject").stringIn(text, "/other"))).toEqual([]);
    expect(problems(where("subject").stringContains(text))).toEqual([]);
    expect(problems(where("subject").stringNotBeginsWith(text))).toEqual([]);
    expect(problems(where("type").stringIn(text))).toEqual([]);
  });
});

describe("a filter by a name of the Event Grid schema", () => {
  it("is warned of, because the events are CloudEvents", () => {
    const advancedFilters = [where("eventType").stringIn("a.b"), where("type").stringIn("a.b")];
    const additionalScopes = {
      shop: { scope: storageAccount, advancedFilters: [where("Topic").isNotNull()] },
    };
    const warnings = warningsOf({ scope: topic, advancedFilters, additionalScopes });
    expect(warnings.filter((text) => text.includes("schema"))).toEqual([
      'advancedFilters[0].key is "eventType", a name of the Event Grid schema that CloudEvents do not have: use type',
      'additionalScopes.shop.advancedFilters[0].key is "Topic", a name of the Event Grid schema that CloudEvents do not have: use source',
    ]);
  });

  it("is warned of in namespaces", () => {
    const { warnings } = synthesized((scope) => {
      const orders = new CloudEventGridNamespace(scope, "events", place).addTopic("orders");
      const advancedFilters = [where("eventId").isNotNull()];
      orders.addSource("uploads", { ...place, ...atAccount, advancedFilters });
      const filters = [where("dataVersion").isNotNull()];
      const props = { topic: orders, eventSubscriptionName: "shop", receiver: [], filters };
      new CloudEventGridPullBinding(scope, "pull", props);
    });
    expect(warnings).toEqual([
      expect.stringContaining("CloudEvents do not have: use id"),
      expect.stringContaining("CloudEvents do not have: they have no such attribute"),
    ]);
  });
});

it("a catalogue instead of a list of types is told where it belongs", () => {
  expect(messagesOf(binding({ includedEventTypes: { types: ["a.b"] } }))).toEqual([
    "includedEventTypes must be a list, but is a catalogue: pass it as events",
  ]);
  expect(problemsOf(binding({ events: { types: ["a.*"] } }))).toEqual([
    "events.types[0]: event-type",
  ]);
  expect(messagesOf(binding({ events: ["a.b"] }))[0]).toContain(
    "a list belongs in includedEventTypes",
  );
});

describe("the catalogue of a binding beside a source", () => {
  const catalogue = { types: ["Microsoft.Storage.BlobCreated", "shop.order.placed"] };
  const typesWith = (props: object) =>
    synthesized((scope) => void create(scope, { ...received, ...props }))
      .all(SUBSCRIPTION)
      .map(({ body }) => body.included_event_types);

  it("chooses among the types of the source", () => {
    const uploads = sources.objectStorage(storageAccount);
    expect(typesWith({ ...uploads, events: catalogue })).toEqual([types]);
    expect(warningsOf({ ...uploads, events: catalogue })).toEqual([]);
    const additionalScopes = { uploads };
    expect(typesWith({ scope: topic, events: catalogue, additionalScopes })).toEqual([
      types,
      catalogue.types,
    ]);
    const source = { ...uploads, ...place, events: catalogue };
    const stack = synthesized((scope) => {
      new CloudEventGridNamespace(scope, "events", place).addTopic("orders").addSource("a", source);
    });
    expect(stack.one("azapi_resource", "events/orders/a/subscription").body).toMatchObject({
      properties: { filter: { includedEventTypes: types } },
    });
  });

  it.each([
    ["Microsoft.Storage.BlobDeleted"],
    ["Microsoft.Storage.BlobCreated", "Microsoft.Storage.BlobDeleted"],
  ] as const)("is refused beside a source that was asked for other types: %s", (...events) => {
    const uploads = sources.objectStorage(storageAccount, { events });
    const { scope, ...rest } = { ...uploads, events: catalogue };
    expect(messagesOf(binding({ scope, ...rest }))).toEqual([
      expect.stringMatching(/choose different types.*: choose them once, for the source, as in/),
    ]);
    expect(problemsOf(binding({ scope, ...rest }))).toEqual(["events: chosen-twice"]);
    expect(
      problemsOf((stack) => {
        const orders = new CloudEventGridNamespace(stack, "events", place).addTopic("orders");
        orders.addSource("a", { ...place, scope, ...rest });
      }),
    ).toEqual(["events: chosen-twice"]);
  });

  it("may repeat the types that the source was asked for", () => {
    const uploads = sources.objectStorage(storageAccount, { events: catalogue });
    expect(typesWith({ ...uploads, events: catalogue })).toEqual([types]);
    const deleted = sources.objectStorage(`${storageAccount}2`, {
      events: ["Microsoft.Storage.BlobDeleted"],
    });
    const additionalScopes = { deleted };
    expect(typesWith({ ...uploads, events: catalogue, additionalScopes })).toEqual([
      ["Microsoft.Storage.BlobDeleted"],
      types,
    ]);
  });

  it("is refused if the source raises none of its types", () => {
    const uploads = sources.objectStorage(storageAccount);
    expect(problemsOf(binding({ ...uploads, events: { types: ["shop.order.placed"] } }))).toEqual([
      "events: event-type-of-scope",
    ]);
  });

  it("does not write types that the scope never raises", () => {
    expect(typesWith({ scope: storageAccount, events: catalogue })).toEqual([types]);
  });

  it("is warned of with a misspelt type, which JavaScript does not notice", () => {
    const misspelt = { types: [...catalogue.types, "Microsoft.Storage.BlobDeletd"] };
    expect(warningsOf({ scope: storageAccount, events: misspelt })).toEqual([
      'events has "Microsoft.Storage.BlobDeletd", which the scope does not raise: did you mean Microsoft.Storage.BlobDeleted?',
    ]);
  });
});
