import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { RestClient } from "@bothends/runtime/client";
import type { Routes } from "@bothends/runtime/server";
import { listen } from "@bothends/runtime/server/node";
import { webMiddleware } from "@bothends/runtime/server/web";
import { context, propagation, SpanKind, SpanStatusCode, type TracerProvider, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { instrumentation, schemaUrl } from "../src/attributes.js";
import { openTelemetry } from "../src/index.js";
import { getItem, restRoutesOf, shop, soapClientOf, soapRoutesOf } from "./interfaces.js";

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});
afterAll(() => {
  context.disable();
  propagation.disable();
});

/** Providers that keep spans and metrics in memory. */
function sdk(sampler?: Sampler, sampling?: number) {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(spans)],
    ...(sampler && { sampler }),
  });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  onTestFinished(async () => void (await meterProvider.shutdown()));
  const observe = openTelemetry({ tracerProvider, meterProvider, sampling });
  const finished = (count: number) =>
    vi.waitFor(() => {
      expect(spans.getFinishedSpans()).toHaveLength(count);
      return spans.getFinishedSpans();
    });
  const metrics = async () => {
    await reader.forceFlush();
    const [last] = exporter.getMetrics().slice(-1);
    return (last?.scopeMetrics ?? []).flatMap((scope) => scope.metrics);
  };
  return { observe, spans, finished, metrics, tracerProvider, meterProvider };
}

async function serve(routes: Routes, observe: ReturnType<typeof openTelemetry>): Promise<string> {
  const server = await listen([routes], { host: "127.0.0.1", observe, onError: () => {} });
  onTestFinished(async () => void (await server.close()));
  return server.url;
}

const kind = (spans: readonly ReadableSpan[], wanted: SpanKind) => spans.find((span) => span.kind === wanted);

