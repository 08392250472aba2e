import { randomUUID } from "node:crypto";
import { openTelemetry } from "@bothends/otel";
import { lineLogger } from "@bothends/runtime/observe";
import type { ListenOptions } from "@bothends/runtime/server/node";
import { type Attributes, context, SpanKind } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { AggregationTemporality, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";

/** Returns a handler that also does other work. */
export type WrapHandler = <Answer>(handler: () => Answer) => () => Answer;

type Observers = Pick<ListenOptions, "onCall" | "onError" | "observe"> & { readonly wrapHandler?: WrapHandler };

/** The observers to measure, by name. Log lines go to standard output; spans and metrics are collected and not sent. */
export const observers: Readonly<Record<string, () => Observers>> = {
  none: () => ({}),
  hook: () => ({ onCall() {} }),
  json: () => lineLogger({ format: "json" }),
  text: () => lineLogger({ format: "text" }),
  "span by hand": () => ({ wrapHandler: (handler) => withSpan(handler, requiredAttributes) }),
  "empty span by hand": () => ({ wrapHandler: (handler) => withSpan(handler, { start: {}, end: {} }) }),
  "same span by hand": () => ({
    wrapHandler: (handler) => withSpan(handler, requiredAttributes, createOwnAttributes),
  }),
  spans: () => ({ observe: openTelemetry({ tracerProvider: createSpanProvider() }) }),
  "spans and metrics": () => ({
    observe: openTelemetry({ tracerProvider: createSpanProvider(), meterProvider: createMeterProvider() }),
  }),
  "sampled spans": () => ({ observe: openTelemetry({ tracerProvider: createSpanProvider(0.05) }) }),
  "sampled by option": () => ({ observe: openTelemetry({ tracerProvider: createSpanProvider(), sampling: 0.05 }) }),
  "spans in context": () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    return { observe: openTelemetry({ tracerProvider: createSpanProvider() }) };
  },
};

interface SpanAttributes {
  readonly start: Attributes;
  readonly end: Attributes;
}

/** The eleven attributes that the conventions require. */
const requiredAttributes: SpanAttributes = {
  start: {
    "http.request.method": "POST",
    "url.path": "/api/reg.asmx",
    "url.scheme": "http",
    "server.address": "127.0.0.1",
    "server.port": 8080,
    "client.address": "127.0.0.1",
  },
  end: {
    "rpc.system.name": "soap",
    "rpc.method": "Reg/CheckUSA",
    "http.response.status_code": 200,
    "http.request.body.size": 290,
    "http.response.body.size": 512,
  },
};

/** Returns the other attributes of a span of `@bothends/otel`. */
function createOwnAttributes(): Attributes {
  return {
    "bothends.protocol": "soap11",
    "bothends.operation": "Reg/CheckUSA",
    "network.protocol.version": "1.1",
    "bothends.request_id": randomUUID(),
  };
}

/**
 * Creates a span around a handler with OpenTelemetry's SDK, without this package, to compare the costs. Copies the
 * attributes, because other programs create them for each span.
 */
function withSpan<Answer>(
  handler: () => Answer,
  { start, end }: SpanAttributes,
  createFurther?: () => Attributes,
): () => Answer {
  const tracer = createSpanProvider().getTracer("by hand");
  return () => {
    const span = tracer.startSpan("CheckUSA", { kind: SpanKind.SERVER, attributes: { ...start } });
    const answer = handler();
    span.setAttributes({ ...end });
    if (createFurther !== undefined) {
      span.setAttributes(createFurther());
    }
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

/** Creates a provider that collects metrics every second. */
function createMeterProvider(): MeterProvider {
  const exporter = {
    export: (_metrics: unknown, done: (result: { readonly code: number }) => void) => done({ code: 0 }),
    forceFlush: async () => {},
    shutdown: async () => {},
    selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
  };
  return new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1_000, exportTimeoutMillis: 1_000 })],
  });
}
