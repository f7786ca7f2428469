/** The regions of the public cloud. The azurerm provider refuses a location that is not listed. */
export const locations = `
  australiacentral australiacentral2 australiaeast australiasoutheast austriaeast
  belgiumcentral brazilsouth brazilsoutheast canadacentral canadaeast centralindia centralus
  chilecentral eastasia eastus eastus2 francecentral francesouth germanynorth germanywestcentral
  indonesiacentral israelcentral italynorth japaneast japanwest jioindiacentral jioindiawest
  koreacentral koreasouth malaysiawest mexicocentral newzealandnorth northcentralus northeurope
  norwayeast norwaywest polandcentral qatarcentral southafricanorth southafricawest
  southcentralus southeastasia southindia spaincentral swedencentral swedensouth
  switzerlandnorth switzerlandwest uaecentral uaenorth uksouth ukwest westcentralus westeurope
  westindia westus westus2 westus3
`
  .trim()
  .split(/\s+/);
