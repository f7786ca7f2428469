import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { App, type TerraformProvider, TerraformStack } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridTopic,
  EventGridServicePrincipal,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import { existing, received, resourceGroup } from "./fixtures.js";
import { describeWrong } from "./wrong.js";

const topicId = `${resourceGroup}/providers/Microsoft.EventGrid/topics/shop`;
const noAzurerm = "azurerm must be a provider of the type azurerm, but is one of the type azuread";
const noAzuread = "azuread must be a provider of the type azuread, but is one of the type azurerm";

describeWrong("providers", [
  [
    "each in the place of the other",
    (scope) => {
      const azurerm = new AzureadProvider(scope, "directory", { alias: "directory" });
      const azuread = new AzurermProvider(scope, "north", { features: [{}], alias: "north" });
      const place = { resourceGroupName: "shop", location: "westeurope" };
      new CloudEventGridBinding(scope, "a", { ...received, azurerm, azuread });
      new CloudEventGridTopic(scope, "b", { ...place, azurerm });
      CloudEventGridTopic.fromTopicId(scope, "c", topicId, { azurerm });
      new WebhookApplication(scope, "d", { displayName: "orders", azuread });
      WebhookApplication.fromClientId(scope, "e", { clientId: existing.clientId, azuread });
      new EventGridServicePrincipal(scope, "f", { azuread });
    },
    [noAzurerm, noAzuread, noAzurerm, noAzurerm, noAzuread, noAzuread, noAzuread],
  ],
  [
    "of another stack, and by name",
    (scope) => {
      const elsewhere = new TerraformStack(new App(), "platform");
      const azurerm = new AzurermProvider(elsewhere, "azurerm", { features: [{}] });
      const name: unknown = "azuread";
      const azuread = name as TerraformProvider;
      new CloudEventGridBinding(scope, "a", { ...received, azurerm, azuread });
    },
    [
      "azurerm belongs to the stack platform: give a provider of this one",
      'azuread must be a provider of the type azuread, but is "azuread"',
    ],
  ],
]);
