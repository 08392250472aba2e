import type { BegunCall, CallEvent, CallObservation, CallObserver } from "@bothends/runtime/observe";
import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  type Exception,
  isSpanContextValid,
  type MeterProvider,
  metrics,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  TraceFlags,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { CallAttributes, instrumentation, type Outcome, schemaUrl } from "./attributes.js";
import { type CallMetrics, createCallMetrics } from "./call-metrics.js";

/** Options of `openTelemetry`. Default: the providers and the propagator that the program has registered. */
export interface OpenTelemetryOptions {
  readonly tracerProvider?: TracerProvider | undefined;
  readonly meterProvider?: MeterProvider | undefined;
  /** Reads the trace context from request headers, and writes it to them. */
  readonly propagator?: Pick<TextMapPropagator, "inject" | "extract"> | undefined;
  /**
   * The fraction of the traces beginning here that are recorded: 1 for all, 0.05 for one in twenty. A call that belongs
   * to a trace is recorded if its caller records the trace. A call that this option drops costs half as much as one
   * that the sampler of the SDK drops: the sampler does not see it. Default: the sampler decides on every call.
   */
  readonly sampling?: number | undefined;
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
  const { tracerProvider = trace, meterProvider = metrics, propagator = propagation, sampling, ...others } = options;
  const [unknownName] = Object.keys(others);
  if (unknownName !== undefined) {
    const names = "tracerProvider, meterProvider, propagator, sampling";
    throw new RangeError(`openTelemetry has no option "${unknownName}". Use ${names}.`);
  }
  if (sampling !== undefined && !(sampling >= 0 && sampling <= 1)) {
    throw new RangeError('The option "sampling" must be a number from 0 to 1.');
  }
  const tracer = tracerProvider.getTracer(instrumentation.name, instrumentation.version, { schemaUrl });
  const attributes = new CallAttributes();
  const contexts = new ContextSupport();
  // The metrics are created with the first call: a meter that is created before the SDK is registered records nothing.
  const recordersOfSide: { server?: CallRecorders; client?: CallRecorders } = {};
  return {
    begin(call) {
      recordersOfSide[call.side] ??= { attributes, contexts, metrics: createCallMetrics(meterProvider, call.side) };
      const recorders = recordersOfSide[call.side] as CallRecorders;
      const isServer = call.side === "server";
      const parent = isServer ? propagator.extract(context.active(), call, headerGetter) : context.active();
      const isRecorded = sampling === undefined || isSampled(parent, sampling);
      const startAttributes = isRecorded ? attributes.begin(call) : attributes.beginUnrecorded(call);
      const kind = isServer ? SpanKind.SERVER : SpanKind.CLIENT;
      const span = isRecorded
        ? tracer.startSpan(attributes.getSpanName(call), { kind, attributes: startAttributes }, parent)
        : undefined;
      const activeAttributes = attributes.getActiveAttributes(call, startAttributes);
      const observedCall = new ObservedCall({ span, parent, startAttributes, activeAttributes }, recorders);
      if (!isServer) {
        observedCall.headers = {};
        propagator.inject(observedCall.context, observedCall.headers, headerSetter);
      }
      return observedCall;
    },
  };
}

/** The recorders that the calls of all servers share. The calls of all clients share another instance. */
interface CallRecorders {
  readonly attributes: CallAttributes;
  readonly contexts: ContextSupport;
  readonly metrics: CallMetrics;
}

/** Whether a call is recorded: if its trace is recorded; for a call that begins a trace, at random. */
function isSampled(parent: Context, sampling: number): boolean {
  const spanContext = trace.getSpanContext(parent);
  return spanContext === undefined || !isSpanContextValid(spanContext)
    ? Math.random() < sampling
    : (spanContext.traceFlags & TraceFlags.SAMPLED) !== 0;
}

/**
 * Returns the context of a call that is not recorded. Spans in this context are not recorded either, and other services
 * learn that the trace is not recorded. Without a trace in the context, these services would begin one.
 */
