import { App } from "cdktf";
import { placeFromEnvironment } from "../place.js";
import { CacheStack } from "./cache/stack.js";
import { EventStreamingStack } from "./event-streaming/stack.js";
import { IotHubStack } from "./iot-hub/stack.js";
import { MessageQueueStack } from "./message-queue/stack.js";
import { ObjectStorageStack } from "./object-storage/stack.js";
import { RealTimeMessagingStack } from "./real-time-messaging/stack.js";

const app = new App();
const place = placeFromEnvironment();
new ObjectStorageStack(app, "object-storage", place);
new CacheStack(app, "cache", place);
new EventStreamingStack(app, "event-streaming", place);
new IotHubStack(app, "iot-hub", place);
new MessageQueueStack(app, "message-queue", place);
new RealTimeMessagingStack(app, "real-time-messaging", place);
app.synth();
