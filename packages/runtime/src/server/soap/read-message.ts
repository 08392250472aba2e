import { XmlError } from "@bothends/xml";
import { MultipartError } from "../../body-parts.js";
import { References } from "../../codec/references.js";
import type { AnyElement } from "../../descriptor.js";
import { DecodeError } from "../../errors.js";
import { type MediaType, parseMediaType } from "../../media-type.js";
import { attach, type BodyPart, rootType, unpackaged } from "../../protocol/soap/attachments.js";
import {
  type Envelope,
  EnvelopeError,
  isEncoded,
  readEnvelope,
  type SoapVersion,
  soapMediaType,
} from "../../protocol/soap/envelope.js";
import type { FaultPieces } from "../../protocol/soap/fault.js";
import { isCompressed, readBody } from "../body.js";
import { headerValue, onlyHeader } from "../headers.js";
import { limitIncident, type MisfitRequest, misfitOf, report, reportMisfit } from "../incidents.js";
import { LimitError } from "../limits.js";
import type { ServerAnswer, ServerRequest } from "../types.js";
import { faultAnswer, refusedAnswer, versionAnswer } from "./answers.js";
import { hasSplitValue } from "./comments.js";
import type { ReadBlock } from "./header-blocks.js";
import { messageText } from "./message-text.js";
import { readInput } from "./messages.js";
import type { Serving } from "./serving.js";
import { readSoapAction } from "./soap-action.js";
import type { ServedOperation } from "./table.js";
import { texts } from "./texts.js";

const relatedType = "multipart/related";

/** How a request is to be dispatched, before its envelope says what version it is. */
interface Posted {
  readonly request: ServerRequest;
  /** The version whose way of choosing the operation applies: a SOAPAction alone chooses as SOAP 1.1 does. */
  readonly mode: SoapVersion;
  readonly mediaType: MediaType | undefined;
  /** The SOAPAction, where it counts. */
  readonly action: string | undefined;
}

/** A request that ends here, with this answer. */
export class Refused extends Error {
  readonly answer: ServerAnswer;
  constructor(answer: ServerAnswer) {
    super("The request is refused.");
    this.answer = answer;
  }
}

/** Reads a message from a request. Throws `Refused` with the answer where there is none to be read. */
export async function readMessage(request: ServerRequest, serving: Serving): Promise<Message> {
  const outer = postedBy(request);
  const { text, posted, parts } = await readText(outer, serving);
  return messageOf(text, { ...posted, parts }, serving);
}

function postedBy(request: ServerRequest): Posted {
  const outer = parseMediaType(onlyHeader(request.headers, "content-type"));
  const mediaType = outer?.name === relatedType ? rootType(undefined, outer) : outer;
  const header = headerValue(request.headers, "soapaction");
  if (header === undefined || mediaType?.name === soapMediaType.soap12) {
    return { request, mode: "soap12", mediaType, action: undefined };
  }
  return { request, mode: "soap11", mediaType, action: readSoapAction(header) };
}

async function readText(posted: Posted, serving: Serving): Promise<PostedText> {
  const { request, mode, action } = posted;
  let bytes: Uint8Array;
  try {
    bytes = await readBody(request, serving.limits.bodyBytes);
  } catch (error) {
    const incident = error instanceof LimitError ? limitIncident(error) : undefined;
    if (incident === undefined) throw error;
    report(serving.onError, { ...incident, protocol: mode });
    throw new Refused({ ...faultAnswer(mode, { reason: texts.tooLarge, detail: "" }), close: true });
  }
  if (isCompressed(request)) throw new Refused(refusedAnswer(mode, 415));
  if (action !== undefined && !serving.table.actions.soap11.has(action) && !serving.table.actions.soap12.has(action)) {
    throw new Refused(faultAnswer("soap11", clientFault(texts.unknownAction)));
  }
  if (mode === "soap11" && posted.mediaType?.name !== soapMediaType.soap11)
    throw new Refused(refusedAnswer("soap11", 415));
  const { body, mediaType, parts } = unpackagedRequest(bytes, posted, serving);
  const text = messageText(body, mediaType?.parameters.get("charset"));
  if (text === undefined) throw new Refused(refusedAnswer(mode, 415));
  return { text, posted: { ...posted, mediaType }, parts };
}

