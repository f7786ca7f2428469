export type { GrantPublishOptions } from "./grant-publish.js";
export {
  CloudEventGridTopic,
  type ExistingTopicProps,
  type ICloudEventGridTopic,
} from "./topic.js";
export type { CloudEventGridTopicProps, TopicIdentity } from "./topic-props.js";
