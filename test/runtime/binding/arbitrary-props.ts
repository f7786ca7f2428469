import type { BindingProps } from "cloud-eventgrid-binding-runtime";
import fc, { type Arbitrary } from "fast-check";

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/);
const secret = fc.stringMatching(/^[A-Za-z0-9+/=]{1,40}$/);
const name = fc.stringMatching(/^[a-zA-Z0-9]{3,64}$/);
const port = fc.integer({ min: 1, max: 65_535 }).map(String);

const webhook = fc
  .tuple(word, fc.constantFrom("", "/", "/api/events", "/hooks/%C3%A4/x/", "?code=1", "/x?y=z"))
  .map(([host, rest]) => `https://${host}.example.com${rest}`);

const scopeTail = fc.oneof(
  fc.constantFrom("", "/"),
  word.map((group) => `/resourceGroups/${group}`),
  fc.tuple(word, word).map(([g, r]) => `/resourceGroups/${g}/providers/Microsoft.Cache/Redis/${r}`),
  fc
    .tuple(word, word)
    .map(([g, t]) => `/resourceGroups/${g}/providers/Microsoft.EventGrid/topics/${t}`),
);

const common = fc.record(
  {
    cloudEnvironment: fc.constantFrom("public" as const, "usgovernment" as const, "china" as const),
    cloudAuthorityHost: fc.constantFrom("http://127.0.0.1:8080", "https://login.example.com/"),
  },
  { requiredKeys: [] },
);

const writer = fc.oneof(
  fc.record({ cloudClientSecret: secret }, { requiredKeys: [] }),
  fc.record({ writer: fc.constant("client" as const), cloudClientSecret: secret }),
  fc.record({ writer: fc.constant("deployer" as const) }),
);

const input = fc
  .tuple(
    fc.uuid(),
    scopeTail,
    fc.record({
      cloudTenantId: fc.uuid(),
      cloudClientId: fc.uuid(),
      subscriberEndpoint: webhook,
      handshakePort: port,
    }),
    fc.record({ eventSubscriptionName: name }, { requiredKeys: [] }),
    writer,
  )
  .map(([cloudSubscriptionId, tail, fields, named, written]) => ({
    cloudSubscriptionId,
    scope: `/subscriptions/${cloudSubscriptionId}${tail}`,
    ...fields,
    ...named,
    ...written,
  }));

const topicEndpoint = word.map((host) => `https://${host}.example.com/api/events`);

const output = fc.oneof(
  fc.record({ topicEndpoint, accessKey: secret }),
  fc.record({
    topicEndpoint,
    accessKey: secret,
    publishWith: fc.constant("accessKey" as const),
  }),
  fc.record({ topicEndpoint, publishWith: fc.constant("entra" as const) }),
);

/** Valid props of every direction, whether named or not. */
export function bindingProps(): Arbitrary<BindingProps> {
  const named = fc.boolean();
  return fc.oneof(
    fc
      .tuple(common, input, named)
      .map(([c, i, n]): BindingProps => ({ ...c, ...i, ...(n && { direction: "input" }) })),
    fc
      .tuple(common, output, named)
      .map(([c, o, n]): BindingProps => ({ ...c, ...o, ...(n && { direction: "output" }) })),
    fc.tuple(common, input, output, named).map(
      ([c, i, o, n]): BindingProps => ({
        ...c,
        ...i,
        ...o,
        ...(n && { direction: "input, output" }),
      }),
    ),
  );
}
