import type { InterfaceSettings, OperationDescriptor, RecordDescriptor, ServiceDescriptor } from "../../src/index.js";
import { SoapFault } from "../../src/index.js";
import {
  asmxConventions,
  type OperationContext,
  type PublishedDocument,
  type ServerAnswer,
  type ServerConventions,
  type ServerIncident,
  type ServerRequest,
  type SoapServerOptions,
  type SoapService,
  soapRoutes,
} from "../../src/server/index.js";
import * as xs from "../../src/xs.js";

export const namespace = "http://things.example/ns";
const address = "http://things.example/api/things.asmx";

export const service: ServiceDescriptor = {
  descriptorFormat: 2,
  name: "Things",
  namespace,
  ports: {
    soap11: { name: "ThingsSoap", address },
    soap12: { name: "ThingsSoap12", address },
    httpGet: { name: "ThingsHttpGet", address },
    httpPost: { name: "ThingsHttpPost", address },
  },
};

export interface Find {
  Key: string;
  Count: number;
  username: string;
}
export interface Pair {
  Code: string | null;
  Text: string | null;
}
export interface Thing {
  Name?: string | undefined;
  Pair?: Pair | undefined;
}
interface FindResponse {
  FindResult?: Thing | undefined;
}

const record = <T>(name: string, fields: RecordDescriptor<T>["fields"]): RecordDescriptor<T> => ({
  kind: "record",
  name: `{${namespace}}${name}`,
  namespace,
  fields,
});

const pair = record<Pair>("Pair", {
  Code: { type: xs.string, nillable: true },
  Text: { type: xs.string, nillable: true },
});
const thing = record<Thing>("Thing", { Name: { type: xs.string, min: 0 }, Pair: { type: () => pair, min: 0 } });
const findType = record<Find>("Find", {
  Key: { type: xs.string },
  Count: { type: xs.int },
  username: { type: xs.string },
});
const findResponse = record<FindResponse>("FindResponse", { FindResult: { type: () => thing, min: 0 } });

export interface Limit {
  Left: number;
}
const limitType = record<Limit>("Limit", { Left: { type: xs.int } });
/** A declared fault, as generated code has one. */
export class LimitFault extends SoapFault<Limit> {}

export const find: OperationDescriptor<Find, Thing | null> = {
  kind: "operation",
  service,
  name: "Find",
  input: { body: { element: `{${namespace}}Find`, type: () => findType } },
  output: { body: { element: `{${namespace}}FindResponse`, type: () => findResponse }, result: "FindResult" },
  faults: [
    { name: "limit", by: xs.fault, element: `{${namespace}}Limit`, type: () => limitType, error: () => LimitFault },
  ],
  http: {
    parameters: { Key: { type: xs.string }, Count: { type: xs.int }, username: { type: xs.string } },
    answer: { kind: "xml", element: `{${namespace}}Thing`, type: () => thing, nillable: true },
  },
  bindings: {
    soap11: { action: `${namespace}/Find` },
    soap12: { action: `${namespace}/Find` },
    httpGet: { location: "/Find" },
    httpPost: { location: "/Find" },
  },
};

export interface Notify {
  Text: string;
}
interface Session {
  Session?: string | undefined;
}
const notifyType = record<Notify>("Notify", { Text: { type: xs.string } });
const sessionType = record<Session>("Session", { Session: { type: xs.string, min: 0 } });

/** A one-way operation with a header block and without HTTP POST. */
export const notify: OperationDescriptor<Notify, void> = {
  kind: "operation",
  service,
  name: "Notify",
  input: {
    body: { element: `{${namespace}}Notify`, type: () => notifyType },
    headers: { by: xs.headerBlocks, record: () => sessionType },
  },
  http: { parameters: { Text: { type: xs.string } }, answer: { kind: "none" } },
  bindings: {
    soap11: { action: `${namespace}/Notify` },
    soap12: { action: `${namespace}/Notify` },
    httpGet: { location: "/Notify" },
  },
};

interface Ping {
  Number: number;
}
const pingType = record<Ping>("Ping", { Number: { type: xs.int } });
const pingHeader = record<Session>("PingHeader", { Session: { type: xs.string, min: 0 } });

/** Bare parts, and a header block in the answer. */
export const ping: OperationDescriptor<Ping, Ping> = {
  kind: "operation",
  service,
  name: "Ping",
  input: { body: { by: xs.parts, parts: () => pingType } },
  output: { body: { by: xs.parts, parts: () => pingType }, headers: { by: xs.headerBlocks, record: () => pingHeader } },
  bindings: { soap11: { action: "" }, soap12: { action: "" } },
};

