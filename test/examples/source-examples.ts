import type { App } from "cdktf";
import type { SystemEventType } from "cloud-eventgrid-binding-runtime/events";
import { expect } from "vitest";
import type { ExampleStack } from "../../examples/example-stack.js";
import type { Place } from "../../examples/place.js";
import { CacheStack } from "../../examples/sources/cache/stack.js";
import { EventStreamingStack } from "../../examples/sources/event-streaming/stack.js";
import { IotHubStack } from "../../examples/sources/iot-hub/stack.js";
import { MessageQueueStack } from "../../examples/sources/message-queue/stack.js";
import { ObjectStorageStack } from "../../examples/sources/object-storage/stack.js";
import { RealTimeMessagingStack } from "../../examples/sources/real-time-messaging/stack.js";
import { DeployedExample } from "./deployed-example.js";

/** An example of a source, and what its test expects. */
export interface SourceExample {
  readonly family: string;
  readonly stack: new (app: App, id: string, place: Place) => ExampleStack;
  /** Terraform type of the resource that raises events. */
  readonly resource: string;
  readonly event: SystemEventType;
  readonly subject: string;
  /** Subject of an event that the filter of the subscription excludes. */
  readonly elsewhere?: string;
  /** The message that the handler logs. */
  readonly message: string;
}

export const sourceExamples: readonly SourceExample[] = [
  {
    family: "object-storage",
    stack: ObjectStorageStack,
    resource: "azurerm_storage_account",
    event: "Microsoft.Storage.BlobCreated",
    subject: "/blobServices/default/containers/inbox/blobs/today.csv",
    elsewhere: "/blobServices/default/containers/inbox-archive/blobs/today.csv",
    message: "file arrived",
  },
  {
    family: "cache",
    stack: CacheStack,
    resource: "azurerm_redis_cache",
    event: "Microsoft.Cache.ScalingCompleted",
    subject: "ScalingCompleted",
    message: "cache maintained",
  },
  {
    family: "event-streaming",
    stack: EventStreamingStack,
    resource: "azurerm_eventhub_namespace",
    event: "Microsoft.EventHub.CaptureFileCreated",
    subject: "eventhubs/orders",
    elsewhere: "eventhubs/orders-archive",
    message: "messages captured",
  },
  {
    family: "iot-hub",
    stack: IotHubStack,
    resource: "azurerm_iothub",
    event: "Microsoft.Devices.DeviceTelemetry",
    subject: "devices/device-1",
    elsewhere: "devices/gateway-1",
    message: "device measured",
  },
  {
    family: "message-queue",
    stack: MessageQueueStack,
    resource: "azurerm_servicebus_namespace",
    event: "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners",
    subject: "topics/orders/subscriptions/billing",
    elsewhere: "topics/orders/subscriptions/billing-test",
    message: "messages are waiting",
  },
  {
    family: "real-time-messaging",
    stack: RealTimeMessagingStack,
    resource: "azurerm_signalr_service",
    event: "Microsoft.SignalRService.ClientConnectionConnected",
    subject: "/hub/chat",
    elsewhere: "/hub/lobby",
    message: "client connected",
  },
];

/** Deploys the stack, lets its resource raise events, and expects only the matching one handled. */
export async function expectDelivery({
  family,
  stack,
  resource,
  event,
  subject,
  elsewhere,
  message,
}: SourceExample): Promise<void> {
  const example = await DeployedExample.deploy({
    service: `sources/${family}/service.ts`,
    stack: (app, place) => new stack(app, family, place),
  });
  try {
    const scope = String((await example.resource(resource)).values.id);
    await example.cloud.emit(event, { scope, subject });
    if (elsewhere) await example.cloud.emit(event, { scope, subject: elsewhere });
    await example.cloud.drain();

    expect(example.cloud.deliveries().map(({ outcome }) => outcome)).toEqual(["delivered"]);
    await expect.poll(() => example.messages()).toEqual([message]);
    expect((await example.terraform().plan()).changes).toEqual([]);
    await example.terraform().destroy();
    expect(example.cloud.eventSubscriptions.list()).toEqual([]);
  } finally {
    await example.stop();
  }
}
