import { App } from "cdktf";
import { placeFromEnvironment } from "../place.js";
import { KubernetesStack } from "./stack.js";

const app = new App();
new KubernetesStack(app, "kubernetes", {
  ...placeFromEnvironment(),
  subscriberEndpoint: "https://shop.example.com/hooks/orders",
  handshakePort: "9000",
});
app.synth();
