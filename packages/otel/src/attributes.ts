import type { BegunCall, CallEvent } from "@bothends/runtime/observe";
import type { Attributes } from "@opentelemetry/api";

/** The instrumentation scope of spans and metrics. A test compares the version with that of the package. */
export const instrumentation = { name: "@bothends/otel", version: "0.1.0" } as const;

/** The attributes of a call at its beginning, by the semantic conventions of HTTP spans. */
export function beginAttributes(call: BegunCall): Attributes {
  return call.side === "server" ? serverAttributes(call) : clientAttributes(call);
}

function serverAttributes({ method, address, headers, secure, remoteAddress, requestId }: BegunCall): Attributes {
  return present({
    "http.request.method": knownMethod(method),
    "http.request.method_original": knownMethod(method) === method ? undefined : method,
    "url.path": address,
    "url.scheme": secure === true ? "https" : "http",
    ...hostAttributes(headers?.get("host")),
    "client.address": remoteAddress,
    "user_agent.original": headers?.get("user-agent"),
    "bothends.request_id": requestId,
  });
}

function clientAttributes({ method, address, requestId, ...call }: BegunCall): Attributes {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const port = url?.port === "" ? defaultPort(url.protocol) : Number(url?.port);
  return present({
    "http.request.method": knownMethod(method),
    "url.full": address,
    "server.address": url?.hostname,
    "server.port": port,
    "bothends.request_id": requestId,
    ...operationAttributes(call),
  });
}

/** The attributes that are known when a call has ended. */
export function endAttributes(event: CallEvent): Attributes {
  const { side, status, requestBytes, answerBytes, retries, address } = event;
  return present({
    ...operationAttributes(event),
    "url.full": side === "client" ? address : undefined,
    "http.response.status_code": status === 0 ? undefined : status,
    "http.request.resend_count": retries === 0 ? undefined : retries,
    "http.request.body.size": requestBytes,
    "http.response.body.size": answerBytes,
    "rpc.status_code": isRpc(event) ? event.faultCode : undefined,
    "error.type": errorType(event),
  });
}

/** The attributes of metrics: those of which there are few values. */
export function metricAttributes(event: CallEvent, begun: Attributes): Attributes {
  const { method, status, protocol } = event;
  return present({
    "http.request.method": knownMethod(method),
    "url.scheme": begun["url.scheme"],
    "server.address": event.side === "client" ? begun["server.address"] : undefined,
    "server.port": event.side === "client" ? begun["server.port"] : undefined,
    "http.response.status_code": status === 0 ? undefined : status,
    ...operationAttributes({ ...event, protocol }),
    "error.type": errorType(event),
  });
}

interface CalledOperation {
  readonly side?: string;
  readonly operation?: string | undefined;
  readonly protocol?: string | undefined;
  readonly route?: string | undefined;
}

/** RPC conventions for the operations of a WSDL, the route of HTTP conventions for those of an index. */
function operationAttributes({ side, operation, protocol, route }: CalledOperation): Attributes {
  return present({
    "http.route": side === "client" ? undefined : route,
    "url.template": side === "client" ? route : undefined,
    "rpc.system.name": isRpc({ protocol }) ? systemOf(protocol) : undefined,
    "rpc.method": isRpc({ protocol }) ? operation : undefined,
    "bothends.protocol": protocol,
    "bothends.operation": operation,
  });
}

export function isRpc({ protocol }: CalledOperation): boolean {
  return protocol !== undefined && protocol !== "rest";
}

function systemOf(protocol: string | undefined): string {
  return protocol?.startsWith("soap") === true ? "soap" : "wsdl_http";
}

/** The name of a span: of RPC the method; of HTTP the method and the route, which has few values. */
export function spanName(call: CalledOperation & { readonly method: string }): string {
  const { operation, method, route } = call;
  if (isRpc(call) && operation !== undefined) {
    return operation;
  }
  const known = knownMethod(method);
  const name = known === "_OTHER" ? "HTTP" : known;
  return route === undefined ? name : `${name} ${route}`;
}

/** HTTP conventions: a span of a client fails from status 400 on, one of a server from 500 on. */
export function failed({ side, status, completed, error }: CallEvent): boolean {
  return status >= (side === "client" ? 400 : 500) || !completed || (side === "client" && error !== undefined);
}

/** The code of a fault, the kind of a problem, or the status. */
function errorType(event: CallEvent): string | undefined {
  if (!failed(event)) {
    return undefined;
  }
  const { faultCode, error, status, completed } = event;
  return faultCode ?? error?.kind ?? (completed ? String(status) : "disconnected");
}

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

function knownMethod(method: string): string {
  return methods.has(method) ? method : "_OTHER";
}

function hostAttributes(host: string | undefined): Attributes {
  const { name, port } = /^(?<name>\[[^\]]*\]|[^:]*)(?::(?<port>\d+))?$/.exec(host ?? "")?.groups ?? {};
  return name === undefined || name === ""
    ? {}
    : present({ "server.address": name, "server.port": port === undefined ? undefined : Number(port) });
}

function defaultPort(protocol: string): number | undefined {
  return protocol === "https:" ? 443 : protocol === "http:" ? 80 : undefined;
}

function present(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
