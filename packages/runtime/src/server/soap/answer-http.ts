import { DONE, XmlError, XmlReader } from "@bothends/xml";
import { WireNames, wireName } from "../../codec/names.js";
import type { AnyOperationDescriptor, HttpAnswer, HttpBody, Protocol } from "../../descriptor.js";
import { DecodeError } from "../../errors.js";
import { parseMediaType } from "../../media-type.js";
import { type DecodeBytes, FormLimitError, type FormValues, readForm } from "../../protocol/http/form-encoding.js";
import { MissingParameterError, matchLocation, readParameters, writeText } from "../../protocol/http/parameters.js";
import { writeXmlAnswer } from "../../protocol/http/xml-answer.js";
import { isCompressed, readBody } from "../body.js";
import { onlyHeader } from "../headers.js";
import { limitIncident, misfitOf, report, reportMisfit } from "../incidents.js";
import { LimitError } from "../limits.js";
import type { ServerAnswer, ServerRequest } from "../types.js";
import type { Place } from "./address.js";
import { oneWayAnswer } from "./answer-soap.js";
import { caching, pageAnswer, textAnswer, xmlAnswer } from "./answers.js";
import { runCall } from "./call.js";
import { messageText } from "./message-text.js";
import type { Serving } from "./serving.js";
import type { ServedOperation, ServiceTable } from "./table.js";
import { texts } from "./texts.js";

type HttpProtocol = Extract<Protocol, "httpGet" | "httpPost">;

/** Answers a request below the address of a service: HTTP GET and POST, with parameters for input. */
export async function answerHttp(request: ServerRequest, place: Place, serving: Serving): Promise<ServerAnswer> {
  const protocol = protocolOf(request.method);
  if (protocol === undefined || place.below === "/") return pageAnswer(500, texts.unrecognized);
  const found = findOperation(protocol, place.below, serving);
  if (found === undefined) return unknownAnswer(place.below, serving);
  if (found === "other method") return pageAnswer(500, texts.unrecognized);
  try {
    const { body, parameters = {} } = found.operation.descriptor.http ?? {};
    if (body !== undefined) {
      const input = await readDocument(request, body, serving);
      if (input === undefined) return textAnswer(500, texts.format);
      return await answerCall(request, found.operation, { protocol, input: input.value, serving });
    }
    const values = await readValues(request, place, { protocol, serving, found });
    if (values === undefined) return textAnswer(500, texts.format);
    const input = readParameters(parameters, values);
    return await answerCall(request, found.operation, { protocol, input, serving });
  } catch (error) {
    return refusedRequest(error, { protocol, operation: found.operation.descriptor.name }, serving);
  }
}

function protocolOf(method: string): HttpProtocol | undefined {
  if (method === "GET") return "httpGet";
  return method === "POST" ? "httpPost" : undefined;
}

interface Found {
  readonly operation: ServedOperation;
  /** Parameters that stood in the path. */
  readonly values: FormValues | undefined;
}

function findOperation(protocol: HttpProtocol, path: string, { table }: Serving): Found | "other method" | undefined {
  let other: "other method" | undefined;
  for (const operation of table.all) {
    for (const [bound, location] of Object.entries(operation.locations)) {
      const values = location.replace ? matchLocation(location.text, path) : undefined;
      if (location.replace ? values === undefined : location.text !== path) continue;
      if (bound === protocol) return { operation, values };
      other = "other method";
    }
  }
  return other;
}

/** Whether some operation has its location here, whatever the method. */
export function hasLocation({ all }: ServiceTable, path: string): boolean {
  return all.some(({ locations }) =>
    Object.values(locations).some(({ text, replace }) =>
      replace ? matchLocation(text, path) !== undefined : text === path,
    ),
  );
}

function unknownAnswer(path: string, { table }: Serving): ServerAnswer {
  const lower = path.toLowerCase();
  const otherCase = table.all.some(({ locations }) =>
    Object.values(locations).some((location) => location.text.toLowerCase() === lower),
  );
  return textAnswer(500, otherCase ? texts.methodCase : texts.unknownMethod);
}

/** The parameters of a request; undefined: its body is no form. The query of a POST is never read. */
async function readValues(
  request: ServerRequest,
  { query }: Place,
  { protocol, serving, found }: { protocol: HttpProtocol; serving: Serving; found: Found },
): Promise<FormValues | undefined> {
  const { paramName, paramValue, queryPairs, formPairs, bodyBytes } = serving.limits;
  if (found.values !== undefined) return found.values;
  if (protocol === "httpGet") return readForm(query, { limits: { pairs: queryPairs, paramName, paramValue } });
  const bytes = await readBody(request, bodyBytes);
  const mediaType = parseMediaType(onlyHeader(request.headers, "content-type"));
  if (mediaType?.name !== "application/x-www-form-urlencoded" || isCompressed(request)) return undefined;
  const limits = { pairs: formPairs, paramName, paramValue };
  return readForm(latin1.decode(bytes), { limits, decode: decoderOf(mediaType.parameters.get("charset")) });
}