describe("a SOAP call", () => {
  test("has a client and a server span of one trace, named after the operation", async () => {
    const { observe, finished } = sdk();
    const url = await serve(
      soapRoutesOf(() => "b"),
      observe,
    );
    await soapClientOf(url, observe)("secret-key");
    const spans = await finished(2);
    const client = kind(spans, SpanKind.CLIENT);
    const server = kind(spans, SpanKind.SERVER);
    expect([client?.name, server?.name]).toEqual(["Echo/Echo", "Echo/Echo"]);
    expect(server?.spanContext().traceId).toBe(client?.spanContext().traceId);
    expect(server?.parentSpanContext?.spanId).toBe(client?.spanContext().spanId);
    const port = Number(new URL(url).port);
    expect(client?.attributes).toMatchObject({
      "http.request.method": "POST",
      "url.full": `${url}/echo`,
      "server.address": "127.0.0.1",
      "server.port": port,
      "http.response.status_code": 200,
      "rpc.system.name": "soap",
      "rpc.method": "Echo/Echo",
      "network.protocol.version": "1.1",
    });
    expect(server?.attributes).toMatchObject({
      "http.request.method": "POST",
      "url.path": "/echo",
      "url.scheme": "http",
      "server.address": "127.0.0.1",
      "server.port": port,
      "client.address": "127.0.0.1",
      "user_agent.original": "bothends",
      "http.response.status_code": 200,
      "rpc.system.name": "soap",
      "rpc.method": "Echo/Echo",
      "network.protocol.version": "1.1",
      "http.request.body.size": client?.attributes["http.request.body.size"],
      "http.response.body.size": client?.attributes["http.response.body.size"],
    });
    expect(server?.attributes["bothends.request_id"]).toBe(client?.attributes["bothends.request_id"]);
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain("secret");
    expect([client?.status.code, server?.status.code]).toEqual([SpanStatusCode.UNSET, SpanStatusCode.UNSET]);
  });

  test("runs its handler in the context of the server's span, so that spans in it are children", async () => {
    const { observe, finished, tracerProvider } = sdk();
    const routes = soapRoutesOf(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      tracerProvider.getTracer("database").startSpan("select").end();
      return "b";
    });
    await soapClientOf(await serve(routes, observe), observe)("a");
    const spans = await finished(3);
    const select = spans.find(({ name }) => name === "select");
    expect(select?.parentSpanContext?.spanId).toBe(kind(spans, SpanKind.SERVER)?.spanContext().spanId);
  });

  test("has at most 200 characters of the path and the user agent that a client sends", async () => {
    const { observe, finished } = sdk();
    const url = await serve(
      soapRoutesOf(() => "b"),
      observe,
    );
    await fetch(`${url}/echo/${"a".repeat(3_000)}`, { headers: { "User-Agent": "u".repeat(3_000) } });
    const [span] = await finished(1);
    expect(span?.attributes).toMatchObject({
      "url.path": `/echo/${"a".repeat(193)}…`,
      "user_agent.original": `${"u".repeat(199)}…`,
    });
  });

  test("is a child of the active span", async () => {
    const { observe, finished, tracerProvider } = sdk();
    const url = await serve(
      soapRoutesOf(() => "b"),
      observe,
    );
    const span = tracerProvider.getTracer("program").startSpan("job");
    await context.with(trace.setSpan(context.active(), span), () => soapClientOf(url, observe)("a"));
    span.end();
    const spans = await finished(3);
    expect(kind(spans, SpanKind.CLIENT)?.parentSpanContext?.spanId).toBe(span.spanContext().spanId);
  });

  test("whose handler throws has a failed span with the exception, on the client without its text", async () => {
    const { observe, finished } = sdk();
    const url = await serve(
      soapRoutesOf(() => {
        throw new Error("secret cause");
      }),
      observe,
    );
    await expect(soapClientOf(url, observe)("a")).rejects.toThrow();
    const spans = await finished(2);
    const server = kind(spans, SpanKind.SERVER);
    expect(server?.status).toMatchObject({ code: SpanStatusCode.ERROR });
    expect(server?.attributes).toMatchObject({ "error.type": "Server", "rpc.status_code": "Server" });
    expect(server?.events[0]?.attributes).toMatchObject({
      "exception.type": "Error",
      "exception.message": "secret cause",
      "exception.stacktrace": expect.stringContaining("open-telemetry.test"),
    });
    const client = kind(spans, SpanKind.CLIENT);
    expect(client?.status).toMatchObject({ code: SpanStatusCode.ERROR });
    expect(client?.attributes).toMatchObject({ "error.type": "Server", "http.response.status_code": 500 });
    expect(JSON.stringify(client?.events)).not.toContain("secret");
  });

  test("whose answer does not fit the schema has the path and the reason, not the value", async () => {
    const { observe, finished } = sdk();
    const url = await serve(
      soapRoutesOf(() => 19801231 as never),
      observe,
    );
    await expect(soapClientOf(url, observe)("a")).rejects.toThrow();
    const server = kind(await finished(2), SpanKind.SERVER);
    const [{ attributes } = {}] = server?.events ?? [];
    expect(attributes?.["exception.message"]).toMatch(
      /^\/.*: The value \(a number\) is not a valid xs:string: it must be a string\.$/,
    );
    expect(JSON.stringify(server?.events)).not.toContain("19801231");
  });

  test("without an answer has the kind of the error as error.type", async () => {
    const { observe, finished } = sdk();
    await expect(soapClientOf("http://127.0.0.1:1", observe)("a")).rejects.toThrow();
    const [client] = await finished(1);
    expect(client?.attributes).toMatchObject({ "error.type": "transport" });
    expect(client?.attributes).not.toHaveProperty("http.response.status_code");
  });
});

describe("a REST call", () => {
  test("has spans named after the method and the route", async () => {
    const { observe, finished } = sdk();
    const url = await serve(restRoutesOf(), observe);
    await new RestClient(shop, { siteUrl: url, observe }).call(getItem, { id: 7 });
    const spans = await finished(2);
    expect(spans.map(({ name }) => name)).toEqual([`GET ${getItem.route}`, `GET ${getItem.route}`]);
    expect(kind(spans, SpanKind.SERVER)?.attributes).toMatchObject({
      "http.route": getItem.route,
      "url.path": "/wp-json/v1/items/7",
      "bothends.operation": "items.get",
    });
    expect(kind(spans, SpanKind.CLIENT)?.attributes).toMatchObject({ "url.template": getItem.route });
    expect(kind(spans, SpanKind.SERVER)?.attributes).not.toHaveProperty("rpc.method");
  });

  test("that no route answers has a span named after its method, which has not failed", async () => {
    const { observe, finished } = sdk();
    const url = await serve(restRoutesOf(), observe);
    await fetch(`${url}/other`, { method: "DELETE" });
    const [server] = await finished(1);
    expect(server).toMatchObject({ name: "DELETE", status: { code: SpanStatusCode.UNSET } });
    expect(server?.attributes["http.response.status_code"]).toBe(404);
  });
});

