import { App } from "cdktf";
import { placeFromEnvironment } from "../place.js";
import { PullContainerAppStack } from "./stack.js";

const app = new App();
const { cloudTenantId, cloudSubscriptionId } = placeFromEnvironment();
const image = process.env.IMAGE ?? "example.azurecr.io/warehouse:1";
new PullContainerAppStack(app, "pull-container-app", { cloudTenantId, cloudSubscriptionId, image });
app.synth();
