import type { CallEvent } from "@bothends/runtime/observe";
import type { Attributes, Histogram, MeterProvider, UpDownCounter } from "@opentelemetry/api";
import { instrumentation, isRpc } from "./attributes.js";

/** The metrics of one end, following the semantic conventions for HTTP and RPC. */
export interface CallMetrics {
  readonly active: UpDownCounter;
  record(event: CallEvent, attributes: Attributes): void;
}

/** In seconds: the boundaries recommended by the conventions. */
const durations = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

export function callMetrics(provider: MeterProvider, side: "server" | "client"): CallMetrics {
  const meter = provider.getMeter(instrumentation.name, instrumentation.version);
  const duration = (name: string, description: string): Histogram =>
    meter.createHistogram(name, { unit: "s", description, advice: { explicitBucketBoundaries: durations } });
  const size = (name: string, description: string): Histogram =>
    meter.createHistogram(name, { unit: "By", description });
  const http = duration(`http.${side}.request.duration`, `Duration of HTTP ${side} requests.`);
  const rpc = duration(`rpc.${side}.call.duration`, `Duration of ${side} calls of operations.`);
  const requests = size(`http.${side}.request.body.size`, `Size of HTTP ${side} request bodies.`);
  const answers = size(`http.${side}.response.body.size`, `Size of HTTP ${side} response bodies.`);
  return {
    active: meter.createUpDownCounter(`http.${side}.active_requests`, {
      unit: "{request}",
      description: `Number of active HTTP ${side} requests.`,
    }),
    record(event, attributes) {
      const seconds = event.durations.total / 1000;
      http.record(seconds, attributes);
      if (isRpc(event)) {
        rpc.record(seconds, attributes);
      }
      if (event.requestBytes !== undefined) {
        requests.record(event.requestBytes, attributes);
      }
      if (event.answerBytes !== undefined) {
        answers.record(event.answerBytes, attributes);
      }
    },
  };
}
