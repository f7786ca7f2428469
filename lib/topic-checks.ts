import type { Check } from "./check.js";
import { registrationRule } from "./provider-registration.js";
import type { CloudEventGridTopicProps } from "./topic.js";
import { topicIdentityChecks } from "./topic-identity.js";
import { booleanRule, patternRule, textRule } from "./value-rule.js";

/** What is said where a key is taken of a topic that takes none. */
export const NO_KEYS =
  "accessKey is used, but accessKeys is false, so that the topic refuses it: publish with " +
  'publishWith "entra" and grantPublish, or leave accessKeys out';

const topicNameRule = patternRule(
  "must be 3 to 50 letters, digits and hyphens",
  "^[-a-zA-Z0-9]{3,50}$",
);
const OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const addressRule = patternRule(
  "must be an IPv4 address range in CIDR notation such as 203.0.113.0/24",
  `^(${OCTET}[.]){3}${OCTET}(/([0-9]|[12][0-9]|3[0-2]))?$`,
);

/** Single values of a topic's props, each with what it must be. */
export function topicChecks(props: CloudEventGridTopicProps): Check[] {
  return [
    { field: "topicName", value: props.topicName, rule: topicNameRule },
    {
      field: "resourceGroupName",
      value: props.resourceGroupName,
      rule: textRule,
      required: true,
    },
    { field: "location", value: props.location, rule: textRule, required: true },
    { field: "accessKeys", value: props.accessKeys, rule: booleanRule },
    { field: "publicNetworkAccess", value: props.publicNetworkAccess, rule: booleanRule },
    { field: "allowedAddresses", value: props.allowedAddresses, rule: addressRule, items: true },
    ...topicIdentityChecks(props.identity),
    {
      field: "providerRegistration",
      value: props.providerRegistration,
      rule: registrationRule,
      early: true,
    },
  ];
}
