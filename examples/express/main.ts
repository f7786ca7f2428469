import { App } from "cdktf";
import { placeFromEnvironment } from "../place.js";
import { ExpressStack } from "./stack.js";

const app = new App();
new ExpressStack(app, "express", placeFromEnvironment());
app.synth();
