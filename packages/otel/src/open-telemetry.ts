import type { BegunCall, CallEvent, CallObserver } from "@bothends/runtime/observe";
import {
  type Attributes,
  context,
  type Exception,
  type MeterProvider,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { beginAttributes, endAttributes, failed, instrumentation, metricAttributes, spanName } from "./attributes.js";
import { type CallMetrics, callMetrics } from "./call-metrics.js";

/** Default: the providers and the propagator that the program has registered. */
export interface OpenTelemetryOptions {
  readonly tracerProvider?: TracerProvider | undefined;
  readonly meterProvider?: MeterProvider | undefined;
  /** Reads the context of a trace from the headers of requests, and writes it into them. */
  readonly propagator?: Pick<TextMapPropagator, "inject" | "extract"> | undefined;
}

const headerGetter = {
  get: (headers: ReadonlyMap<string, string>, name: string) => headers.get(name.toLowerCase()),
  keys: (headers: ReadonlyMap<string, string>) => [...headers.keys()],
};

const headerSetter = {
  set: (headers: Record<string, string>, name: string, value: string) => {
    headers[name] = value;
  },
};

/**
 * Observes the calls of servers and clients with spans and metrics: `listen(routes, { observe: openTelemetry() })`,
 * `new VehicleClient({ observe: openTelemetry() })`. Follows the semantic conventions for HTTP and RPC.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): CallObserver {
  const { tracerProvider = trace, meterProvider = metrics, propagator = propagation } = options;
  const tracer = tracerProvider.getTracer(instrumentation.name, instrumentation.version);
  // Created with the first call: a meter of the API that is made before the SDK is registered records nothing.
  const created: { server?: CallMetrics; client?: CallMetrics } = {};
  return {
    begin(call) {
      created[call.side] ??= callMetrics(meterProvider, call.side);
      const measured = created[call.side] as CallMetrics;
      const isServer = call.side === "server";
      const parent = isServer
        ? propagator.extract(context.active(), call.headers ?? new Map<string, string>(), headerGetter)
        : context.active();
      const attributes = beginAttributes(call);
      const kind = isServer ? SpanKind.SERVER : SpanKind.CLIENT;
      const span = tracer.startSpan(spanName(call), { kind, attributes }, parent);
      const traced = trace.setSpan(parent, span);
      const headers: Record<string, string> = {};
      if (!isServer) {
        propagator.inject(traced, headers, headerSetter);
      }
      const active = activeAttributes(attributes);
      measured.active.add(1, active);
      return {
        headers,
        run: (task) => context.with(traced, task),
        end(event) {
          endSpan(span, event, call);
          measured.active.add(-1, active);
          measured.record(event, metricAttributes(event, attributes));
        },
      };
    },
  };
}

function endSpan(span: Span, event: CallEvent, call: BegunCall): void {
  span.updateName(spanName(event));
  span.setAttributes(endAttributes(event));
  const { error } = event;
  if (error !== undefined) {
    span.recordException(exceptionOf(error.error, call.side, error));
  }
  if (failed(event)) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error?.message ?? "" });
  }
  span.end();
}

/** Errors of clients may contain values of answers; the message of an incident contains none. */
function exceptionOf(
  error: unknown,
  side: BegunCall["side"],
  { kind, message }: { readonly kind: string; readonly message: string },
): Exception {
  return side === "server" && error instanceof Error
    ? error
    : { name: error instanceof Error ? error.name : kind, message };
}

function activeAttributes(attributes: Attributes): Attributes {
  const { "http.request.method": method, "url.scheme": scheme } = attributes;
  return scheme === undefined
    ? { "http.request.method": method }
    : { "http.request.method": method, "url.scheme": scheme };
}
