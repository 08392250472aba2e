import { openTelemetry } from "@bothends/otel";
import { lineLogger } from "@bothends/runtime/observe";
import type { ListenOptions } from "@bothends/runtime/server/node";
import { context, SpanKind } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";

type Observers = Pick<ListenOptions, "onCall" | "onError" | "observe">;

/** The observers to measure, by name. Log lines go to standard output; spans are collected and not sent. */
export const observers: Readonly<Record<string, () => Observers>> = {
  hook: () => ({ onCall() {} }),
  json: () => lineLogger({ format: "json" }),
  text: () => lineLogger({ format: "text" }),
  spans: () => ({ observe: openTelemetry({ tracerProvider: createSpanProvider() }) }),
  "sampled spans": () => ({ observe: openTelemetry({ tracerProvider: createSpanProvider(0.05) }) }),
  "sampled by option": () => ({ observe: openTelemetry({ tracerProvider: createSpanProvider(), sampling: 0.05 }) }),
  "spans in context": () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    return { observe: openTelemetry({ tracerProvider: createSpanProvider() }) };
  },
};

/**
 * Creates a span around a handler with OpenTelemetry's SDK, without this package, to compare the costs. The span has
 * the attributes that the conventions require.
 */
export function withSpan<Answer>(handler: () => Answer): () => Answer {
  const tracer = createSpanProvider().getTracer("by hand");
  return () => {
    const attributes = {
      "http.request.method": "POST",
      "url.path": "/api/reg.asmx",
      "url.scheme": "http",
      "server.address": "127.0.0.1",
      "server.port": 8080,
      "client.address": "127.0.0.1",
    };
    const span = tracer.startSpan("CheckUSA", { kind: SpanKind.SERVER, attributes });
    const answer = handler();
    span.setAttributes({
      "rpc.system.name": "soap",
      "rpc.method": "CheckUSA",
      "http.response.status_code": 200,
      "http.request.body.size": 290,
      "http.response.body.size": 512,
    });
    span.end();
    return answer;
  };
}

/**
 * Creates a provider that records a fraction of the spans; without a fraction, all of them, with the SDK's default
 * sampler.
 */
function createSpanProvider(ratio?: number): BasicTracerProvider {
  const exporter: SpanExporter = {
    export: (_spans, done) => done({ code: 0 }),
    shutdown: async () => {},
  };
  return new BasicTracerProvider({
    spanProcessors: [new BatchSpanProcessor(exporter)],
    ...(ratio !== undefined && { sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }) }),
  });
}
