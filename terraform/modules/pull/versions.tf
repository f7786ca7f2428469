terraform {
  required_version = ">= 1.5"
  required_providers {
    azapi   = { source = "Azure/azapi", version = ">= 2.12, < 3.0" }
    azurerm = { source = "hashicorp/azurerm", version = ">= 4.55, < 6.0" }
  }
}