/** The input of an operation that is posted as an XML document; undefined: its body is no XML. */
async function readDocument(
  request: ServerRequest,
  { element, type, nillable }: HttpBody,
  { limits, names, decoder }: Serving,
): Promise<{ readonly value: unknown } | undefined> {
  const bytes = await readBody(request, limits.bodyBytes);
  const mediaType = parseMediaType(onlyHeader(request.headers, "content-type"));
  if (!/^(?:text|application)\/(?:[^/]+\+)?xml$/.test(mediaType?.name ?? "") || isCompressed(request)) return undefined;
  const text = messageText(bytes, mediaType?.parameters.get("charset"));
  if (text === undefined) return undefined;
  const reader = new XmlReader(text, limits);
  reader.next();
  const expected = new WireNames(names.namespaces, names.elements).element(wireName(element));
  if (reader.namespace !== expected.namespace || reader.localName !== expected.local) {
    throw new DecodeError(`/${reader.localName}: ${element} is expected here.`, { path: `/${reader.localName}` });
  }
  const value = decoder.element(reader, type, { nillable });
  while (reader.next() !== DONE);
  return { value };
}

/** One character per byte: the form's own decoder makes text of them. */
const latin1 = { decode: (bytes: Uint8Array) => singleBytes(bytes) };

function singleBytes(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

/** A form's charset parameter counts where it is ISO 8859-1; everything else is UTF-8. */
function decoderOf(charset: string | undefined): DecodeBytes | undefined {
  return /^(?:iso[-_]?8859-1|latin-?1)$/i.test(charset?.trim() ?? "") ? singleBytes : undefined;
}

async function answerCall(
  request: ServerRequest,
  operation: ServedOperation,
  { protocol, input, serving }: { protocol: HttpProtocol; input: unknown; serving: Serving },
): Promise<ServerAnswer> {
  const outcome = await runCall(
    { operation, protocol, request, input, soapHeaders: {}, extraSoapHeaders: [] },
    serving,
  );
  const { descriptor } = operation;
  if (descriptor.output === undefined) return oneWayAnswer(outcome);
  if ("fault" in outcome) return textAnswer(outcome.timedOut ? 503 : 500, outcome.fault.reason, "operation");
  try {
    return valueAnswer(descriptor, outcome.value, serving);
  } catch (error) {
    const place = { operation: descriptor.name, protocol };
    report(serving.onError, { kind: "encode", message: "The answer does not fit the schema.", error, ...place });
    return textAnswer(500, texts.failed, "operation");
  }
}

function valueAnswer({ http }: AnyOperationDescriptor, value: unknown, { encoder }: Serving): ServerAnswer {
  const answer: HttpAnswer = http?.answer ?? { kind: "none" };
  switch (answer.kind) {
    case "xml":
      return xmlAnswer(
        writeXmlAnswer(encoder.element(answer.element, answer.type, value, { nillable: answer.nillable })),
      );
    case "text":
      return { status: 200, headers: [plainText, caching("operation")], body: writeText(answer.type, value) };
    case "bytes":
      if (!(value instanceof Uint8Array)) throw new TypeError("The handler has to answer a Uint8Array.");
      return { status: 200, headers: [["Content-Type", answer.mediaType], caching("operation")], body: value };
    case "none":
      return { status: 200, headers: [caching("operation")], body: "" };
  }
}

const plainText = ["Content-Type", "text/plain; charset=utf-8"] as const;

interface Called {
  readonly protocol: HttpProtocol;
  readonly operation: string;
}

function refusedRequest(error: unknown, called: Called, serving: Serving): ServerAnswer {
  const { protocol } = called;
  const misfit = limitIncident(error) === undefined ? misfitOf(error) : undefined;
  if (misfit !== undefined) reportMisfit(serving.onError, { ...called, ...misfit });
  if (error instanceof MissingParameterError) return textAnswer(500, error.message);
  if (error instanceof DecodeError) return textAnswer(500, texts.unreadableParameter);
  if (error instanceof XmlError && misfit !== undefined) return textAnswer(500, texts.format);
  const limit = limitOf(error, protocol);
  if (limit === undefined) throw error;
  const incident = limitIncident(limit);
  if (incident !== undefined) report(serving.onError, { ...incident, protocol });
  if (limit.limit === "bodyBytes") return { ...textAnswer(500, texts.tooLarge), close: true };
  return textAnswer(protocol === "httpGet" ? 414 : 500, texts.tooManyParameters);
}

function limitOf(error: unknown, protocol: HttpProtocol): LimitError | undefined {
  if (error instanceof LimitError) return error;
  if (!(error instanceof FormLimitError)) return undefined;
  const pairs = protocol === "httpGet" ? "queryPairs" : "formPairs";
  return new LimitError(error.limit === "pairs" ? pairs : error.limit, error.value);
}
