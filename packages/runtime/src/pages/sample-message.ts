import { instanceNamespace, schemaNamespace, WireNames } from "../codec/names.js";
import { resolveRecord } from "../codec/types.js";
import type { AnyBodyDescriptor, AnyRecord, HttpAnswer, Protocol } from "../descriptor.js";
import { elementMembers } from "../element-members.js";
import { type SoapVersion, soapMediaType, writeEnvelope, xmlDeclaration } from "../protocol/soap/envelope.js";
import type { ServedNames, ServedOperation } from "../server/soap/served-operations.js";

import type { HeaderLine } from "../server/types.js";
import { layout, type SampleNode, type SamplePiece, SampleWriter } from "./sample-element.js";

/** Where a service is reached, per protocol. */
type AddressOf = (port: Protocol) => string;

/** What samples of one operation are made from. */
export interface SampledOperation {
  readonly operation: ServedOperation;
  readonly names: ServedNames;
  readonly addressOf: AddressOf;
}

/** A request and its answer as they are on the wire, with words in place of values. */
interface Sample {
  readonly request: readonly SamplePiece[];
  readonly response: readonly SamplePiece[];
}

/** The sample of one protocol; undefined where the operation is not bound to it. */
export function sampleOf(protocol: Protocol, sampled: SampledOperation): Sample | undefined {
  if (sampled.operation.descriptor.bindings[protocol] === undefined) return undefined;
  return protocol === "soap11" || protocol === "soap12" ? soapSample(protocol, sampled) : httpSample(protocol, sampled);
}

const length: SamplePiece = { value: "length" };

function soapSample(version: SoapVersion, { operation, names, addressOf }: SampledOperation): Sample {
  const { input, output } = operation.descriptor;
  const [type, ...others] = soapHeaders(version, operation).map(([name, value]) => `${name}: ${value}\n`);
  return {
    request: [
      `${startLine("POST", addressOf(version))}${type}Content-Length: `,
      length,
      `\n${others.join("")}\n`,
      ...envelope(version, { names, ...input }),
    ],
    response:
      output === undefined
        ? ["HTTP/1.1 202 Accepted\n"]
        : [
            `HTTP/1.1 200 OK\nContent-Type: ${soapMediaType[version]}; charset=utf-8\nContent-Length: `,
            length,
            "\n\n",
            ...envelope(version, { names, ...output }),
          ],
  };
}

/** The headers that make a message one of this operation, its content type first. */
export function soapHeaders(version: SoapVersion, { actions, descriptor }: ServedOperation): readonly HeaderLine[] {
  const type = `${soapMediaType[version]}; charset=utf-8`;
  const action = actions[version] ?? "";
  if (version === "soap11") {
    return [
      ["Content-Type", type],
      ["SOAPAction", `"${action}"`],
    ];
  }
  return [["Content-Type", descriptor.bindings.soap12?.sendAction === true ? `${type}; action="${action}"` : type]];
}

function startLine(method: string, address: string): string {
  const [, host = "", path = ""] = /^[^:]*:\/\/([^/]*)(.*)$/s.exec(address) ?? ["", "", address];
  return `${method} ${path} HTTP/1.1\n${host === "" ? "" : `Host: ${host}\n`}`;
}

interface Message {
  readonly body: AnyBodyDescriptor;
  readonly headers?: () => AnyRecord;
  readonly empty?: true;
  readonly names: ServedNames;
}

function envelope(version: SoapVersion, message: Message): readonly SamplePiece[] {
  const headers = headerBlocks(message);
  return [
    `${envelopeStart(version, message.body).replace("?><", "?>\n<")}\n`,
    ...(headers.length === 0 ? [] : ["  <soap:Header>\n", ...layout(headers, 2), "  </soap:Header>\n"]),
    "  <soap:Body>\n",
    ...layout(bodyNodes(message, version), 2),
    "  </soap:Body>\n</soap:Envelope>\n",
  ];
}

