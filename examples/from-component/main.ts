import { readFileSync } from "node:fs";
import { App } from "cdktf";
import { FromComponentStack } from "./stack.js";

const file = process.env.COMPONENT ?? "examples/from-component/components/orders.yaml";
const existingSubscription = process.env.ADOPTED === "yes" ? "adopted" : "adopt";

const app = new App();
new FromComponentStack(app, "from-component", {
  document: readFileSync(file, "utf8"),
  existingSubscription,
});
app.synth();
