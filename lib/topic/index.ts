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
  type CloudEventGridTopicProps,
  identitiesProblems,
  publicAccess,
  resourceIdRule,
  type TopicIdentity,
  topicChecks,
} from "./topic-props.js";
