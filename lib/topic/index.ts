export {
  type GrantPublishOptions,
  grantPublishing,
  warnWithoutPublisher,
} from "./grant-publish.js";
export {
  CloudEventGridTopic,
  type ExistingTopicProps,
  type ICloudEventGridTopic,
} from "./topic.js";
export {
  addressRule,
  type CloudEventGridTopicProps,
  type TopicIdentity,
  topicChecks,
} from "./topic-props.js";
