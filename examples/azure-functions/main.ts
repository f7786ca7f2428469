import { App } from "cdktf";
import { placeFromEnvironment } from "../place.js";
import { AzureFunctionsStack } from "./stack.js";

const app = new App();
new AzureFunctionsStack(app, "azure-functions", placeFromEnvironment());
app.synth();
