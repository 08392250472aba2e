import type { BegunCall, CallEvent, CallObservation, CallObserver } from "@bothends/runtime/observe";
import {
  type Attributes,
  type Context,
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
import { CallAttributes, instrumentation, type Outcome, spanName } from "./attributes.js";
import { type CallMetrics, callMetrics } from "./call-metrics.js";

/** Default: the providers and the propagator registered by the program. */
export interface OpenTelemetryOptions {
  readonly tracerProvider?: TracerProvider | undefined;
  readonly meterProvider?: MeterProvider | undefined;
  /** Reads the trace context from request headers, and writes it to them. */
  readonly propagator?: Pick<TextMapPropagator, "inject" | "extract"> | undefined;
}

const headerGetter = {
  get: (call: BegunCall, name: string) => call.header?.(name.toLowerCase()),
  keys: (call: BegunCall) => [...(call.headers?.keys() ?? [])],
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
  const attributes = new CallAttributes();
  // Created with the first call: a meter created before the SDK is registered records nothing.
  const created: { server?: CallMetrics; client?: CallMetrics } = {};
  return {
    begin(call) {
      created[call.side] ??= callMetrics(meterProvider, call.side);
      const measured = created[call.side] as CallMetrics;
      const begun = attributes.begin(call);
      if (call.side === "server") {
        const parent = propagator.extract(context.active(), call, headerGetter);
        const span = tracer.startSpan(spanName(call), { kind: SpanKind.SERVER, attributes: begun }, parent);
        return new ObservedCall({ call, begun, attributes, measured, span, parent });
      }
      const parent = context.active();
      const span = tracer.startSpan(spanName(call), { kind: SpanKind.CLIENT, attributes: begun }, parent);
      const headers: Record<string, string> = {};
      propagator.inject(trace.setSpan(parent, span), headers, headerSetter);
      return new ObservedCall({ call, begun, attributes, measured, span, parent, headers });
    },
  };
}

interface Begun {
  readonly call: BegunCall;
  readonly begun: Attributes;
  readonly attributes: CallAttributes;
  readonly measured: CallMetrics;
  readonly span: Span;
  readonly parent: Context;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The span and the metrics of one call. */
class ObservedCall implements CallObservation {
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly #begun: Begun;
  readonly #active: Attributes;

  constructor(begun: Begun) {
    this.headers = begun.headers;
    this.#begun = begun;
    this.#active = begun.attributes.active(begun.begun);
    begun.measured.active.add(1, this.#active);
  }

  run<Result>(task: () => Result): Result {
    const { parent, span } = this.#begun;
    return context.with(trace.setSpan(parent, span), task);
  }

  end(event: CallEvent): void {
    const { call, begun, attributes, measured, span } = this.#begun;
    const outcome = attributes.outcome(event, begun);
    // Spans that the sampler refused keep nothing. The metrics count their calls.
    if (span.isRecording()) {
      endSpan(span, event, { call, outcome });
    }
    measured.active.add(-1, this.#active);
    measured.record(event, outcome.metricAttributes);
  }
}

function endSpan(span: Span, event: CallEvent, { call, outcome }: { call: BegunCall; outcome: Outcome }): void {
  const { requestBytes, answerBytes, retries, error } = event;
  span.updateName(outcome.spanName);
  span.setAttributes(outcome.spanAttributes);
  span.setAttribute("bothends.request_id", event.requestId);
  if (requestBytes !== undefined) {
    span.setAttribute("http.request.body.size", requestBytes);
  }
  if (answerBytes !== undefined) {
    span.setAttribute("http.response.body.size", answerBytes);
  }
  if (retries !== undefined && retries !== 0) {
    span.setAttribute("http.request.resend_count", retries);
  }
  if (event.side === "client") {
    span.setAttribute("url.full", event.address);
  }
  if (error !== undefined) {
    span.recordException(exceptionOf(error.error, call.side, error));
  }
  if (outcome.failed) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error?.message ?? "" });
  }
  span.end();
}

/** Client errors may contain values from answers; an incident's message contains none. */
function exceptionOf(
  error: unknown,
  side: BegunCall["side"],
  { kind, message }: { readonly kind: string; readonly message: string },
): Exception {
  return side === "server" && error instanceof Error
    ? error
    : { name: error instanceof Error ? error.name : kind, message };
}
