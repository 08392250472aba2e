// Calls both interfaces with OpenTelemetry on both ends. Runs on every platform.
import { openTelemetry } from "@bothends/otel";
import { fetchTransport } from "@bothends/runtime/client/fetch";
import { webHandler } from "@bothends/runtime/server/web";
import { SpanKind } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { callAll, routes } from "./calls.mjs";

/** Makes calls, and returns the number of spans of the server. Each of them must have a span of the client as its parent. */
export async function traceCalls() {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const observe = openTelemetry({ tracerProvider, propagator: new W3CTraceContextPropagator() });
  const transport = fetchTransport(webHandler(routes, { observe }));
  await callAll("http://in-memory.example", { transport, observe });
  const spans = exporter.getFinishedSpans();
  const sent = new Set(spans.filter(({ kind }) => kind === SpanKind.CLIENT).map((span) => span.spanContext().spanId));
  const received = spans.filter(({ kind }) => kind === SpanKind.SERVER);
  const orphans = received.filter(({ parentSpanContext }) => !sent.has(parentSpanContext?.spanId));
  if (orphans.length > 0) {
    throw new Error(`${orphans.length} spans of servers have no client's span as parent.`);
  }
  return received.length;
}
