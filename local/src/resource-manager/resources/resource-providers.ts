/**
 * Resource provider namespaces of the subscription: all that the azurerm provider can register. It
 * warns or fails if one is missing, and compares them case-sensitively.
 */
export const resourceProviders = `
  Github.Network Microsoft.AVS Microsoft.AlertsManagement Microsoft.ApiManagement Microsoft.App
  Microsoft.AppConfiguration Microsoft.AppPlatform Microsoft.Authorization Microsoft.Automation
  Microsoft.Blueprint Microsoft.BotService Microsoft.Cache Microsoft.Cdn
  Microsoft.CognitiveServices Microsoft.Compute Microsoft.ContainerInstance
  Microsoft.ContainerRegistry Microsoft.ContainerService Microsoft.CostManagement
  Microsoft.CustomProviders Microsoft.DBforMariaDB Microsoft.DBforMySQL
  Microsoft.DBforPostgreSQL Microsoft.Dashboard Microsoft.DataFactory
  Microsoft.DataLakeAnalytics Microsoft.DataLakeStore Microsoft.DataMigration
  Microsoft.DataProtection Microsoft.Databricks Microsoft.DesktopVirtualization
  Microsoft.DevTestLab Microsoft.Devices Microsoft.DocumentDB Microsoft.EventGrid
  Microsoft.EventHub Microsoft.Features Microsoft.GuestConfiguration Microsoft.HDInsight
  Microsoft.HealthcareApis Microsoft.IoTCentral Microsoft.KeyVault Microsoft.Kusto
  Microsoft.Logic Microsoft.MachineLearningServices Microsoft.Maintenance
  Microsoft.ManagedIdentity Microsoft.ManagedServices Microsoft.Management Microsoft.Maps
  Microsoft.MarketplaceOrdering Microsoft.Media Microsoft.MixedReality Microsoft.Monitor
  Microsoft.Network Microsoft.NotificationHubs Microsoft.OperationalInsights
  Microsoft.OperationsManagement Microsoft.PolicyInsights Microsoft.PowerBIDedicated
  Microsoft.RecoveryServices Microsoft.Relay Microsoft.Resources Microsoft.Search
  Microsoft.Security Microsoft.SecurityInsights Microsoft.ServiceBus Microsoft.ServiceFabric
  Microsoft.SignalRService Microsoft.Sql Microsoft.Storage Microsoft.StreamAnalytics
  Microsoft.TimeSeriesInsights Microsoft.Web microsoft.insights
`
  .trim()
  .split(/\s+/);