function createUnrecordedContext(parent: Context): Context {
  const spanContext = trace.getSpanContext(parent);
  return spanContext !== undefined && isSpanContextValid(spanContext)
    ? parent
    : trace.setSpanContext(parent, {
        traceId: createRandomHex(16),
        spanId: createRandomHex(8),
        traceFlags: TraceFlags.NONE,
      });
}

/** Returns random bytes as hexadecimal digits. */
function createRandomHex(count: number): string {
  let text = "";
  for (let index = 0; index < count; index += 1) {
    text += hexBytes[Math.floor(Math.random() * hexBytes.length)];
  }
  return text;
}

/** All bytes but 0, because an id of zeros is not valid. */
const hexBytes: readonly string[] = Array.from({ length: 255 }, (_, index) =>
  (index + 1).toString(16).padStart(2, "0"),
);

interface BegunSpan {
  /** Undefined if the call is not recorded. */
  readonly span: Span | undefined;
  /** The context in which the span began. */
  readonly parent: Context;
  /** The attributes at the beginning of the call. */
  readonly startAttributes: Attributes;
  /** The attributes with which the call is counted as an active request. */
  readonly activeAttributes: Attributes;
}

const probeKey = createContextKey("@bothends/otel");
/** A context with a value by which it can be recognized. */
const probeContext = ROOT_CONTEXT.setValue(probeKey, true);

/**
 * Finds out whether the program has registered a context manager. Programs that only export spans have none. Contexts
 * then have no effect, and creating one would take 1 of the 10 µs of a traced call.
 */
class ContextSupport {
  #hasManager = false;

  get hasManager(): boolean {
    this.#hasManager ||= context.with(probeContext, isProbeActive);
    return this.#hasManager;
  }
}

function isProbeActive(): boolean {
  return context.active().getValue(probeKey) === true;
}

/** The span and the metrics of one call. */
class ObservedCall implements CallObservation {
  headers: Record<string, string> | undefined;
  /** Runs the call in its context. Absent if contexts have no effect. */
  declare run?: NonNullable<CallObservation["run"]>;
  readonly #begunSpan: BegunSpan;
  readonly #recorders: CallRecorders;
  #context: Context | undefined;

  constructor(begunSpan: BegunSpan, recorders: CallRecorders) {
    this.#begunSpan = begunSpan;
    this.#recorders = recorders;
    recorders.metrics.activeRequests.add(1, begunSpan.activeAttributes);
    if (recorders.contexts.hasManager) {
      this.run = runInContext;
    }
  }

  /** The context in which the call runs. It contains the span. Created on first use. */
  get context(): Context {
    const { parent, span } = this.#begunSpan;
    this.#context ??= span === undefined ? createUnrecordedContext(parent) : trace.setSpan(parent, span);
    return this.#context;
  }

  end(event: CallEvent): void {
    const { attributes, metrics } = this.#recorders;
    const { span, startAttributes, activeAttributes } = this.#begunSpan;
    const outcome = attributes.getOutcome(event, startAttributes);
    // The sampler may have dropped the span, which then records nothing. The metrics count the call in any case.
    if (span?.isRecording() === true) {
      endSpan(span, event, outcome);
    }
    metrics.activeRequests.add(-1, activeAttributes);
    metrics.record(event, outcome);
  }

  /** Does not end the span, so that it is not exported. */
  cancel(): void {
    this.#recorders.metrics.activeRequests.add(-1, this.#begunSpan.activeAttributes);
  }
}

function runInContext<Result>(this: ObservedCall, task: () => Result): Result {
  return context.with(this.context, task);
}

function endSpan(span: Span, event: CallEvent, outcome: Outcome): void {
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
    span.recordException(createException(error.error, event.side, error));
  }
  if (outcome.hasFailed) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error?.message ?? "" });
  }
  span.end();
}

/**
 * Returns the exception to record in a span. Errors of clients may contain values from answers, so their message is
 * replaced by the message of the incident, also if a handler of a server threw them.
 */
function createException(
  error: unknown,
  side: BegunCall["side"],
  { kind, message }: { readonly kind: string; readonly message: string },
): Exception {
  return side === "server" && error instanceof Error && !("messageParts" in error)
    ? error
    : { name: error instanceof Error ? error.name : kind, message };
}
