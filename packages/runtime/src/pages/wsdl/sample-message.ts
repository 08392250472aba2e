import type { HttpAnswer, HttpOperation, SoapMessage, SoapOperation, SoapVersion } from "./published-wsdl.js";
import { layout, type SampleNode, SampleWriter } from "./sample-element.js";
import { schemaNamespace } from "./simple-types.js";

const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance";
const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>';
const xmlType = "text/xml; charset=utf-8";

const soapNamespaces: Readonly<Record<SoapVersion, string>> = {
  soap11: "http://schemas.xmlsoap.org/soap/envelope/",
  soap12: "http://www.w3.org/2003/05/soap-envelope",
};
const soapTypes: Readonly<Record<SoapVersion, string>> = {
  soap11: xmlType,
  soap12: "application/soap+xml; charset=utf-8",
};

/** A request and its answer with example values. */
export interface Sample {
  readonly request: string;
  readonly response: string;
}

/** The sample of an operation in one version of SOAP. */
export function soapSample(version: SoapVersion, operation: SoapOperation, address: string): Sample {
  const headers = soapHeaders(version, operation).map(([name, value]) => `${name}: ${value}\n`);
  const request = `${startLine("POST", address)}${headers.join("")}\n${envelope(version, operation.input, false)}`;
  const { output } = operation;
  const response =
    output === undefined ? "HTTP/1.1 202 Accepted\n" : answerHead(soapTypes[version]) + envelope(version, output, true);
  return { request, response };
}

/** The HTTP headers that select the operation; the content type comes first. */
export function soapHeaders(
  version: SoapVersion,
  { action, isActionRequired }: SoapOperation,
): readonly (readonly [name: string, value: string])[] {
  const type = soapTypes[version];
  if (version === "soap11") {
    return [
      ["Content-Type", type],
      ["SOAPAction", `"${action}"`],
    ];
  }
  return [["Content-Type", isActionRequired ? `${type}; action="${action}"` : type]];
}

function startLine(method: string, address: string): string {
  const [, host = "", path = ""] = /^[^:]*:\/\/([^/]*)(.*)$/s.exec(address) ?? ["", "", address];
  return `${method} ${path} HTTP/1.1\n${host === "" ? "" : `Host: ${host}\n`}`;
}

function answerHead(type: string): string {
  return `HTTP/1.1 200 OK\nContent-Type: ${type}\n\n`;
}

function envelope(version: SoapVersion, message: SoapMessage, explains: boolean): string {
  const headers = headerNodes(message, explains);
  return [
    `${envelopeStart(version, message)}\n`,
    ...(headers.length === 0 ? [] : ["  <soap:Header>\n", layout(headers, 2), "  </soap:Header>\n"]),
    `  <soap:Body>\n${layout(bodyNodes(version, message, explains), 2)}  </soap:Body>\n</soap:Envelope>`,
  ].join("");
}

/** A message up to its header or body. */
export function envelopeStart(version: SoapVersion, { isEncoded }: SoapMessage): string {
  const encodingStyle =
    isEncoded && version === "soap11" ? ' soap:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"' : "";
  return `${xmlDeclaration}\n<soap:Envelope xmlns:soap="${soapNamespaces[version]}" xmlns:xsi="${instanceNamespace}" xmlns:xsd="${schemaNamespace}"${encodingStyle}>`;
}

/** The children of a message's body. */
export function bodyNodes(
  version: SoapVersion,
  { body, isEncoded }: SoapMessage,
  explains = false,
): readonly SampleNode[] {
  return new SampleWriter({ encoding: isEncoded ? version : undefined, explains }).particles(body);
}

/** The header blocks of a message. */
export function headerNodes({ headers }: SoapMessage, explains = false): readonly SampleNode[] {
  const writer = new SampleWriter({ explains });
  return headers.map((header) => writer.element(header));
}

/** The sample of an operation over HTTP GET or POST. Its parameters have the values of `examples`, by name. */
export function httpSample(
  method: "GET" | "POST",
  operation: HttpOperation,
  { address, examples }: { readonly address: string; readonly examples: ReadonlyMap<string, string> },
): Sample {
  const { location, replacesLocation, parameters, answer } = operation;
  const exampleFor = (name: string) => encodeURIComponent(examples.get(name) ?? "string");
  const response = httpAnswer(answer);
  if (replacesLocation) {
    const filled = parameters.reduce((text, { name }) => text.replace(`(${name})`, () => exampleFor(name)), location);
    return { request: startLine(method, address + filled), response };
  }
  const query = parameters.map(({ name }) => `${encodeURIComponent(name)}=${exampleFor(name)}`).join("&");
  if (method === "GET") {
    return { request: startLine(method, `${address}${location}${query === "" ? "" : "?"}${query}`), response };
  }
  const type = "Content-Type: application/x-www-form-urlencoded";
  return { request: `${startLine(method, address + location)}${type}\n\n${query}`, response };
}

function httpAnswer(answer: HttpAnswer): string {
  switch (answer.kind) {
    case "xml":
      return `${answerHead(xmlType)}${xmlDeclaration}\n${layout([documentElement(answer)]).trimEnd()}`;
    case "text":
      return `${answerHead("text/plain; charset=utf-8")}string`;
    case "bytes":
      return `${answerHead(answer.mediaType)}(bytes)`;
    case "none":
      return "HTTP/1.1 200 OK\n";
  }
}

/** The element with the declarations that are on the envelope of a SOAP message. */
function documentElement({ element }: Extract<HttpAnswer, { kind: "xml" }>): SampleNode {
  const sample = new SampleWriter({ explains: true }).element(element);
  const declarations = ` xmlns:xsd="${schemaNamespace}" xmlns:xsi="${instanceNamespace}"`;
  const name = `<${sample.name}`;
  return { ...sample, start: name + declarations + sample.start.slice(name.length) };
}