interface PostedText {
  readonly text: string;
  readonly posted: Posted;
  readonly parts: readonly BodyPart[];
}

/** Only services that take attachments take packages. */
function unpackagedRequest(
  body: Uint8Array,
  { request, mode, mediaType }: Posted,
  { table }: Serving,
): { readonly body: Uint8Array; readonly mediaType: MediaType | undefined; readonly parts: readonly BodyPart[] } {
  const outer = parseMediaType(onlyHeader(request.headers, "content-type"));
  if (outer?.name !== relatedType) return { body, mediaType, parts: [] };
  if (!table.all.some(({ descriptor }) => descriptor.input.attachments !== undefined)) {
    throw new Refused(refusedAnswer(mode, 415));
  }
  try {
    return unpackaged(body, outer);
  } catch (error) {
    if (error instanceof MultipartError) throw new Refused(refusedAnswer(mode, 415));
    throw error;
  }
}

/** A message whose operation is known and whose input is read. */
export interface Message {
  readonly version: SoapVersion;
  readonly operation: ServedOperation;
  readonly input: unknown;
  readonly soapHeaders: Readonly<Record<string, unknown>>;
  readonly extraSoapHeaders: readonly AnyElement[];
}

function messageOf(text: string, posted: Posted & { readonly parts: readonly BodyPart[] }, serving: Serving): Message {
  const envelope = readStart(text, posted, serving);
  const { version } = envelope;
  checkMediaType(version, posted);
  if (!serving.table.versions.includes(version)) {
    throw new Refused(versionAnswer(texts.version, serving.table.versions));
  }
  const operation = chosenOperation(envelope, posted, serving);
  if (!serving.blocks.understood(operation, envelope)) {
    const fault: FaultPieces = { code: "MustUnderstand", reason: texts.notUnderstood };
    const misfit = { operation: operation.descriptor.name, reason: "A header block must be understood, and is not." };
    throw refusedAfterReading(envelope, { answer: faultAnswer(version, fault, "operation"), misfit }, serving);
  }
  const { input, soapHeaders } = readContent(envelope, { operation, parts: posted.parts, text }, serving);
  if (hasSplitValue(text, serving.limits)) {
    const reason = "A comment or a processing instruction is inside a value.";
    reportMisfit(serving.onError, { operation: operation.descriptor.name, protocol: version, reason });
    throw new Refused(refusedAnswer(version, 400));
  }
  return { version, operation, input, soapHeaders, extraSoapHeaders: serving.blocks.extra(envelope) };
}

/** Reads as far as the operation's name. What goes wrong here is told differently from what goes wrong later. */
function readStart(text: string, { mode }: Posted, serving: Serving): Envelope<ReadBlock> {
  let version: SoapVersion | undefined;
  try {
    return readEnvelope(text, {
      limits: serving.limits,
      readHeader: serving.blocks.read,
      onVersion: (found) => {
        version = found;
      },
    });
  } catch (error) {
    if (error instanceof EnvelopeError) {
      if (error.problem === "version") throw new Refused(versionAnswer(texts.version, serving.table.versions));
      const reason = error.problem === "body" ? texts.noBody : texts.noEnvelope;
      const fault: FaultPieces = { code: mode === "soap11" ? "Client" : "Server", reason, detail: "" };
      throw new Refused(faultAnswer(error.version ?? mode, fault));
    }
    if (!(error instanceof XmlError)) throw error;
    // What is too large is a message all the same, and its envelope has said how to answer it.
    if (error.limit !== undefined && version !== undefined) throw refusedXml(error, { protocol: version }, serving);
    reportXml(error, { protocol: version ?? mode }, serving);
    if (mode === "soap11") throw new Refused(refusedAnswer("soap11", 400));
    throw new Refused(faultAnswer("soap12", { code: "Server", reason: texts.notXml, detail: "" }));
  }
}

function checkMediaType(version: SoapVersion, { mode, mediaType }: Posted): void {
  const name = mediaType?.name;
  if (name !== soapMediaType.soap11 && name !== soapMediaType.soap12) throw new Refused(refusedAnswer(mode, 415));
  if (version === "soap11" && name !== soapMediaType.soap11) throw new Refused(refusedAnswer("soap11", 415));
}

