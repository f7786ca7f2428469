import { objectAt, withDefaults } from "../../base/index.js";
import { propertiesOf } from "../property-types.js";
import { DOMAIN } from "./users-and-groups.js";

type Fields = Readonly<Record<string, unknown>>;

/** Objects that are null unless they are written. */
const NULL_OBJECTS = [
  "Certification",
  "OptionalClaims",
  "RequestSignatureVerification",
  "SamlSingleSignOnSettings",
  "ServicePrincipalLockConfiguration",
];

/** Properties that Graph shows only if a request selects them. */
const HIDDEN = ["authenticationBehaviors", "logo", "oauth2RequirePostResponse", "uniqueName"];

/** The unwritten properties of an object: null, an empty list, or an object of such properties. */
function unwritten(kind: string): Fields {
  return Object.fromEntries(
    Object.entries(propertiesOf(kind)).flatMap(([name, type]): [string, unknown][] => {
      if (type === "any" || HIDDEN.includes(name)) return [];
      if (typeof type === "string" || "oneOf" in type) return [[name, null]];
      if ("list" in type) return [[name, []]];
      return [[name, NULL_OBJECTS.includes(type.object) ? null : unwritten(type.object)]];
    }),
  );
}

/** The properties of an application that nobody wrote. */
export const unwrittenApplication = withOwn("Application", {
  publisherDomain: DOMAIN,
  signInAudience: "AzureADMyOrg",
  parentalControlSettings: { legalAgeGroupRule: "Allow" },
  web: {
    implicitGrantSettings: { enableAccessTokenIssuance: false, enableIdTokenIssuance: false },
  },
});

/** The properties of a service principal that nobody wrote. */
export const unwrittenPrincipal = withOwn("ServicePrincipal", {
  accountEnabled: true,
  appRoleAssignmentRequired: false,
  samlMetadataUrl: null,
  servicePrincipalType: "Application",
  signInAudience: "AzureADMultipleOrgs",
});

function withOwn(kind: string, own: Fields): Fields {
  return objectAt({ all: withDefaults(own, unwritten(kind)) }, "all");
}
