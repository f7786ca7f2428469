import { App } from "cdktf";
import { placeFromEnvironment } from "../place.js";
import { ContainerAppsStack } from "./stack.js";

const app = new App();
const { subscriberEndpoint: _, ...place } = placeFromEnvironment();
const image = process.env.IMAGE ?? "example.azurecr.io/warehouse:1";
new ContainerAppsStack(app, "container-apps", { ...place, image });
app.synth();
