import { expect, it } from "vitest";
import { attributes, oneOf, plain } from "../../../../cli/src/plan/terraform/index.js";

it("matches whole names of a list in any case", () => {
  const types = oneOf(`azurerm_storage_(queue|share)
    azurerm_monitor_* Microsoft.Web/**`);
  const named = [
    ...["azurerm_storage_queue", "azurerm_storage_share", "azurerm_monitor_"],
    ...["azurerm_monitor_alert", "MICROSOFT.WEB/sites/slots"],
  ];
  const others = [
    ...["", "azurerm_storage_queues", "xazurerm_storage_queue", "azurerm_storage_"],
    ...[
      "azurerm_monitor_a.b",
      "MicrosoftxWeb/sites",
      "azurerm_storage_queue azurerm_storage_share",
    ],
  ];
  expect([...named, ...others].filter((name) => types.test(name))).toEqual(named);
});

it("matches attributes in both spellings, and what is in them", () => {
  const names = attributes("access_tier *_url site.cors");
  const all = [
    "access_tier",
    "accessTier.x",
    "accesstier.x.y",
    "logoUrl",
    "site.cors",
    "site.cors.a",
  ];
  const others = ["access_tiers", "an.access_tier", "url_x", "site", "site.cor", "sitexcors"];
  expect([...all, ...others].filter((name) => names.test(plain(name)))).toEqual(all);
});