/** A message up to its header or body. */
export function envelopeStart(version: SoapVersion, body: AnyBodyDescriptor): string {
  const encodingStyle =
    isEncoded(body) && version === "soap11" ? "http://schemas.xmlsoap.org/soap/encoding/" : undefined;
  return writeEnvelope(version, { body: "", encodingStyle }).replace(/<soap:Body>.*$/s, "");
}

function isEncoded(body: AnyBodyDescriptor): boolean {
  return "element" in body && body.encoded !== undefined;
}

/** The children of a message's body. */
export function bodyNodes({ body, empty, names }: Message, version: SoapVersion): readonly SampleNode[] {
  const writer = new SampleWriter(wireNamesOf(names), isEncoded(body) ? version : undefined);
  if ("parts" in body) return writer.content(resolveRecord(body.parts));
  const element = writer.element(body.element, body.type, { nillable: body.nillable === true });
  return [empty === true ? { ...element, content: [] } : element];
}

/** The header blocks that an operation declares. */
export function headerBlocks({ headers, names }: Pick<Message, "headers" | "names">): readonly SampleNode[] {
  if (headers === undefined) return [];
  const writer = new SampleWriter(wireNamesOf(names));
  return elementMembers(headers()).map(({ name, field }) =>
    writer.element(name, field.type, { nillable: field.nillable === true }),
  );
}

export function wireNamesOf({ namespaces, elements }: ServedNames): WireNames {
  return new WireNames(namespaces, elements);
}

function httpSample(protocol: "httpGet" | "httpPost", { operation, names, addressOf }: SampledOperation): Sample {
  const { http } = operation.descriptor;
  const location = operation.locations[protocol];
  const address = addressOf(protocol);
  const parameters = Object.entries(http?.parameters ?? {}).map(([key, parameter]) => parameter.name ?? key);
  const pairs = parameters.flatMap((name, index): readonly SamplePiece[] => [
    `${index === 0 ? "" : "&"}${encodeURIComponent(name)}=`,
    { value: "string" },
  ]);
  const response = httpAnswer(http?.answer ?? { kind: "none" }, names);
  if (location?.replace === true) return { request: [startLine(methods[protocol], address + location.text)], response };
  const text = location?.text ?? "";
  if (protocol === "httpGet") {
    const [first = "", ...rest] = startLine("GET", address + text).split(" HTTP/1.1");
    return { request: [`${first}${pairs.length === 0 ? "" : "?"}`, ...pairs, " HTTP/1.1", ...rest], response };
  }
  const head = `${startLine("POST", address + text)}Content-Type: application/x-www-form-urlencoded\nContent-Length: `;
  return { request: [head, length, "\n\n", ...pairs], response };
}

const methods = { httpGet: "GET", httpPost: "POST" } as const;

function httpAnswer(answer: HttpAnswer, names: ServedNames): readonly SamplePiece[] {
  const head = (type: string) => [`HTTP/1.1 200 OK\nContent-Type: ${type}\nContent-Length: `, length, "\n\n"];
  switch (answer.kind) {
    case "xml": {
      const writer = new SampleWriter(wireNamesOf(names));
      const { name, start, content } = writer.element(answer.element, answer.type, {
        nillable: answer.nillable === true,
      });
      const bound = ` xmlns:xsd="${schemaNamespace}" xmlns:xsi="${instanceNamespace}"`;
      const [tag = "", ...others] = start;
      const opened = typeof tag === "string" ? tag.replace(`<${name}`, `<${name}${bound}`) : tag;
      return [
        ...head("text/xml; charset=utf-8"),
        `${xmlDeclaration}\n`,
        ...layout([{ name, start: [opened, ...others], content }]),
      ];
    }
    case "text":
      return [...head("text/plain; charset=utf-8"), { value: "string" }];
    case "bytes":
      return [...head(answer.mediaType), { value: "bytes" }];
    case "none":
      return ["HTTP/1.1 200 OK\nContent-Length: 0\n"];
  }
}
