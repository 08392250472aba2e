import { openTelemetry } from "@bothends/otel";
import { lineLogger } from "@bothends/runtime/observe";
import type { ListenOptions } from "@bothends/runtime/server/node";
import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";

type Observers = Pick<ListenOptions, "onCall" | "onError" | "observe">;

/** Observers of all calls. Log lines go to standard output; spans are sampled, collected and then dropped. */
export const observers: Readonly<Record<string, () => Observers>> = {
  hook: () => ({ onCall() {} }),
  json: () => lineLogger({ format: "json" }),
  text: () => lineLogger({ format: "text" }),
  spans: () => ({ observe: openTelemetry({ tracerProvider: spanProvider() }) }),
  "spans in context": () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    return { observe: openTelemetry({ tracerProvider: spanProvider() }) };
  },
};

function spanProvider(): BasicTracerProvider {
  const exporter: SpanExporter = {
    export: (_spans, done) => done({ code: 0 }),
    shutdown: async () => {},
  };
  return new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
}