test("codes that a server of REST chooses create no series: error.type is the status, and a span has a short code", async () => {
  const codes = ["item_sold", "item_lost", "x".repeat(5_000), "two words"];
  let count = 0;
  const server = createServer((_, response) => {
    const body = JSON.stringify({ code: codes[count], message: "m", data: { status: 409 } });
    count += 1;
    response.writeHead(409, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { observe, finished, metrics } = sdk();
  const { port } = server.address() as AddressInfo;
  const client = new RestClient(shop, { siteUrl: `http://127.0.0.1:${port}`, observe });
  for (const _ of codes) {
    await expect(client.call(getItem, { id: 7 })).rejects.toThrow();
  }
  const spans = await finished(codes.length);
  expect(spans.map(({ attributes }) => attributes["error.type"])).toEqual(codes.map(() => "409"));
  expect(spans.map(({ attributes }) => attributes["bothends.error_code"])).toEqual([
    "item_sold",
    "item_lost",
    undefined,
    undefined,
  ]);
  const histograms = (await metrics()).filter(({ descriptor }) => !descriptor.name.endsWith("active_requests"));
  expect(histograms.map(({ dataPoints }) => dataPoints.length)).toEqual([1, 1, 1]);
  expect(histograms.map(({ dataPoints }) => dataPoints[0]?.attributes["error.type"])).toEqual(["409", "409", "409"]);
});

test("metrics have durations in seconds, sizes and active requests, with few attributes", async () => {
  const { observe, finished, metrics } = sdk();
  const url = await serve(
    soapRoutesOf(() => "b"),
    observe,
  );
  const call = soapClientOf(url, observe);
  await call("a");
  await call("a");
  await finished(4);
  const recorded = await metrics();
  const names = ["http.request.duration", "rpc.call.duration", "http.active_requests"];
  const ends = ["server", "client"].flatMap((side) => names.map((name) => name.replace(".", `.${side}.`)));
  const sizes = ["server", "client"].flatMap((side) =>
    ["request", "response"].map((part) => `http.${side}.${part}.body.size`),
  );
  expect(recorded.map(({ descriptor }) => descriptor.name).sort()).toEqual([...ends, ...sizes].sort());
  const duration = recorded.find(({ descriptor }) => descriptor.name === "http.server.request.duration");
  expect(duration?.descriptor.unit).toBe("s");
  expect(duration?.dataPoints).toHaveLength(1);
  const [point] = duration?.dataPoints ?? [];
  expect(point?.value).toMatchObject({ count: 2 });
  const { sum } = (point ?? { value: { sum: -1 } }).value as { readonly sum: number };
  expect(sum > 0 && sum < 5).toBe(true);
  expect(point?.attributes).toEqual({
    "http.request.method": "POST",
    "url.scheme": "http",
    "http.response.status_code": 200,
    "bothends.protocol": "soap11",
    "bothends.operation": "Echo/Echo",
    "network.protocol.version": "1.1",
  });
  const calls = recorded.find(({ descriptor }) => descriptor.name === "rpc.server.call.duration");
  expect(calls?.dataPoints.map(({ attributes }) => attributes)).toEqual([
    { "rpc.system.name": "soap", "rpc.method": "Echo/Echo", "bothends.protocol": "soap11" },
  ]);
  const active = recorded.find(({ descriptor }) => descriptor.name === "http.server.active_requests");
  expect(active?.dataPoints.map(({ value }) => value)).toEqual([0]);
  const activeOfClient = recorded.find(({ descriptor }) => descriptor.name === "http.client.active_requests");
  expect(activeOfClient?.dataPoints.map(({ attributes }) => attributes)).toEqual([
    { "http.request.method": "POST", "server.address": "127.0.0.1", "server.port": Number(new URL(url).port) },
  ]);
});

test("active requests of REST have the route, and all calls of a route share their attributes", async () => {
  const { metrics, meterProvider, tracerProvider } = sdk();
  const added = new Set<unknown>();
  const meter = meterProvider.getMeter("probe");
  vi.spyOn(meterProvider, "getMeter").mockReturnValue(meter);
  const counter = meter.createUpDownCounter("http.client.active_requests");
  vi.spyOn(counter, "add").mockImplementation((_, attributes) => void added.add(attributes));
  vi.spyOn(meter, "createUpDownCounter").mockReturnValue(counter);
  const observe = openTelemetry({ tracerProvider, meterProvider });
  const address = "http://h.example/wp-json/v1/items/";
  const begin = (id: number, route: string) =>
    observe.begin({ side: "client", requestId: "1", method: "GET", address: address + id, operation: route, route });
  for (const id of [1, 2, 3]) {
    begin(id, getItem.route);
    begin(id, "/v1/other");
  }
  const attributes = { "http.request.method": "GET", "server.address": "h.example", "server.port": 80 };
  expect([...added]).toEqual([
    { ...attributes, "url.template": getItem.route },
    { ...attributes, "url.template": "/v1/other" },
  ]);
  await metrics();
});

test("two services with operations of the same name have different series", async () => {
  const { observe, metrics } = sdk();
  const url = "http://127.0.0.1:1";
  await expect(soapClientOf(url, observe)("a")).rejects.toThrow();
  await expect(soapClientOf(url, observe, "Copy")("a")).rejects.toThrow();
  const calls = (await metrics()).find(({ descriptor }) => descriptor.name === "rpc.client.call.duration");
  expect(calls?.dataPoints.map(({ attributes }) => attributes["rpc.method"])).toEqual(["Echo/Echo", "Copy/Echo"]);
});

test("a fault is the status code of spans and metrics of RPC", async () => {
  const { observe, finished, metrics } = sdk();
  const routes = soapRoutesOf(() => {
    throw new Error("cause");
  });
  await expect(soapClientOf(await serve(routes, observe), observe)("a")).rejects.toThrow();
  const spans = await finished(2);
  expect(spans.map(({ attributes }) => attributes["rpc.status_code"])).toEqual(["Server", "Server"]);
  const durations = (await metrics()).filter(({ descriptor }) => descriptor.name.endsWith(".call.duration"));
  expect(durations.map(({ dataPoints }) => dataPoints[0]?.attributes)).toEqual(
    durations.map(() => expect.objectContaining({ "error.type": "Server", "rpc.status_code": "Server" })),
  );
});

test("a request for an operation that the server does not have has the method _OTHER", async () => {
  const { observe, finished } = sdk();
  const url = await serve(
    soapRoutesOf(() => "b"),
    observe,
  );
  const headers = { "content-type": "text/xml" };
  await fetch(`${url}/echo`, { method: "POST", headers, body: "<other/>" });
  const [server] = await finished(1);
  expect(server).toMatchObject({ name: "soap", attributes: { "rpc.method": "_OTHER", "rpc.system.name": "soap" } });
});

test("HTTP/2 is version 2, as the conventions write it", async () => {
  const { observe, spans } = sdk();
  const call = { requestId: "1", method: "POST", address: "/echo" } as const;
  const observation = observe.begin({ side: "server", ...call });
  const durations = { total: 1 };
  const event = { ...call, time: 0, status: 200, durations, completed: true, httpVersion: "2.0" } as const;
  observation?.end?.({ side: "server", ...event });
  expect(spans.getFinishedSpans()[0]?.attributes["network.protocol.version"]).toBe("2");
});

test("spans and metrics name the version of the conventions that they follow", async () => {
  const { observe, finished, meterProvider } = sdk();
  const getMeter = vi.spyOn(meterProvider, "getMeter");
  await expect(soapClientOf("http://127.0.0.1:1", observe)("a")).rejects.toThrow();
  const [span] = await finished(1);
  expect(span?.instrumentationScope).toEqual({ ...instrumentation, schemaUrl });
  expect(getMeter).toHaveBeenCalledWith(instrumentation.name, instrumentation.version, { schemaUrl });
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  expect(readme).toContain(`version ${schemaUrl.slice(schemaUrl.lastIndexOf("/") + 1)} of the semantic conventions`);
});

test("a request that is passed on to a framework has no span, and is no longer active", async () => {
  const { observe, spans, metrics } = sdk();
  const answer = webMiddleware([soapRoutesOf(() => "b")], { observe });
  expect(await answer(new Request("http://h/elsewhere"))).toBeUndefined();
  const recorded = await metrics();
  expect(recorded.map(({ descriptor }) => descriptor.name)).toEqual(["http.server.active_requests"]);
  expect(recorded[0]?.dataPoints.map(({ value }) => value)).toEqual([0]);
  expect(spans.getFinishedSpans()).toEqual([]);
});

test("calls that the sampler refuses have no spans, but are counted", async () => {
  const { observe, spans, metrics } = sdk(new ParentBasedSampler({ root: new AlwaysOffSampler() }));
  const traces: (string | undefined)[] = [];
  const routes = soapRoutesOf(() => {
    traces.push(JSON.stringify(trace.getActiveSpan()?.spanContext()));
    return "b";
  });
  const url = await serve(routes, observe);
  await soapClientOf(url, observe)("a");
  await vi.waitFor(async () => {
    const durations = (await metrics()).filter(({ descriptor }) => descriptor.name.endsWith("request.duration"));
    expect(durations.map(({ descriptor }) => descriptor.name).sort()).toEqual([
      "http.client.request.duration",
      "http.server.request.duration",
    ]);
  });
  expect(spans.getFinishedSpans()).toEqual([]);
  expect(JSON.parse(traces[0] ?? "")).toMatchObject({ traceFlags: 0 });
});

describe("the option sampling", () => {
  test("leaves calls without a span, which are counted, and whose spans and calls are not recorded", async () => {
    const { observe, spans, metrics, tracerProvider } = sdk(undefined, 0);
    const started = vi.spyOn(
      tracerProvider.getTracer(instrumentation.name, instrumentation.version, { schemaUrl }),
      "startSpan",
    );
    const traces = new Set<string | undefined>();
    const routes = soapRoutesOf(() => {
      const spanContext = trace.getActiveSpan()?.spanContext();
      traces.add(spanContext?.traceId);
      expect(spanContext?.traceFlags).toBe(0);
      tracerProvider.getTracer("database").startSpan("select").end();
      return "b";
    });
    const url = await serve(routes, observe);
    await soapClientOf(url, observe)("a");
    await soapClientOf(url, observe)("b");
    await vi.waitFor(async () => {
      const durations = (await metrics()).filter(({ descriptor }) => descriptor.name.endsWith("request.duration"));
      expect(durations.map(({ dataPoints }) => dataPoints[0]?.value)).toMatchObject([{ count: 2 }, { count: 2 }]);
    });
    expect(spans.getFinishedSpans()).toEqual([]);
    expect(started).not.toHaveBeenCalled();
    expect(traces.size).toBe(2);
  });

  test("gives a call that is not recorded one trace, in its headers and while it runs", () => {
    const call = sdk(undefined, 0).observe.begin({
      side: "client",
      requestId: "1",
      method: "GET",
      address: "http://h.example/",
    });
    const traceOfTask = call?.run?.(() => trace.getActiveSpan()?.spanContext().traceId);
    expect(traceOfTask).toMatch(/^[0-9a-f]{32}$/);
    expect(call?.headers?.["traceparent"]?.split("-")[1]).toBe(traceOfTask);
  });

  test("records a call if its caller records the trace, and does not otherwise", async () => {
    const { observe, finished, spans } = sdk(undefined, 0);
    const url = await serve(
      soapRoutesOf(() => "b"),
      observe,
    );
    const caller = sdk(undefined, 1);
    await soapClientOf(url, caller.observe)("a");
    await finished(1);
    const [client] = await caller.finished(1);
    expect(spans.getFinishedSpans()[0]?.parentSpanContext?.spanId).toBe(client?.spanContext().spanId);
    await soapClientOf(url, sdk(undefined, 0).observe)("a");
    const all = sdk(undefined, 1);
    await soapClientOf(
      await serve(
        soapRoutesOf(() => "b"),
        all.observe,
      ),
      sdk(undefined, 0).observe,
    )("a");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([spans.getFinishedSpans().length, all.spans.getFinishedSpans().length]).toEqual([1, 0]);
  });

  test.each([-0.1, 1.1, Number.NaN, "5%" as never])("must be a number from 0 to 1, not %s", (sampling) => {
    expect(() => openTelemetry({ sampling })).toThrow('The option "sampling" must be a number from 0 to 1.');
  });
});

test("an unknown option is refused with the names of the options", () => {
  const create = () => openTelemetry({ samplig: 0.1 } as never);
  expect(create).toThrow(
    'openTelemetry has no option "samplig". Use tracerProvider, meterProvider, propagator, sampling.',
  );
});

test("spans that record nothing get no attributes, name or exception, but end their metrics", async () => {
  const { metrics, meterProvider } = sdk();
  const span = trace.wrapSpanContext({ traceId: "1".repeat(32), spanId: "1".repeat(16), traceFlags: 0 });
  const setters = (["setAttribute", "setAttributes", "updateName", "recordException", "setStatus"] as const).map(
    (name) => vi.spyOn(span, name),
  );
  const tracerProvider: TracerProvider = {
    getTracer: () => ({ startSpan: () => span, startActiveSpan: () => expect.unreachable() }),
  };
  const routes = soapRoutesOf(() => {
    throw new Error("cause");
  });
  const observe = openTelemetry({ tracerProvider, meterProvider });
  await expect(soapClientOf(await serve(routes, observe), observe)("a")).rejects.toThrow();
  await vi.waitFor(async () => {
    const durations = (await metrics()).filter(({ descriptor }) => descriptor.name.endsWith("request.duration"));
    expect(durations).toHaveLength(2);
  });
  expect(setters.flatMap(({ mock }) => mock.calls)).toEqual([]);
});

test("without a registered SDK, calls work", async () => {
  const url = await serve(
    soapRoutesOf(() => "b"),
    openTelemetry(),
  );
  expect(await soapClientOf(url, openTelemetry())("a")).toBe("b");
});

test("the version of the scope is that of the package", () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(manifest).toMatchObject(instrumentation);
});
