import { WebhookApplication } from "cloud-eventgrid-binding";
import { existing, receivedWithoutApplication, storageAccount } from "../fixtures.js";
import { binding, create, describeProblems } from "../problems.js";

const asClient = { writer: "client", cloudClientSecret: "s" };
const user = { objectId: existing.writerId, principalType: "User" };

describeProblems("writers", [
  [
    "reports an empty list of writers",
    binding({ writerPrincipals: [] }),
    ["writerPrincipals: empty"],
  ],
  [
    "reports a writer's name in the place of its object ID, and an unknown type",
    binding({ writerPrincipals: [{ objectId: "me", principalType: "Robot" }] }),
    ["writerPrincipals[0].objectId: uuid", "writerPrincipals[0].principalType: choice"],
  ],
  [
    "reports a writer without object ID and type",
    binding({ writerPrincipals: [{}] }),
    ["writerPrincipals[0].objectId: required", "writerPrincipals[0].principalType: required"],
  ],
  [
    "reports a writer that is named twice",
    binding({
      writerPrincipals: [user, { ...user, objectId: existing.writerId.toUpperCase() }],
    }),
    ["writerPrincipals[1].objectId: unique"],
  ],
  [
    "reports writers when the client writes",
    binding({ ...asClient, writerPrincipals: [user] }),
    ["writerPrincipals: unused"],
  ],
  [
    "reports a wait for roles when no role is granted",
    binding({ roleEffectSeconds: 60 }),
    ["roleEffectSeconds: unused"],
  ],
  [
    "reports a wait for the role of a dead letter that exists already",
    binding({
      roleEffectSeconds: 60,
      existingAssignments: ["deadLetter"],
      deadLetter: { storageAccount, container: "dead", identity: { type: "SystemAssigned" } },
    }),
    ["roleEffectSeconds: unused"],
  ],
  [
    "takes a wait for the role of a dead letter that is granted",
    binding({
      roleEffectSeconds: 60,
      deadLetter: {
        storageAccount,
        container: "dead",
        identity: { type: "SystemAssigned", principalId: existing.writerId },
      },
    }),
    [],
  ],
  ["accepts no wait for roles in every case", binding({ roleEffectSeconds: 0 }), []],
  [
    "reports a negative wait for roles",
    binding({ ...asClient, roleEffectSeconds: -1 }),
    ["roleEffectSeconds: integer-range"],
  ],
  [
    "reports a client whose service principal the stack creates, because it cannot sign in yet",
    (scope) => {
      const application = WebhookApplication.fromClientId(scope, "webhook", {
        clientId: existing.clientId,
        servicePrincipal: "provision",
      });
      create(scope, { ...receivedWithoutApplication, ...asClient, application });
    },
    ["writer: client-sign-in"],
  ],
  [
    "reports an unknown way of registration, and unknown assignments",
    binding({ providerRegistration: "yes", existingAssignments: ["deployer"] }),
    ["existingAssignments[0]: choice", "providerRegistration: choice"],
  ],
]);
