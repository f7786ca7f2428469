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
  addressRule,
  type CloudEventGridTopicProps,
  type TopicIdentity,
  topicChecks,
} from "./topic-props.js";
