import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { LocalCloud } from "cloud-eventgrid-local";
import { prepareProviders } from "../../stand-ins/src/index.js";
import { source } from "../../terraform/with-terraform.js";
import { consent } from "../probe/probing.js";

export const clientId = "44444444-4444-4444-8444-444444444444";
export const configuredProviders = `provider "azurerm" {
  features {}
}
provider "azuread" {}
`;

/**
 * A cloud with the application and the topic of the document, and a webhook that consents: at once, or
 * after a request for `/start`.
 */
export async function cloudWithWebhook(roles?: readonly [], starts = false) {
  let started = !starts;
  const server = createServer(({ url }, response) => {
    if (url === "/start") started = true;
    response.writeHead(started ? 200 : 503, consent).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const cloud = await LocalCloud.start({
    control: { eventGridRegistered: true },
    ingress: { "https://events.example.com": `http://127.0.0.1:${port}` },
  });
  const client = cloud.applications.create({
    displayName: "orders",
    clientId,
    secret: "s3cret",
    ...(roles && { roles }),
  });
  const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
  const providers = await prepareProviders(source, cloud.terraformEnvironment());
  const stop = async () => {
    await providers.stop();
    await cloud.close();
    await new Promise((resolve) => server.close(resolve));
  };
  return { cloud, client, topic, providers, port, stop };
}
