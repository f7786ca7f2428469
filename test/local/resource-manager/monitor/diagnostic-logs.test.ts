import { expect, it } from "vitest";
import { publishTo, startShop } from "../../support/cloud.js";
import { signIn } from "../../support/management-client.js";

const STORAGE =
  "/subscriptions/s/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/a";

/** The columns and the example of https://learn.microsoft.com/azure/event-grid/monitor-push-reference */
it("the diagnostic logs have a line for each failure of an enabled category, in Azure's form", async () => {
  const now = () => Date.UTC(2027, 0, 31, 10);
  const shop = await startShop({ control: { eventGridRegistered: true }, now });
  const { cloud, topic, webhook, publish } = shop;
  const call = await signIn(cloud);
  const setting = `${topic.id}/providers/Microsoft.Insights/diagnosticSettings/logs`;
  const enable = (...categories: string[]) =>
    call("PUT", setting, {
      properties: {
        storageAccountId: STORAGE,
        logs: categories.map((category) => ({ category, enabled: true })),
      },
    });
  webhook.answer = () => ({ status: 503, body: "no\nstock" });
  await publish();
  await cloud.clock.advance({ seconds: 1 });
  expect(cloud.diagnosticLogs()).toEqual([]);

  await enable("DeliveryFailures");
  await publishTo({ ...topic, accessKey: "wrong" });
  await publish({ id: "17" });
  await cloud.clock.advance({ seconds: 1 });
  const line = {
    time: "2027-01-31T10:00:01.000Z",
    resourceId: topic.id.toUpperCase(),
    eventSubscriptionName: "ORDERS-SUB",
    category: "DeliveryFailures",
    operationName: "Deliver",
    message: expect.stringMatching(
      /^Message:outcome=Busy, latencyInMs=\d+, id=17, .*deliveryTime=1\/31\/2027 10:00:01 AM, deliveryCount=0, .*deliveryResponse=Busy: httpStatusCode=503, errorMessage=no stock$/,
    ),
  };
  expect(cloud.diagnosticLogs()).toEqual([line]);

  await enable("PublishFailures");
  await publishTo({ ...topic, accessKey: "wrong" });
  const { eventSubscriptionName: _, ...common } = line;
  expect(cloud.diagnosticLogs()).toEqual([
    line,
    {
      ...common,
      time: "2027-01-31T10:00:02.000Z",
      category: "PublishFailures",
      operationName: "Publish",
      message: expect.stringMatching(
        /requestUri=https:\/\/orders\.westeurope-1\.eventgrid\.azure\.net\/api\/events, .*httpStatusCode=Unauthorized, errorType=ClientError, errorMessage=The request authorization key is not authorized/,
      ),
    },
  ]);
});
