import { App } from "cdktf";
import { placeFromEnvironment } from "../place.js";
import { PublisherStack } from "./stack.js";

const app = new App();
new PublisherStack(app, "publisher", placeFromEnvironment());
app.synth();
