import { WebhookApplication } from "cloud-eventgrid-binding";
import {
  existing,
  identity,
  published,
  received,
  receivedWithoutApplication,
  storageAccount,
} from "./fixtures.js";
import { binding, create, describeWrong } from "./wrong.js";

const noPrincipalYet =
  'writer "client" cannot sign in as an application whose service principal the same stack makes ' +
  '(servicePrincipal "provision"): Terraform signs in when it plans. Make the principal before ' +
  "(az ad sp create --id with the client ID, or a stack that is applied earlier) and have it looked " +
  "up, or leave writer to the deployer";

describeWrong("who may do what", [
  [
    "no writers",
    binding({ writerPrincipals: [] }),
    ["writerPrincipals must name somebody: leave it out for whoever applies now"],
  ],
  [
    "a writer by name",
    binding({ writerPrincipals: [{ objectId: "me", type: "user" }] }),
    [
      'writerPrincipals[0].objectId must be a UUID such as 11111111-2222-3333-4444-555555555555, but is "me"',
    ],
  ],
  [
    "a writer twice",
    binding({
      writerPrincipals: [
        { objectId: existing.writerId, type: "user" },
        { objectId: existing.writerId.toUpperCase(), type: "user" },
      ],
    }),
    [
      'writerPrincipals[1].objectId must be given only once, but is "11111111-2222-3333-4444-000000000004"',
    ],
  ],
  [
    "a writer of an unknown type",
    binding({ writerPrincipals: [{ objectId: existing.writerId, type: "robot" }] }),
    ['writerPrincipals[0].type must be one of "user", "group", "servicePrincipal", but is "robot"'],
  ],
  [
    "writers where the client writes",
    binding({
      writer: "client",
      cloudClientSecret: "s",
      writerPrincipals: [{ objectId: existing.writerId, type: "user" }],
    }),
    ['writerPrincipals is not used where writer is "client": remove one of the two'],
  ],
  [
    "a wait where the deployer writes",
    binding({ roleEffectSeconds: 60 }),
    [
      'roleEffectSeconds is used only where writer is "client", writerPrincipals are named or an ' +
        "identity of deadLetter is given its role: whoever applies now has its rights already",
    ],
  ],
  [
    "a client that writes before it can sign in",
    binding({ writer: "client", cloudClientSecret: "s", servicePrincipal: "provision" }),
    [noPrincipalYet],
  ],
  [
    "an application that cannot sign in yet",
    (scope) => {
      const application = WebhookApplication.fromClientId(scope, "webhook", {
        clientId: existing.clientId,
        servicePrincipal: "provision",
      });
      create(scope, {
        ...receivedWithoutApplication,
        application,
        writer: "client",
        cloudClientSecret: "s",
      });
    },
    [noPrincipalYet],
  ],
  [
    "a wait backwards",
    binding({ writer: "client", cloudClientSecret: "s", roleEffectSeconds: -1 }),
    ["roleEffectSeconds must be a whole number from 0 to 3600, but is the number -1"],
  ],
  [
    "an unknown way of registration",
    binding({ providerRegistration: "yes" }),
    ['providerRegistration must be one of "provider", "resource", "none", but is "yes"'],
  ],
  [
    "an unknown way to a service principal",
    binding({ servicePrincipal: "create" }),
    ['servicePrincipal must be one of "lookup", "provision", but is "create"'],
  ],
  [
    "an unknown assignment",
    binding({ existingAssignments: ["deployer"] }),
    [
      'existingAssignments[0] must be one of "eventGrid", "client", "writers", "clientAtScope", "writersAtScope", "deadLetter", but is "deployer"',
    ],
  ],
  [
    "Event Grid by name",
    binding({ eventGridApplicationId: "event-grid" }),
    [
      'eventGridApplicationId must be a UUID such as 11111111-2222-3333-4444-555555555555, but is "event-grid"',
    ],
  ],
  [
    "input options on a binding that only publishes",
    (scope) => void create(scope, { ...published, labels: ["x"], subscribed: false }),
    [
      "labels belongs to the input direction, but the binding only publishes: remove it",
      "subscribed belongs to the input direction, but the binding only publishes: remove it",
    ],
  ],
  [
    "an application named twice",
    (scope) => {
      const application = WebhookApplication.fromClientId(scope, "webhook", {
        clientId: existing.clientId,
      });
      create(scope, {
        ...received,
        application,
        servicePrincipal: "provision",
        existingAssignments: ["client"],
      });
    },
    [
      "cloudClientId and application name the same thing: give one of the two",
      "servicePrincipal is said where the application is made, not on the binding",
      'existingAssignments "client" is said where the application is made, not on the binding',
    ],
  ],
]);

const container = { storageAccount, container: "dead-letters" };
const own = { type: "SystemAssigned", principalId: existing.writerId };
const overTaken = (key: string, field: string) =>
  `additionalScopes.${key} takes ${field} over from the binding, but its "SystemAssigned" identity ` +
  `is that of the binding's own scope: give the scope a ${field} of its own, or use one ` +
  '"UserAssigned" identity for all';

describeWrong("identities that subscriptions act with", [
  [
    "a dead-letter identity whose principal is not told",
    binding({
      deadLetter: { ...container, identity: { type: "SystemAssigned" } },
      additionalScopes: {
        uploads: {
          scope: storageAccount,
          deadLetter: {
            ...container,
            identity: { type: "UserAssigned", userAssignedIdentity: identity },
          },
        },
      },
    }),
    ["", "additionalScopes.uploads."].map(
      (prefix) =>
        `${prefix}deadLetter.identity.principalId is required, so that the identity is given its ` +
        "role (a CloudEventGridTopic with an identity tells it as principalId): where it has the " +
        'role already, say existingAssignments: ["deadLetter"]',
    ),
  ],
  [
    "the own identity of one scope's topic for another scope",
    binding({
      deadLetter: { ...container, identity: own },
      deliveryIdentity: own,
      additionalScopes: {
        uploads: storageAccount,
        group: { scope: `${received.scope}/`, eventSubscriptionName: "second" },
        own: {
          scope: `${storageAccount}2`,
          deadLetter: { ...container, identity: { ...own, principalId: existing.groupId } },
        },
      },
    }),
    [
      overTaken("uploads", "deadLetter"),
      overTaken("uploads", "deliveryIdentity"),
      overTaken("own", "deliveryIdentity"),
    ],
  ],
]);
