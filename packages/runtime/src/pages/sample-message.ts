import { schemaNamespace } from "./published-types.js";
import type { HttpAnswer, HttpOperation, SoapMessage, SoapOperation, SoapVersion } from "./published-wsdl.js";
import { layout, type SampleNode, type SamplePiece, SampleWriter } from "./sample-element.js";

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

/** A request and its answer with placeholders for values. */
export interface Sample {
  readonly request: readonly SamplePiece[];
  readonly response: readonly SamplePiece[];
}

const length: SamplePiece = { value: "length" };

/** The sample of an operation in one version of SOAP. */
export function soapSample(version: SoapVersion, operation: SoapOperation, address: string): Sample {
  const [type, ...others] = soapHeaders(version, operation).map(([name, value]) => `${name}: ${value}\n`);
  const request = [
    `${startLine("POST", address)}${type}Content-Length: `,
    length,
    `\n${others.join("")}\n`,
    ...envelope(version, operation.input),
  ];
  const { output } = operation;
  return output === undefined
    ? { request, response: ["HTTP/1.1 202 Accepted\n"] }
    : { request, response: [...answerHead(soapTypes[version]), ...envelope(version, output)] };
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

function answerHead(type: string): readonly SamplePiece[] {
  return [`HTTP/1.1 200 OK\nContent-Type: ${type}\nContent-Length: `, length, "\n\n"];
}

function envelope(version: SoapVersion, message: SoapMessage): readonly SamplePiece[] {
  const headers = headerNodes(message);
  return [
    `${envelopeStart(version, message).replace("?><", "?>\n<")}\n`,
    ...(headers.length === 0 ? [] : ["  <soap:Header>\n", ...layout(headers, 2), "  </soap:Header>\n"]),
    "  <soap:Body>\n",
    ...layout(bodyNodes(version, message), 2),
    "  </soap:Body>\n</soap:Envelope>\n",
  ];
}

/** A message up to its header or body. */
export function envelopeStart(version: SoapVersion, { isEncoded }: SoapMessage): string {
  const encodingStyle =
    isEncoded && version === "soap11" ? ' soap:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"' : "";
  return `${xmlDeclaration}<soap:Envelope xmlns:soap="${soapNamespaces[version]}" xmlns:xsi="${instanceNamespace}" xmlns:xsd="${schemaNamespace}"${encodingStyle}>`;
}

/** The children of a message's body. */
export function bodyNodes(version: SoapVersion, { body, isEncoded }: SoapMessage): readonly SampleNode[] {
  return new SampleWriter(isEncoded ? version : undefined).particles(body);
}

/** The header blocks of a message. */
export function headerNodes({ headers }: SoapMessage): readonly SampleNode[] {
  const writer = new SampleWriter();
  return headers.map((header) => writer.element(header));
}

/** The sample of an operation over HTTP GET or POST. */
export function httpSample(method: "GET" | "POST", operation: HttpOperation, address: string): Sample {
  const { location, replacesLocation, parameters, answer } = operation;
  const pairs = parameters.flatMap(({ name }, index): readonly SamplePiece[] => [
    `${index === 0 ? "" : "&"}${encodeURIComponent(name)}=`,
    { value: "string" },
  ]);
  const response = httpAnswer(answer);
  const start = startLine(method, address + location);
  if (replacesLocation) {
    return { request: [start], response };
  }
  if (method === "GET") {
    const [target = "", ...rest] = start.split(" HTTP/1.1");
    return { request: [`${target}${pairs.length === 0 ? "" : "?"}`, ...pairs, " HTTP/1.1", ...rest], response };
  }
  const head = `${start}Content-Type: application/x-www-form-urlencoded\nContent-Length: `;
  return { request: [head, length, "\n\n", ...pairs], response };
}

function httpAnswer(answer: HttpAnswer): readonly SamplePiece[] {
  switch (answer.kind) {
    case "xml":
      return [...answerHead(xmlType), `${xmlDeclaration}\n`, ...layout([documentElement(answer)])];
    case "text":
      return [...answerHead("text/plain; charset=utf-8"), { value: "string" }];
    case "bytes":
      return [...answerHead(answer.mediaType), { value: "bytes" }];
    case "none":
      return ["HTTP/1.1 200 OK\nContent-Length: 0\n"];
  }
}

/** The element with the declarations that are on the envelope of a SOAP message. */
function documentElement({ element }: Extract<HttpAnswer, { kind: "xml" }>): SampleNode {
  const sample = new SampleWriter().element(element);
  const declarations = ` xmlns:xsd="${schemaNamespace}" xmlns:xsi="${instanceNamespace}"`;
  const [tag = "", ...rest] = sample.start;
  const name = `<${sample.name}`;
  const start = typeof tag === "string" ? name + declarations + tag.slice(name.length) : tag;
  return { ...sample, start: [start, ...rest] };
}
