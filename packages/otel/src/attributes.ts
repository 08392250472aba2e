import type { BegunCall, CallEvent } from "@bothends/runtime/observe";
import type { Attributes, AttributeValue } from "@opentelemetry/api";

/** The instrumentation scope of spans and metrics. A test compares the version with the package's. */
export const instrumentation = { name: "@bothends/otel", version: "0.1.0" } as const;

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
  readonly event: Pick<CallEvent, "side" | "method" | "status" | "completed" | "protocol" | "route" | "faultCode">;
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

/** The maximum number of operations whose outcome is cached. */
const maxCachedOutcomes = 1_000;

/**
 * Creates the attributes of calls, following the semantic conventions for HTTP and RPC. Attributes that calls of an
 * operation share are cached, because creating them for each call would take 2 of the 6 µs that a span takes.
 */
export class CallAttributes {
  readonly #outcomes = new Map<string | undefined, CachedOutcome>();
  /** The attributes with which the last call was counted as an active request. */
  #activeAttributes: Attributes = {};
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
      ? this.#getActiveAttributes(getKnownMethod(call.method), call.secure === true ? "https" : "http")
      : this.#beginClient(call);
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
      "url.path": address,
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
      attributes["user_agent.original"] = userAgent;
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
    addOperation(attributes, call);
    return attributes;
  }

  /** Returns the attributes of the counter of active requests. */
  getActiveAttributes({ "http.request.method": method, "url.scheme": scheme }: Attributes): Attributes {
    return this.#getActiveAttributes(method, scheme);
  }

  #getActiveAttributes(method: AttributeValue | undefined, scheme: AttributeValue | undefined): Attributes {
    if (this.#activeAttributes["http.request.method"] !== method || this.#activeAttributes["url.scheme"] !== scheme) {
      this.#activeAttributes = { "http.request.method": method };
      setAttribute(this.#activeAttributes, "url.scheme", scheme);
    }
    return this.#activeAttributes;
  }

  /** Returns the attributes of a call that has ended, without its measurements. */
  getOutcome(event: CallEvent, startAttributes: Attributes): Outcome {
    const cachedOutcome = this.#outcomes.get(event.operation);
    if (cachedOutcome !== undefined && isSame(cachedOutcome, event, startAttributes)) {
      return cachedOutcome;
    }
    const outcome = getOutcome(event, startAttributes);
    if (cachedOutcome !== undefined || this.#outcomes.size < maxCachedOutcomes) {
      this.#outcomes.set(event.operation, outcome);
    }
    return outcome;
  }
}

function isSame(cachedOutcome: CachedOutcome, event: CallEvent, startAttributes: Attributes): boolean {
  return (
    cachedOutcome.event.status === event.status &&
    cachedOutcome.event.method === event.method &&
    cachedOutcome.event.protocol === event.protocol &&
    cachedOutcome.event.route === event.route &&
    cachedOutcome.event.faultCode === event.faultCode &&
    cachedOutcome.event.completed === event.completed &&
    cachedOutcome.event.side === event.side &&
    cachedOutcome.errorKind === event.error?.kind &&
    cachedOutcome.scheme === startAttributes["url.scheme"] &&
    (event.side === "server" ||
      (cachedOutcome.server === startAttributes["server.address"] &&
        cachedOutcome.port === startAttributes["server.port"]))
  );
}

