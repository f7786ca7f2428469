import { it } from "vitest";
import { expectSkippedTerraform, startOrders, WITHOUT_PROGRAMS } from "./orders-run.js";

it("npm start without Terraform says where to get it, deploys directly, and lists what it skips", async () => {
  expectSkippedTerraform(await startOrders(WITHOUT_PROGRAMS));
});
