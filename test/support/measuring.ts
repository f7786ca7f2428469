import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { onTestFinished } from "vitest";

/** A meter provider, and its measurements: attribute values and sums by instrument. */
export function measuring() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  onTestFinished(() => meterProvider.shutdown());
  const measured = async () => {
    await reader.forceFlush();
    const seen = exporter.getMetrics().at(-1)?.scopeMetrics[0];
    const values = Object.fromEntries(
      (seen?.metrics ?? []).map(({ descriptor, dataPoints }) => [
        descriptor.name,
        dataPoints
          .map(({ attributes, value }): [string, number] => [
            Object.values(attributes).join(" "),
            typeof value === "number" ? value : value.count,
          ])
          .toSorted(),
      ]),
    );
    return { scope: seen?.scope.name, values };
  };
  return { meterProvider, measured };
}
