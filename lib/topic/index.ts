export {
  CloudEventGridTopic,
  type ExistingTopicProps,
  type ICloudEventGridTopic,
} from "./custom-topic.js";
export {
  type GrantPublishOptions,
  grantPublishing,
  warnWithoutPublisher,
} from "./grant-publish.js";
export {
  createPrivateEndpoints,
  type PrivateEndpointProps,
} from "./private-endpoints.js";
export {
  addressRule,
  allowRules,
  type CloudEventGridTopicProps,
  identitiesProblems,
  identityBlock,
  publicAccess,
  resourceIdRule,
  type TopicIdentity,
  topicChecks,
} from "./topic-props.js";
