terraform {
  required_version = ">= 1.5"
  required_providers {
    azuread = { source = "hashicorp/azuread", version = ">= 3.7, < 4.0" }
  }
}