export const wsdl: PublishedDocument = [
  '<?xml version="1.0"?>\n<definitions targetNamespace="',
  { slot: "namespace", name: "things", escape: "attribute" },
  '"><operation name="',
  { slot: "operation", name: "Find", escape: "attribute" },
  '"/><address location="',
  { slot: "address", escape: "attribute" },
  '"/></definitions>',
];

export const settings: InterfaceSettings = {
  by: xs.settings,
  ambient: ["username"],
  slots: { namespaces: { things: namespace }, operations: ["Find"] },
};

export interface Handlers {
  find(input: Find, context: OperationContext): unknown;
  notify(input: Notify, context: OperationContext): unknown;
  ping(input: Ping, context: OperationContext): unknown;
}

/** A served fixture that records the calls of its handlers and the incidents. */
export function served(
  handlers: Partial<Handlers> = {},
  options: SoapServerOptions = {},
  conventions: ServerConventions = asmxConventions,
  publishedWsdl: SoapService["wsdl"] = wsdl,
) {
  const calls: { input: unknown; context: OperationContext }[] = [];
  const incidents: ServerIncident[] = [];
  const remember =
    <Input>(handler: ((input: Input, context: OperationContext) => unknown) | undefined, answer: unknown) =>
    (input: Input, context: OperationContext) => {
      calls.push({ input, context });
      return handler === undefined ? answer : handler(input, context);
    };
  const routes = soapRoutes(
    {
      service,
      operations: { find, notify, ping },
      handlers: {
        find: remember(handlers.find, { Name: "a & b", Pair: { Code: null, Text: "" } }),
        notify: remember(handlers.notify, undefined),
        ping: remember(handlers.ping, { Number: 7 }),
      },
      wsdl: publishedWsdl,
      settings,
      conventions,
    },
    { onError: (incident) => incidents.push(incident), ...options },
  );
  const send = async (request: Partial<ServerRequest>): Promise<ServerAnswer> => {
    const answer = await routes.answer(requestOf(request));
    if (answer === undefined) {
      throw new Error("The routes leave this request to others.");
    }
    return answer;
  };
  return { routes, calls, incidents, send };
}

export function requestOf(request: Partial<ServerRequest>): ServerRequest {
  return {
    method: "POST",
    target: "/api/things.asmx",
    headers: [["Host", "127.0.0.1:8080"]],
    body: new Uint8Array(),
    signal: new AbortController().signal,
    ...request,
  };
}

export const envelopes = {
  soap11: "http://schemas.xmlsoap.org/soap/envelope/",
  soap12: "http://www.w3.org/2003/05/soap-envelope",
} as const;

export type Version = keyof typeof envelopes;

export const findBody = `<Find xmlns="${namespace}"><Key>k</Key><Count>1</Count><username>u</username></Find>`;

/** A POST of a message with this body, and with the headers of its SOAP version. */
export function message(version: Version, body: string, extra: { header?: string; headers?: [string, string][] } = {}) {
  const header = extra.header === undefined ? "" : `<soap:Header>${extra.header}</soap:Header>`;
  return posted(
    version,
    `<?xml version="1.0" encoding="utf-8"?>\n<soap:Envelope xmlns:soap="${envelopes[version]}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${header}<soap:Body>${body}</soap:Body></soap:Envelope>`,
    extra.headers,
  );
}

export function posted(version: Version, text: string, headers?: readonly [string, string][]): Partial<ServerRequest> {
  const defaults: [string, string][] =
    version === "soap11"
      ? [
          ["Content-Type", "text/xml; charset=utf-8"],
          ["SOAPAction", `"${namespace}/Find"`],
        ]
      : [["Content-Type", "application/soap+xml; charset=utf-8"]];
  return { headers: [["Host", "127.0.0.1:8080"], ...(headers ?? defaults)], body: new TextEncoder().encode(text) };
}

export function bodyOf({ body }: ServerAnswer): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

export function headerOf(answer: ServerAnswer, name: string): string | undefined {
  return answer.headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** A short description of an answer: `500 soap:Client +detail`, `400 empty`, `200 FindResponse`. */
export function gist(answer: ServerAnswer): string {
  const body = bodyOf(answer);
  if (body === "") {
    return `${answer.status} empty`;
  }
  const code = /<faultcode[^>]*>([^<]*)|<soap:Value>([^<]*)/.exec(body);
  if (code !== null) {
    return `${answer.status} ${code[1] ?? code[2]}${/<(soap:D|d)etail/.test(body) ? " +detail" : ""}`;
  }
  const root = /<soap:Body><([A-Za-z]+)/.exec(body) ?? /^<\?xml[^>]*>\s*<([A-Za-z]+)/.exec(body);
  return `${answer.status} ${root?.[1] ?? body.trimEnd()}`;
}
