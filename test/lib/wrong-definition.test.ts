import { Token } from "cdktf";
import { storageAccount } from "./fixtures.js";
import { binding, create, describeWrong } from "./wrong.js";

const foreign = "/subscriptions/99999999-2222-3333-4444-000000000002";
const later = Token.asString({
  resolve: () => "known later",
  creationStack: [],
  toString: () => "",
});

describeWrong("the definition", [
  [
    "a tenant by name",
    binding({ cloudTenantId: "contoso" }),
    ['cloudTenantId must be a UUID such as 11111111-2222-3333-4444-555555555555, but is "contoso"'],
  ],
  [
    "a client ID that is no UUID",
    binding({ cloudClientId: "12345" }),
    ['cloudClientId must be a UUID such as 11111111-2222-3333-4444-555555555555, but is "12345"'],
  ],
  [
    "a subscription by name",
    binding({ cloudSubscriptionId: "production" }),
    [
      'cloudSubscriptionId must be a UUID such as 11111111-2222-3333-4444-555555555555, but is "production"',
    ],
  ],
  [
    "a webhook without TLS",
    binding({ subscriberEndpoint: "http://orders.example.com" }),
    [
      'subscriberEndpoint must be an https URL with a host, such as https://orders.example.com/api/events, but is "http://orders.example.com"',
    ],
  ],
  [
    "a webhook without TLS whose host is known only later",
    binding({ subscriberEndpoint: `http://${later}/api` }),
    [
      'subscriberEndpoint must be an https URL with a host, such as https://orders.example.com/api/events, but is "http://known-after-apply/api"',
    ],
  ],
  [
    "a webhook with credentials",
    binding({ subscriberEndpoint: "https://a:b@orders.example.com" }),
    [
      'subscriberEndpoint must be an https URL with a host, such as https://orders.example.com/api/events, but "https://…" contains credentials',
    ],
  ],
  [
    "a webhook with a fragment",
    binding({ subscriberEndpoint: "https://orders.example.com/#x" }),
    [
      'subscriberEndpoint must be an https URL with a host, such as https://orders.example.com/api/events, but "https://orders.example.com/#…" has a fragment',
    ],
  ],
  [
    "a port that is not quoted",
    binding({ handshakePort: 9000 }),
    [
      'handshakePort must be a string holding a port number from "1" to "65535", but is the number 9000: put it in quotes',
    ],
  ],
  [
    "a port out of range",
    binding({ handshakePort: "0" }),
    ['handshakePort must be a string holding a port number from "1" to "65535", but is "0"'],
  ],
  [
    "a scope of another subscription",
    binding({ scope: foreign }),
    [
      "scope must lie in the subscription of cloudSubscriptionId (11111111-2222-3333-4444-000000000002), but names the subscription 99999999-2222-3333-4444-000000000002",
    ],
  ],
  [
    "a resource as the scope",
    binding({ scope: { id: foreign } }),
    [
      "scope must be /subscriptions/{id}, /subscriptions/{id}/resourceGroups/{name}, or /subscriptions/{id}/resourceGroups/{name}/providers/{namespace}/{type}/{name}, but is an object: use the resource's id",
    ],
  ],
  [
    "a scope by name",
    binding({ scope: "shop" }),
    [
      'scope must be /subscriptions/{id}, /subscriptions/{id}/resourceGroups/{name}, or /subscriptions/{id}/resourceGroups/{name}/providers/{namespace}/{type}/{name}, but "shop" does not begin with /subscriptions/',
    ],
  ],
  [
    "a scope below a top-level resource",
    binding({ scope: `${storageAccount}/blobServices/default` }),
    [
      'scope must be /subscriptions/{id}, /subscriptions/{id}/resourceGroups/{name}, or /subscriptions/{id}/resourceGroups/{name}/providers/{namespace}/{type}/{name}, but "/subscriptions/11111111-2222-3333-4444-000000000002/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/shop/blobServices/default" continues after the resource\'s name: only a top-level resource can be a scope',
    ],
  ],
  [
    "a name with hyphens for a new subscription",
    binding({ eventSubscriptionName: "my-orders" }),
    [
      'eventSubscriptionName must be 3 to 64 letters and digits, but "my-orders" has a hyphen, which only existingSubscription allows',
    ],
  ],
  [
    "a name that is too short",
    binding({ eventSubscriptionName: "ab" }),
    ['eventSubscriptionName must be 3 to 64 letters and digits, but is "ab"'],
  ],
  [
    "a field that is missing",
    binding({ handshakePort: undefined }),
    [
      "handshakePort is required for the input direction (no direction is named, and cloudTenantId, cloudSubscriptionId, cloudClientId, subscriberEndpoint, scope are there)",
    ],
  ],
  [
    "an unknown writer",
    binding({ writer: "terraform" }),
    ['writer must be one of "deployer", "client", but is "terraform"'],
  ],
  [
    "a client without its secret",
    binding({ writer: "client" }),
    ['cloudClientSecret is required where writer is "client"'],
  ],
  [
    "an unknown direction",
    binding({ direction: "both" }),
    ['direction must be one of "input", "output", "input, output", but is "both"'],
  ],
  [
    "a direction that is known only later",
    binding({ direction: later }),
    ["direction must be known before anything is deployed: write the value itself"],
  ],
  [
    "a topic without a key",
    binding({ topicEndpoint: "https://t.example.com" }),
    [
      'accessKey is required for the output direction (no direction is named, and topicEndpoint is there), unless publishWith is "entra"',
    ],
  ],
  [
    "a key that nothing uses",
    binding({ topicEndpoint: "https://t.example.com", publishWith: "entra", accessKey: "k" }),
    ['accessKey is not used where publishWith is "entra": remove one of the two'],
  ],
  [
    "an unknown cloud",
    binding({ cloudEnvironment: "germany" }),
    ['cloudEnvironment must be one of "public", "usgovernment", "china", but is "germany"'],
  ],
  [
    "nothing at all",
    (scope) => void create(scope, {}),
    [
      "direction is not named, and no field tells it: give the input fields (cloudTenantId, cloudSubscriptionId, cloudClientId, subscriberEndpoint, handshakePort, scope), the output fields (topicEndpoint, accessKey), or both",
    ],
  ],
]);