/** The body's first element chooses the operation; an action may only agree, or tell apart what the element cannot. */
function chosenOperation(
  envelope: Envelope<ReadBlock>,
  { action: soapAction, mediaType }: Posted,
  serving: Serving,
): ServedOperation {
  const { version, first = "" } = envelope;
  const { table } = serving;
  const candidates = (table.byElement.get(first) ?? []).filter(({ actions }) => actions[version] !== undefined);
  const parameter = version === "soap12" ? mediaType?.parameters.get("action") : undefined;
  const known = parameter !== undefined && parameter !== "" && table.actions.soap12.has(parameter);
  const action = soapAction ?? (known ? parameter : undefined);
  const agreeing = action === undefined ? candidates : candidates.filter(({ actions }) => actions[version] === action);
  const [chosen, another] = agreeing;
  if (chosen !== undefined && another === undefined) return chosen;
  const reason = candidates.length > 0 && action !== undefined ? texts.otherAction : texts.noAction;
  const misfit = {
    reason: candidates.length > 0 ? "The action is not the operation's." : "No operation has this body.",
  };
  throw refusedAfterReading(envelope, { answer: faultAnswer(version, clientFault(reason)), misfit }, serving);
}

/** Decodes the input and reads the message to its end. */
function readContent(
  envelope: Envelope<ReadBlock>,
  {
    operation,
    parts,
    text,
  }: { readonly operation: ServedOperation; readonly parts: readonly BodyPart[]; readonly text: string },
  serving: Serving,
): Pick<Message, "input" | "soapHeaders"> {
  const { version } = envelope;
  try {
    const soapHeaders = serving.blocks.values(operation, envelope);
    const { decoder, names, limits } = serving;
    const references = isEncoded(operation.descriptor.input.body) ? new References(text, limits) : undefined;
    const inBody = readInput(operation.descriptor, envelope, { decoder, names, references });
    envelope.finish();
    const { attachments } = operation.descriptor.input;
    const input = attachments === undefined ? inBody : attach(inBody, attachments, parts);
    return { input, soapHeaders };
  } catch (error) {
    const called = { operation: operation.descriptor.name, protocol: version };
    if (error instanceof XmlError) throw refusedXml(error, called, serving);
    if (!(error instanceof DecodeError)) throw error;
    // An element where only text belongs is refused as the recorded service refuses it: as no message at all.
    const nested = error.cause instanceof XmlError;
    const answer = nested ? refusedAnswer(version, 400) : faultAnswer(version, clientFault(texts.unreadable));
    const misfit = { operation: called.operation, path: error.path, reason: error.reason };
    throw refusedAfterReading(envelope, { answer, misfit }, serving);
  }
}

interface Refusal {
  readonly answer: ServerAnswer;
  /** What the operator learns. */
  readonly misfit: Omit<MisfitRequest, "protocol">;
}

/** Refuses a message that has been read in part. If the rest of it is not well-formed, that is the reason instead. */
function refusedAfterReading(envelope: Envelope<ReadBlock>, { answer, misfit }: Refusal, serving: Serving): Refused {
  const place = { protocol: envelope.version };
  try {
    envelope.finish();
  } catch (error) {
    if (error instanceof XmlError) return refusedXml(error, { ...place, operation: misfit.operation }, serving);
    throw error;
  }
  reportMisfit(serving.onError, { ...place, ...misfit });
  return new Refused(answer);
}

interface RefusedPlace {
  readonly operation?: string | undefined;
  readonly protocol: SoapVersion;
}

function refusedXml(error: XmlError, place: RefusedPlace, serving: Serving): Refused {
  reportXml(error, place, serving);
  return new Refused(refusedAnswer(place.protocol, 400));
}

function reportXml(error: XmlError, place: RefusedPlace, { onError }: Serving): void {
  const limit = limitIncident(error);
  const misfit = misfitOf(error);
  if (limit !== undefined) report(onError, limit);
  else if (misfit !== undefined) reportMisfit(onError, { ...place, ...misfit });
}

function clientFault(reason: string): FaultPieces {
  return { code: "Client", reason, detail: "" };
}