function getOutcome(event: CallEvent, startAttributes: Attributes): CachedOutcome {
  const { side, method, status, completed, protocol, route, faultCode, error } = event;
  const statusCode = status === 0 ? undefined : status;
  const errorType = findErrorType(event);
  const scheme = startAttributes["url.scheme"];
  const server = side === "client" ? startAttributes["server.address"] : undefined;
  const port = side === "client" ? startAttributes["server.port"] : undefined;

  const spanAttributes: Attributes = {};
  addOperation(spanAttributes, event);
  setAttribute(spanAttributes, "http.response.status_code", statusCode);
  setAttribute(spanAttributes, "rpc.status_code", isRpc(event) ? faultCode : undefined);
  setAttribute(spanAttributes, "bothends.error_code", isRpc(event) ? undefined : faultCode);
  setAttribute(spanAttributes, "error.type", errorType);

  const origin = { scheme, server, port };

  return {
    event: { side, method, status, completed, protocol, route, faultCode },
    errorKind: error?.kind,
    scheme,
    server,
    port,
    spanName: getSpanName(event),
    hasFailed: hasFailed(event),
    spanAttributes,
    httpMetricAttributes: createHttpMetricAttributes(event, origin),
    rpcMetricAttributes: isRpc(event) ? createRpcMetricAttributes(event, origin) : undefined,
  };
}

/** The attributes from the beginning of a call that metrics have. */
type Origin = Pick<CachedOutcome, "scheme" | "server" | "port">;

// OpenTelemetry's SDK sorts the names of the attributes and writes all attributes as JSON for each value that it
// records, which takes 0.4 to 1.1 µs. So each metric has only the attributes of its own convention, in sorted order.

function createHttpMetricAttributes(event: CallEvent, { scheme, server, port }: Origin): Attributes {
  const { side, method, status, protocol, operation, route } = event;
  const attributes: Attributes = {};
  setAttribute(attributes, "bothends.operation", operation);
  setAttribute(attributes, "bothends.protocol", protocol);
  setAttribute(attributes, "error.type", findErrorType(event));
  attributes["http.request.method"] = getKnownMethod(method);
  setAttribute(attributes, "http.response.status_code", status === 0 ? undefined : status);
  setAttribute(attributes, "http.route", side === "server" ? route : undefined);
  setAttribute(attributes, "server.address", server);
  setAttribute(attributes, "server.port", port);
  setAttribute(attributes, "url.scheme", scheme);
  setAttribute(attributes, "url.template", side === "client" ? route : undefined);
  return attributes;
}

function createRpcMetricAttributes(event: CallEvent, { server, port }: Origin): Attributes {
  const { protocol, operation } = event;
  const attributes: Attributes = {};
  setAttribute(attributes, "bothends.protocol", protocol);
  setAttribute(attributes, "error.type", findErrorType(event));
  setAttribute(attributes, "rpc.method", operation);
  attributes["rpc.system.name"] = getSystem(protocol);
  setAttribute(attributes, "server.address", server);
  setAttribute(attributes, "server.port", port);
  return attributes;
}

interface CalledOperation {
  readonly side?: string;
  readonly operation?: string | undefined;
  readonly protocol?: string | undefined;
  readonly route?: string | undefined;
}

/**
 * Adds the attributes of an operation: for SOAP, the attributes of the RPC conventions; for REST, the route of the HTTP
 * conventions.
 */
function addOperation(attributes: Attributes, { side, operation, protocol, route }: CalledOperation): void {
  setAttribute(attributes, side === "client" ? "url.template" : "http.route", route);
  if (isRpc({ protocol })) {
    setAttribute(attributes, "rpc.system.name", getSystem(protocol));
    setAttribute(attributes, "rpc.method", operation);
  }
  setAttribute(attributes, "bothends.protocol", protocol);
  setAttribute(attributes, "bothends.operation", operation);
}

/** Whether a call has the attributes of RPC: a call of a SOAP operation, in any protocol. */
export function isRpc({ protocol }: CalledOperation): boolean {
  return protocol !== undefined && protocol !== "rest";
}

function getSystem(protocol: string | undefined): string {
  return protocol?.startsWith("soap") === true ? "soap" : "wsdl_http";
}

/**
 * Returns the name of a span: the operation for SOAP; the HTTP method and the route for REST. A span is named after the
 * route and not the address, because routes have few different values.
 */
export function getSpanName(call: CalledOperation & { readonly method: string }): string {
  const { operation, method, route } = call;
  if (isRpc(call) && operation !== undefined) {
    return operation;
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
