import type { BegunCall, CallEvent } from "@bothends/runtime/observe";
import type { Attributes, AttributeValue } from "@opentelemetry/api";

/** The instrumentation scope of spans and metrics. A test compares the version with the package's. */
export const instrumentation = { name: "@bothends/otel", version: "0.1.0" } as const;

/** The version of the semantic conventions that spans and metrics follow. */
export const schemaUrl = "https://opentelemetry.io/schemas/1.45.0";

/** The maximum length of text that clients choose, as in the lines of a logger. A client can send 16 KB. */
const maxTextLength = 200;

function shorten(text: string): string {
  return text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength - 1)}…`;
}

/** The attributes that all calls of an operation with the same result share. */
export interface Outcome {
  readonly spanName: string;
  readonly hasFailed: boolean;
  /** The attributes of the span that are known when the call ends. */
  readonly spanAttributes: Attributes;
  /** The attributes of the HTTP metrics. Includes only attributes that have few different values. */
  readonly httpMetricAttributes: Attributes;
  /** The attributes of the RPC metric; undefined for a call that has none. */
  readonly rpcMetricAttributes: Attributes | undefined;
}

interface CachedOutcome extends Outcome {
  readonly event: Pick<
    CallEvent,
    "side" | "method" | "status" | "completed" | "protocol" | "route" | "faultCode" | "httpVersion"
  >;
  readonly errorKind: string | undefined;
  readonly scheme: AttributeValue | undefined;
  readonly server: AttributeValue | undefined;
  readonly port: AttributeValue | undefined;
}

/** A host and its port. */
interface Host {
  readonly text: string;
  readonly name: string | undefined;
  readonly port: number | undefined;
}

/** The attributes that are cached for an operation. */
interface CachedOperation {
  /** The name with the service, for example `Reg/CheckUSA`; for REST, the name of the endpoint. */
  readonly name: string | undefined;
  /** The outcome of the last call. */
  outcome: CachedOutcome | undefined;
  /** The attributes with which the last call was counted as an active request. */
  activeAttributes: Attributes;
}

/** The maximum number of operations whose attributes are cached. */
const maxCachedOperations = 1_000;

/**
 * Creates the attributes of calls, following the semantic conventions for HTTP and RPC. Attributes that calls of an
 * operation share are cached, because creating them for each call would take 2 of the 6 µs that a span takes.
 */
export class CallAttributes {
  /** The operations of each service, by name. At the beginning of a request, a server knows neither name. */
  readonly #services = new Map<string | undefined, Map<string | undefined, CachedOperation>>();
  #operationCount = 0;
  /** The `Host` header of the last request, which nearly all requests share. */
  #host: Host = { text: "", name: undefined, port: undefined };
  /** The address of the last call of a client. */
  #address: Host = { text: "", name: undefined, port: undefined };

  /** Returns the attributes at the beginning of a call, which samplers use. */
  begin(call: BegunCall): Attributes {
    return call.side === "server" ? this.#beginServer(call) : this.#beginClient(call);
  }

  /** Returns the attributes at the beginning of a call without a span, which only metrics use. */
  beginUnrecorded(call: BegunCall): Attributes {
    return call.side === "server"
      ? this.#getActiveAttributes(call, getKnownMethod(call.method), {
          scheme: call.secure === true ? "https" : "http",
          server: undefined,
          port: undefined,
        })
      : this.#beginClient(call);
  }

  /** Returns the name of a span at the beginning of a call. */
  getSpanName(call: BegunCall): string {
    return getSpanName(call, this.#getOperation(call).name);
  }

  #beginServer(call: BegunCall): Attributes {
    const { method, address, secure, remoteAddress } = call;
    const conventionalMethod = getKnownMethod(method);
    const host = call.header?.("host") ?? "";
    if (host !== this.#host.text) {
      this.#host = readHost(host);
    }
    const attributes: Attributes = {
      "http.request.method": conventionalMethod,
      "url.path": shorten(address),
      "url.scheme": secure === true ? "https" : "http",
    };
    const { name, port } = this.#host;
    if (name !== undefined) {
      attributes["server.address"] = name;
    }
    if (port !== undefined) {
      attributes["server.port"] = port;
    }
    if (remoteAddress !== undefined) {
      attributes["client.address"] = remoteAddress;
    }
    const userAgent = call.header?.("user-agent");
    if (userAgent !== undefined) {
      attributes["user_agent.original"] = shorten(userAgent);
    }
    if (conventionalMethod !== method) {
      attributes["http.request.method_original"] = method;
    }
    return attributes;
  }

  #beginClient(call: BegunCall): Attributes {
    const { method, address } = call;
    if (address !== this.#address.text) {
      this.#address = readAddress(address);
    }
    const attributes: Attributes = {
      "http.request.method": getKnownMethod(method),
      "url.full": address,
      "server.address": this.#address.name,
      "server.port": this.#address.port,
    };
    addOperation(attributes, call, this.#getOperation(call).name);
    return attributes;
  }

  /** Returns the attributes of the counter of active requests. */
  getActiveAttributes(call: BegunCall, startAttributes: Attributes): Attributes {
    return this.#getActiveAttributes(call, startAttributes["http.request.method"], getOrigin(call, startAttributes));
  }

  #getActiveAttributes(call: BegunCall, method: AttributeValue | undefined, origin: Origin): Attributes {
    const { scheme, server, port } = origin;
    const operation = this.#getOperation(call);
    const { activeAttributes } = operation;
    if (
      activeAttributes["http.request.method"] === method &&
      activeAttributes["url.scheme"] === scheme &&
      activeAttributes["server.address"] === server &&
      activeAttributes["server.port"] === port &&
      activeAttributes["url.template"] === call.route
    ) {
      return activeAttributes;
    }
    operation.activeAttributes = { "http.request.method": method };
    setAttribute(operation.activeAttributes, "server.address", server);
    setAttribute(operation.activeAttributes, "server.port", port);
    setAttribute(operation.activeAttributes, "url.scheme", scheme);
    setAttribute(operation.activeAttributes, "url.template", call.route);
    return operation.activeAttributes;
  }

  /** Returns the attributes of a call that has ended, without its measurements. */
  getOutcome(event: CallEvent, startAttributes: Attributes): Outcome {
    const operation = this.#getOperation(event);
    if (operation.outcome === undefined || !isSame(operation.outcome, event, startAttributes)) {
      operation.outcome = getOutcome(event, startAttributes, operation.name);
    }
    return operation.outcome;
  }

  #getOperation({ service, operation }: CalledOperation): CachedOperation {
    return this.#services.get(service)?.get(operation) ?? this.#addOperation(service, operation);
  }

  #addOperation(service: string | undefined, operation: string | undefined): CachedOperation {
    const name = service === undefined || operation === undefined ? operation : `${service}/${operation}`;
    const cachedOperation: CachedOperation = { name, outcome: undefined, activeAttributes: {} };
    if (this.#operationCount < maxCachedOperations) {
      this.#operationCount += 1;
      const operations = this.#services.get(service) ?? new Map<string | undefined, CachedOperation>();
      this.#services.set(service, operations.set(operation, cachedOperation));
    }
    return cachedOperation;
  }
}

function isSame(cachedOutcome: CachedOutcome, event: CallEvent, startAttributes: Attributes): boolean {
  return (
    cachedOutcome.event.status === event.status &&
    cachedOutcome.event.method === event.method &&
    cachedOutcome.event.protocol === event.protocol &&
    cachedOutcome.event.route === event.route &&
    cachedOutcome.event.faultCode === event.faultCode &&
    cachedOutcome.event.httpVersion === event.httpVersion &&
    cachedOutcome.event.completed === event.completed &&
    cachedOutcome.event.side === event.side &&
    cachedOutcome.errorKind === event.error?.kind &&
    cachedOutcome.scheme === startAttributes["url.scheme"] &&
    (event.side === "server" ||
      (cachedOutcome.server === startAttributes["server.address"] &&
        cachedOutcome.port === startAttributes["server.port"]))
  );
}

function getOutcome(event: CallEvent, startAttributes: Attributes, operation: string | undefined): CachedOutcome {
  const { side, method, status, completed, protocol, route, faultCode, httpVersion, error } = event;
  const origin = getOrigin(event, startAttributes);

  const spanAttributes: Attributes = {};
  addOperation(spanAttributes, event, operation);
  setAttribute(spanAttributes, "http.response.status_code", findStatusCode(event));
  setAttribute(spanAttributes, "network.protocol.version", findProtocolVersion(event));
  setAttribute(spanAttributes, isRpc(event) ? "rpc.status_code" : "bothends.error_code", faultCode);
  setAttribute(spanAttributes, "error.type", findErrorType(event));

  return {
    event: { side, method, status, completed, protocol, route, faultCode, httpVersion },
    errorKind: error?.kind,
    ...origin,
    spanName: getSpanName(event, operation),
    hasFailed: hasFailed(event),
    spanAttributes,
    httpMetricAttributes: createHttpMetricAttributes(event, origin, operation),
    rpcMetricAttributes: isRpc(event) ? createRpcMetricAttributes(event, origin, operation) : undefined,
  };
}

/** The attributes from the beginning of a call that metrics have. */
type Origin = Pick<CachedOutcome, "scheme" | "server" | "port">;

/** Returns the origin of a call. Metrics of servers do not have the host, which clients choose. */
function getOrigin({ side }: Pick<CallEvent, "side">, startAttributes: Attributes): Origin {
  return {
    scheme: startAttributes["url.scheme"],
    server: side === "client" ? startAttributes["server.address"] : undefined,
    port: side === "client" ? startAttributes["server.port"] : undefined,
  };
}

/** Returns the status of an answer; undefined if there was no answer. */
function findStatusCode({ status }: CallEvent): number | undefined {
  return status === 0 ? undefined : status;
}

/** Returns the version of HTTP as the conventions write it: Node writes `2.0`, the conventions `2`. */
function findProtocolVersion({ httpVersion }: CallEvent): string | undefined {
  return httpVersion === "2.0" ? "2" : httpVersion;
}

// OpenTelemetry's SDK sorts the names of the attributes and writes all attributes as JSON for each value that it
// records, which takes 0.4 to 1.1 µs. So each metric has only the attributes of its own convention, in sorted order.

function createHttpMetricAttributes(event: CallEvent, origin: Origin, operation: string | undefined): Attributes {
  const { side, method, protocol, route } = event;
  const attributes: Attributes = {};
  setAttribute(attributes, "bothends.operation", operation);
  setAttribute(attributes, "bothends.protocol", protocol);
  setAttribute(attributes, "error.type", findErrorType(event));
  attributes["http.request.method"] = getKnownMethod(method);
  setAttribute(attributes, "http.response.status_code", findStatusCode(event));
  setAttribute(attributes, "http.route", side === "server" ? route : undefined);
  setAttribute(attributes, "network.protocol.version", findProtocolVersion(event));
  setAttribute(attributes, "server.address", origin.server);
  setAttribute(attributes, "server.port", origin.port);
  setAttribute(attributes, "url.scheme", origin.scheme);
  setAttribute(attributes, "url.template", side === "client" ? route : undefined);
  return attributes;
}

function createRpcMetricAttributes(event: CallEvent, origin: Origin, operation: string | undefined): Attributes {
  const { protocol, faultCode } = event;
  const attributes: Attributes = {};
  setAttribute(attributes, "bothends.protocol", protocol);
  setAttribute(attributes, "error.type", findErrorType(event));
  attributes["rpc.method"] = operation ?? unknownMethod;
  setAttribute(attributes, "rpc.status_code", faultCode);
  attributes["rpc.system.name"] = getSystem(protocol);
  setAttribute(attributes, "server.address", origin.server);
  setAttribute(attributes, "server.port", origin.port);
  return attributes;
}

interface CalledOperation {
  readonly side?: string;
  readonly service?: string | undefined;
  readonly operation?: string | undefined;
  readonly protocol?: string | undefined;
  readonly route?: string | undefined;
}

/** The method of a call of an operation that the server does not have. */
const unknownMethod = "_OTHER";

/**
 * Adds the attributes of an operation: for SOAP, the attributes of the RPC conventions; for REST, the route of the HTTP
 * conventions.
 */
function addOperation(attributes: Attributes, call: CalledOperation, operation: string | undefined): void {
  const { side, protocol, route } = call;
  setAttribute(attributes, side === "client" ? "url.template" : "http.route", route);
  if (isRpc(call)) {
    attributes["rpc.system.name"] = getSystem(protocol);
    attributes["rpc.method"] = operation ?? unknownMethod;
  }
  setAttribute(attributes, "bothends.protocol", protocol);
  setAttribute(attributes, "bothends.operation", operation);
}

/** Whether a call has the attributes of RPC: a call of a SOAP operation, in any protocol. */
function isRpc({ protocol }: CalledOperation): boolean {
  return protocol !== undefined && protocol !== "rest";
}

function getSystem(protocol: string | undefined): string {
  return protocol?.startsWith("soap") === true ? "soap" : "wsdl_http";
}

/**
 * Returns the name of a span: for SOAP, the service and the operation, or the system if the server has no such
 * operation; for REST, the HTTP method and the route. A span is named after the route and not the address, because
 * routes have few different values.
 */
function getSpanName(call: CalledOperation & { readonly method: string }, operation: string | undefined): string {
  const { protocol, method, route } = call;
  if (isRpc(call)) {
    return operation ?? getSystem(protocol);
  }
  const conventionalMethod = getKnownMethod(method);
  const name = conventionalMethod === "_OTHER" ? "HTTP" : conventionalMethod;
  return route === undefined ? name : `${name} ${route}`;
}

/** Whether a call failed. According to the HTTP conventions, clients fail from status 400 on, servers from 500 on. */
function hasFailed({ side, status, completed, error }: CallEvent): boolean {
  return status >= (side === "client" ? 400 : 500) || !completed || (side === "client" && error !== undefined);
}

/**
 * Returns the attribute `error.type` of a failed call: for SOAP the code of the fault, else the kind of the incident or
 * the status. If a client receives an error status, the status is used: the kind says no more. Codes of REST errors are
 * not used, because a server can invent any number of them, and each would create series of metrics.
 */
function findErrorType(event: CallEvent): string | undefined {
  if (!hasFailed(event)) {
    return undefined;
  }
  const { side, faultCode, error, status, completed } = event;
  if (isRpc(event) && faultCode !== undefined) {
    return faultCode;
  }
  const statusText = String(status);
  return side === "client" && status >= 400 ? statusText : (error?.kind ?? (completed ? statusText : "disconnected"));
}

/** The methods that the HTTP conventions know. Other methods become `_OTHER`. */
const methods: ReadonlySet<string> = new Set([
  "CONNECT",
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
  "QUERY",
  "TRACE",
]);

function getKnownMethod(method: string): string {
  return methods.has(method) ? method : "_OTHER";
}

/** Returns the host and the port of a `Host` header. */
function readHost(text: string): Host {
  const colon = text.lastIndexOf(":");
  const hasPort = colon > text.lastIndexOf("]");
  const name = hasPort ? text.slice(0, colon) : text;
  const port = hasPort ? Number(text.slice(colon + 1)) : undefined;
  return name === "" || Number.isNaN(port) ? { text, name: undefined, port: undefined } : { text, name, port };
}

/** Returns the host and the port of an address. */
function readAddress(text: string): Host {
  if (!URL.canParse(text)) {
    return { text, name: undefined, port: undefined };
  }
  const { hostname, port, protocol } = new URL(text);
  return { text, name: hostname, port: port === "" ? findDefaultPort(protocol) : Number(port) };
}

function findDefaultPort(protocol: string): number | undefined {
  return protocol === "https:" ? 443 : protocol === "http:" ? 80 : undefined;
}

/**
 * Sets an attribute unless its value is undefined. Attributes are set one by one, because filtering an object would
 * take 4 µs for each call.
 */
function setAttribute(attributes: Attributes, name: string, value: AttributeValue | undefined): void {
  if (value !== undefined) {
    attributes[name] = value;
  }
}
