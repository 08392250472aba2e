import type { CallEvent } from "@bothends/runtime/observe";
import type { Histogram, MeterProvider, UpDownCounter } from "@opentelemetry/api";
import { instrumentation, type Outcome, schemaUrl } from "./attributes.js";

/** The metrics of a server or of clients, following the semantic conventions for HTTP and RPC. */
export interface CallMetrics {
  /** Counts the requests that are not answered yet. */
  readonly activeRequests: UpDownCounter;
  /** Records the duration and the sizes of a call that has ended. */
  record(event: CallEvent, outcome: Outcome): void;
}

/** The boundaries of duration histograms in seconds, as the conventions recommend. */
const durationBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Creates the instruments for the calls of one side. */
export function createCallMetrics(provider: MeterProvider, side: "server" | "client"): CallMetrics {
  const meter = provider.getMeter(instrumentation.name, instrumentation.version, { schemaUrl });
  const createDuration = (name: string, description: string): Histogram =>
    meter.createHistogram(name, { unit: "s", description, advice: { explicitBucketBoundaries: durationBoundaries } });
  const createSize = (name: string, description: string): Histogram =>
    meter.createHistogram(name, { unit: "By", description });
  const httpDuration = createDuration(`http.${side}.request.duration`, `Duration of HTTP ${side} requests.`);
  const rpc = createDuration(`rpc.${side}.call.duration`, `Duration of ${side} calls of operations.`);
  const requestSize = createSize(`http.${side}.request.body.size`, `Size of HTTP ${side} request bodies.`);
  const answerSize = createSize(`http.${side}.response.body.size`, `Size of HTTP ${side} response bodies.`);
  return {
    activeRequests: meter.createUpDownCounter(`http.${side}.active_requests`, {
      unit: "{request}",
      description: `Number of active HTTP ${side} requests.`,
    }),
    record({ durations, requestBytes, answerBytes }, { httpMetricAttributes, rpcMetricAttributes }) {
      const seconds = durations.total / 1000;
      httpDuration.record(seconds, httpMetricAttributes);
      if (rpcMetricAttributes !== undefined) {
        rpc.record(seconds, rpcMetricAttributes);
      }
      if (requestBytes !== undefined) {
        requestSize.record(requestBytes, httpMetricAttributes);
      }
      if (answerBytes !== undefined) {
        answerSize.record(answerBytes, httpMetricAttributes);
      }
    },
  };
}
