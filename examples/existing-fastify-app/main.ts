import { App } from "cdktf";
import { placeFromEnvironment } from "../place.js";
import { ExistingFastifyAppStack } from "./stack.js";

const app = new App();
new ExistingFastifyAppStack(app, "existing-fastify-app", placeFromEnvironment());
app.synth();
