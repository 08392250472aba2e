import { XmlError } from "@bothends/xml/error";
import { DecodeError } from "../../answer-errors.js";
import { MultipartError } from "../../http/body-parts.js";
import type { HeaderLine } from "../../http/headers.js";
import { type MediaType, readMediaType } from "../../http/media-type.js";
import { type EarlyRefusal, inertXml, type ServerAnswer } from "../../http/server-answer.js";
import { describeCompression } from "../../http/server-request.js";
import { findEncodeErrorPath, report, reportUnfitAnswer } from "../../observe/incidents.js";
import { describeOtherDocument, describeUnreadable } from "../../observe/unreadable-messages.js";
import type { FaultStage, Problem, ServerConventions, SoapRefusal } from "../conventions.js";
import {
  type CallOutcome,
  getFaultCode,
  headReasons,
  Refusal,
  type RefusalInit,
  type RequestHead,
  type ServedOperation,
  type ServedService,
  type ServiceCall,
} from "../server.js";
import { decodeMessage, ReplacedBytes } from "../server-message-text.js";
import { describeUnfitInput } from "../server-unfit-input.js";
import { onlyAnonymousFault } from "./addressing.js";
import { attach, detach, findRootType, writeAttached } from "./attachments.js";
import { findEncoding, findSoapEncoding } from "./encoding.js";
import { type SoapVersion, soapMediaType, writeEnvelope } from "./envelope.js";
import { type FaultPieces, writeFault, writeUpgradeHeader } from "./fault.js";
import { bodyPath, type Envelope, EnvelopeError, KnownEnvelopes, readEnvelope } from "./read-envelope.js";
import { type RelatedPart, readRelatedMessage, relatedType } from "./related.js";
import { finishMessage, readSoapInput, writeOutput } from "./server-bodies.js";
import {
  findAddressedRequest,
  HeaderBlocks,
  type ReadBlock,
  UndeclaredBlocks,
  writeAddressing,
  writeFaultHeaders,
  writeHeaders,
} from "./server-header-blocks.js";
import {
  describeMissingAction,
  describeOtherAction,
  describeUnknownAction,
  describeUnknownBody,
  mtomReason,
  packageTypeReason,
} from "./server-refusal-reasons.js";

/** The maximum number of characters of a block's name in an incident. */
const maxBlockName = 200;

/** The SOAP messages of one service, in both versions. Reads calls and writes answers and faults. */
export class SoapMessages {
  readonly conventions: ServerConventions;
  /** The actions of all operations, as they are on the wire, by SOAP version. */
  readonly actions: Readonly<Record<SoapVersion, ReadonlySet<string>>>;
  readonly #service: ServedService;
  /** The operations by the first element of their body. Operations with the same element differ in their actions. */
  readonly #byElement: Readonly<Record<SoapVersion, ReadonlyMap<string, readonly ServedOperation[]>>>;
  readonly #versions: readonly SoapVersion[];
  readonly #blocks: HeaderBlocks;
  readonly #knownEnvelopes = new KnownEnvelopes();
  readonly #hasAttachments: boolean;
  readonly #replacedBytes: ReplacedBytes;
  readonly #undeclaredBlocks: UndeclaredBlocks;
  readonly #headers: Readonly<Record<SoapVersion, Readonly<Record<FaultStage, readonly HeaderLine[]>>>>;

  constructor(service: ServedService) {
    const { operations } = service;
    this.conventions = service.conventions;
    this.#service = service;
    this.actions = { soap11: listActions(operations, "soap11"), soap12: listActions(operations, "soap12") };
    this.#byElement = { soap11: groupByElement(operations, "soap11"), soap12: groupByElement(operations, "soap12") };
    this.#versions = (["soap11", "soap12"] as const).filter((version) => this.#byElement[version].size > 0);
    this.#blocks = new HeaderBlocks(service);
    this.#replacedBytes = new ReplacedBytes(service);
    this.#undeclaredBlocks = new UndeclaredBlocks(service);
    const { conventions } = this;
    this.#headers = { soap11: createHeaders("soap11", conventions), soap12: createHeaders("soap12", conventions) };
    this.#hasAttachments = operations.some(({ descriptor }) => descriptor.input.attachments !== undefined);
  }

  /** Whether a request is a SOAP message that must be read as `version` until the version of its envelope is known. */
  recognizes(version: SoapVersion, { request, subpath, mediaType }: RequestHead): boolean {
    if (request.method !== "POST" || subpath !== "") {
      return false;
    }
    const { soapAction } = request.parsedHeaders;
    return this.conventions.guessSoapVersion({ mediaType: findMessageType(mediaType), soapAction }) === version;
  }

  /** Returns the name of the operation with an action; undefined unless exactly one operation has the action. */
  findOperation(version: SoapVersion, action: string | undefined): string | undefined {
    const operations = this.#service.operations.filter(
      ({ actions }) => action !== undefined && actions[version] === action,
    );
    return operations.length === 1 ? operations[0]?.descriptor.name : undefined;
  }

  /** Reads the call that a message contains. Throws `Refusal` for a message that is not a valid call. */
  read(assumedVersion: SoapVersion, head: RequestHead, message: ReceivedMessage): ServiceCall {
    try {
      return this.#read(assumedVersion, head, message);
    } catch (error) {
      if (!(error instanceof Refusal) || !(error.cause instanceof XmlError)) {
        throw error;
      }
      const { cause } = error;
      throw new Refusal(error.problem, { ...error, cause, reason: describeUnreadable(cause, message.bytes)?.reason });
    }
  }

  #read(assumedVersion: SoapVersion, head: RequestHead, received: ReceivedMessage): ServiceCall {
    const { ignoredElements } = this.#service;
    ignoredElements.clear();
    const message = this.#readText(assumedVersion, head, received);
    const envelope = this.#readStart(message.text);
    const { version } = envelope;
    checkMediaType(version, message.mediaType);
    if (!this.#versions.includes(version)) {
      throw new Refusal("version", { version, reason: "The service does not support this version of SOAP." });
    }
    const namedAction = assumedVersion === "soap11" || version === "soap12" ? received.action : undefined;
    const operation = this.#chooseOperation(envelope, namedAction);
    const source = { version, operation: operation.descriptor.name };
    const blockName = this.#blocks.findNotUnderstood(operation, envelope, this.conventions.mustUnderstand);
    if (blockName !== undefined) {
      const reason =
        'The message has a header block with mustUnderstand. Neither the operation nor the option "understands" of the routes lists the block.';
      const path = `/Envelope/Header/${blockName.slice(0, maxBlockName)}`;
      throw refuseAfterReading(envelope, new Refusal("notUnderstood", { ...source, path, reason }));
    }
    const { input, soapHeaders } = this.#readContent(envelope, operation, message);
    if (this.conventions.markupInValues === "refuse" && envelope.reader.markupInText) {
      const reason = "A comment or a processing instruction is inside a value.";
      throw new Refusal("markupInValue", { ...source, reason });
    }
    const extraSoapHeaders = this.#blocks.readExtraBlocks(envelope);
    const addressing = findAddressedRequest(operation.descriptor.bindings[version]?.addressing, extraSoapHeaders);
    if (addressing?.replyTarget === "otherAddress") {
      const reason = "The message requests that the answer be sent to another address, which is not supported.";
      throw new Refusal("replyElsewhere", { ...source, reason });
    }
    const { request } = head;
    if (message.hasReplacedBytes) {
      this.#replacedBytes.report({ protocol: version, operation, request });
    }
    ignoredElements.report({ protocol: version, operation: operation.descriptor.name, request });
    return { protocol: version, operation, request, input, soapHeaders, extraSoapHeaders, addressing };
  }

  /** Writes the answer to a call, in the SOAP version of the call's envelope. */
  write(call: ServiceCall, outcome: CallOutcome): ServerAnswer {
    const { operation, addressing } = call;
    const version: SoapVersion = call.protocol === "soap12" ? "soap12" : "soap11";
    const { output } = operation.descriptor;
    if (output === undefined || addressing?.replyTarget === "none") {
      return createOneWayAnswer(outcome);
    }
    if (outcome.headers !== undefined) {
      this.#undeclaredBlocks.report(call, outcome.headers);
    }
    const codec = { encoder: this.#service.encoder, encoding: findEncoding(output.body, version) };
    try {
      const addressingBlocks =
        addressing === undefined ? [] : writeAddressing(call, version, { outcome, names: this.#service.names });
      if ("fault" in outcome) {
        const headers = [...addressingBlocks, ...writeFaultHeaders(output, outcome.headers, codec)];
        const { status, headerLines } = outcome;
        return this.#createFaultAnswer(version, outcome.fault, { stage: "operation", headers, status, headerLines });
      }
      const detachedValue = output.attachments && detach(outcome.value, output.attachments.parts);
      const body = writeOutput(output, detachedValue === undefined ? outcome.value : detachedValue.value, codec);
      const handlerBlocks = writeHeaders(output, outcome.headers, codec);
      const envelope = writeEnvelope(version, {
        body,
        headers: addressingBlocks.length === 0 ? handlerBlocks : [...addressingBlocks, ...handlerBlocks],
      });
      return this.#packAnswer(version, envelope, detachedValue?.parts);
    } catch (error) {
      const { onError } = this.#service;
      const source = { operation: operation.descriptor.name, protocol: version };
      if ("fault" in outcome) {
        const message =
          "A header block of the handler's fault does not fit the schema, so the client receives a fault without details.";
        const path = findEncodeErrorPath(error);
        report(onError, { kind: "encode", message, path, error, ...source }, call.request);
      } else {
        reportUnfitAnswer(onError, error, { ...source, request: call.request });
      }
      const fault: FaultPieces = { code: "Server", reason: this.conventions.reasons.failed, detail: "" };
      return this.#createFaultAnswer(version, fault, { stage: "operation" });
    }
  }

  /** Returns the answer to a refused request. */
  refuse(assumedVersion: SoapVersion, { problem, version }: Refusal): ServerAnswer {
    if (problem === "replyElsewhere") {
      return this.#createFaultAnswer(version ?? assumedVersion, onlyAnonymousFault, { stage: "operation" });
    }
    const refusal: SoapRefusal = this.conventions.refuseSoap(problem, { recognized: assumedVersion, version });
    if (refusal.fault === undefined) {
      const headers = [contentType[refusal.version], this.conventions.cacheControl("dispatch")];
      return { status: refusal.status, headers, body: "" };
    }
    const stage = problem === "notUnderstood" ? "operation" : "dispatch";
    // SOAP 1.2 Part 1 appendix A: the answer to an unknown version lists the versions that the server supports.
    const headers = problem === "version" ? [writeUpgradeHeader(this.#versions)] : [];
    return this.#createFaultAnswer(refusal.version, refusal.fault, { stage, headers, status: refusal.status });
  }

  /** Returns a fault in the SOAP version of the request's media type, or else in the assumed version. */
  refuseEarly(assumedVersion: SoapVersion, { status, text, headers }: EarlyRefusal, head: RequestHead): ServerAnswer {
    const type = findMessageType(head.mediaType)?.name;
    const version = (["soap11", "soap12"] as const).find((name) => soapMediaType[name] === type) ?? assumedVersion;
    const fault: FaultPieces = { code: getFaultCode(status), reason: text, detail: "" };
    return this.#createFaultAnswer(version, fault, { stage: "dispatch", status, headerLines: headers });
  }

  /** Returns the text of a message. If the message is in a package, extracts it first. */
  #readText(assumedVersion: SoapVersion, head: RequestHead, { bytes, action }: ReceivedMessage): MessageText {
    if (head.request.parsedHeaders.isCompressed) {
      throw new Refusal("compressed", { reason: describeCompression(head.request.parsedHeaders) });
    }
    const isSoap11 = assumedVersion === "soap11";
    if (isSoap11 && action !== undefined && !this.actions.soap11.has(action) && !this.actions.soap12.has(action)) {
      throw new Refusal("unknownAction", describeUnknownAction(action, this));
    }
    if (isSoap11 && findMessageType(head.mediaType)?.name !== soapMediaType.soap11) {
      throw head.mediaType?.name === relatedType
        ? createPackageRefusal(head.mediaType, packageTypeReason)
        : createMediaTypeRefusal();
    }
    const { body, mediaType, parts } = this.#readPackage(bytes, head.mediaType);
    let text: string;
    let hasReplacedBytes = false;
    try {
      const { malformedBytes } = this.conventions;
      const charset = mediaType?.parameters.get("charset");
      text = decodeMessage(body, charset, {
        malformedBytes,
        ignoresDeclaration: mediaType?.name === soapMediaType.soap11,
        onReplaced: () => {
          hasReplacedBytes = true;
        },
      });
    } catch (error) {
      throw error instanceof XmlError ? createXmlRefusal("notXml", error) : error;
    }
    return { text, mediaType, parts, hasReplacedBytes };
  }

  /** Extracts the message from its package. Only services with attachments accept packages. */
  #readPackage(body: Uint8Array, mediaType: MediaType | undefined): UnpackedMessage {
    if (mediaType?.name !== relatedType) {
      return { body, mediaType, parts: [] };
    }
    if (!this.#hasAttachments) {
      throw createPackageRefusal(mediaType, "Only services with attachments accept multipart/related.");
    }
    try {
      return readRelatedMessage(body, mediaType, readMediaType);
    } catch (error) {
      throw error instanceof MultipartError ? createMediaTypeRefusal({ reason: error.message }) : error;
    }
  }

  /** Reads a message up to the element that identifies its operation. */
  #readStart(text: string): Envelope<ReadBlock> {
    let version: SoapVersion | undefined;
    try {
      return readEnvelope(text, {
        limits: this.#service.limits,
        readHeader: this.#blocks.read,
        knownEnvelopes: this.#knownEnvelopes,
        onVersion: (envelopeVersion) => {
          version = envelopeVersion;
        },
      });
    } catch (error) {
      if (error instanceof EnvelopeError) {
        const cause = describeOtherDocument(text);
        const reason = cause === undefined ? error.message : `${error.message} ${cause}`;
        throw new Refusal(envelopeProblems[error.problem], { version: error.version, reason });
      }
      if (!(error instanceof XmlError)) {
        throw error;
      }
      // If a message exceeds a limit, the answer has the SOAP version of the message.
      const isOverLimit = error.limit !== undefined && version !== undefined;
      throw createXmlRefusal(isOverLimit ? "xmlLimit" : "notXml", error, { version });
    }
  }

  /**
   * Chooses the operation by the first element in the body. If the request has an action, it must match the operation's
   * action. If several operations have the same element, the action decides between them.
   */
  #chooseOperation(envelope: Envelope<ReadBlock>, action: string | undefined): ServedOperation {
    const { version, firstChild } = envelope;
    const candidates = this.#byElement[version].get(firstChild ?? "") ?? [];
    const onlyCandidate = candidates.length === 1 ? candidates[0] : undefined;
    if (onlyCandidate !== undefined && (action === undefined || onlyCandidate.actions[version] === action)) {
      return onlyCandidate;
    }
    const candidatesWithAction =
      action === undefined ? candidates : candidates.filter(({ actions }) => actions[version] === action);
    const [chosenOperation, secondOperation] = candidatesWithAction;
    if (chosenOperation !== undefined && secondOperation === undefined) {
      return chosenOperation;
    }
    const refusal =
      candidates.length > 0 && action !== undefined
        ? new Refusal("otherAction", {
            version,
            reason: describeOtherAction(this.findOperation(version, action), candidates),
          })
        : new Refusal("noOperation", {
            version,
            ...(candidates.length > 0
              ? { reason: describeMissingAction(candidates) }
              : describeUnknownBody(envelope, [...this.#byElement[version].keys()])),
          });
    throw refuseAfterReading(envelope, refusal);
  }

  /** Decodes the input and the header blocks, and reads the message to its end. */
  #readContent(
    envelope: Envelope<ReadBlock>,
    operation: ServedOperation,
    { text, parts }: MessageText,
  ): Pick<ServiceCall, "input" | "soapHeaders"> {
    const { descriptor } = operation;
    const source = { version: envelope.version, operation: descriptor.name };
    try {
      const soapHeaders = this.#blocks.selectDeclaredBlocks(operation, envelope);
      const { decoder, names, limits, ignoredElements } = this.#service;
      const encoding = findSoapEncoding(descriptor.input.body)?.bodyRules(text, { limits });
      const bodyInput = readSoapInput(descriptor, envelope, { decoder, names, encoding, ignoredElements });
      finishMessage(envelope, ignoredElements);
      const { attachments } = descriptor.input;
      const input = attachments === undefined ? bodyInput : attach(bodyInput, attachments.parts, parts);
      return { input, soapHeaders };
    } catch (error) {
      if (error instanceof XmlError) {
        throw createXmlRefusal(error.limit === undefined ? "malformed" : "xmlLimit", error, source);
      }
      if (!(error instanceof DecodeError)) {
        throw error;
      }
      const problem = error.cause instanceof XmlError ? "elementInValue" : "unreadable";
      const { limits, ignoredElements } = this.#service;
      const description = describeUnfitInput(error, { text, limits, parentPath: bodyPath, ignoredElements });
      throw refuseAfterReading(envelope, new Refusal(problem, { ...source, path: error.path, ...description }));
    }
  }

  #packAnswer(version: SoapVersion, envelope: string, parts: readonly RelatedPart[] | undefined): ServerAnswer {
    if (parts === undefined) {
      return { status: 200, headers: this.#headers[version].operation, body: envelope };
    }
    const packagedMessage = writeAttached(envelope, contentType[version][1], parts);
    const type: HeaderLine = ["Content-Type", packagedMessage.contentType];
    return { status: 200, headers: [type, ...this.#headers[version].operation.slice(1)], body: packagedMessage.body };
  }

  #createFaultAnswer(version: SoapVersion, fault: FaultPieces, context: FaultContext): ServerAnswer {
    const { stage, headers, status, headerLines = [] } = context;
    return {
      status: status ?? this.conventions.getFaultStatus(version, fault.code),
      headers:
        headerLines.length === 0 ? this.#headers[version][stage] : [...this.#headers[version][stage], ...headerLines],
      body: writeEnvelope(version, { body: writeFault(version, fault), headers }),
      faultCode: fault.wireCode ?? fault.code ?? "Server",
    };
  }
}

/** The body of a request and the action from its head. */
interface ReceivedMessage {
  readonly bytes: Uint8Array;
  /** The value of `SOAPAction`, or of the parameter `action` of the media type. */
  readonly action: string | undefined;
}

interface UnpackedMessage {
  readonly body: Uint8Array;
  readonly mediaType: MediaType | undefined;
  readonly parts: readonly RelatedPart[];
}

interface MessageText extends Omit<UnpackedMessage, "body"> {
  readonly text: string;
  /** Whether bytes that the encoding does not allow were replaced. */
  readonly hasReplacedBytes: boolean;
}

interface FaultContext {
  readonly stage: FaultStage;
  readonly headers?: readonly string[];
  /** The status of the answer. Default: the status for the code of the fault. */
  readonly status?: number | undefined;
  /** HTTP headers to send in addition to the usual headers. */
  readonly headerLines?: readonly HeaderLine[] | undefined;
}

const envelopeProblems = { version: "version", envelope: "noEnvelope", body: "noBody" } as const;

const contentType: Readonly<Record<SoapVersion, HeaderLine>> = {
  soap11: ["Content-Type", `${soapMediaType.soap11}; charset=utf-8`],
  soap12: ["Content-Type", `${soapMediaType.soap12}; charset=utf-8`],
};

function createHeaders(
  version: SoapVersion,
  { cacheControl }: ServerConventions,
): Readonly<Record<FaultStage, readonly HeaderLine[]>> {
  const createLines = (stage: FaultStage) => [contentType[version], cacheControl(stage), ...inertXml];
  return { operation: createLines("operation"), dispatch: createLines("dispatch") };
}

/** Returns the answer to a call of a one-way operation, which has no output message and no faults (WSDL 1.1 §2.4.1). */
function createOneWayAnswer(outcome: CallOutcome): ServerAnswer {
  return { status: "fault" in outcome ? 500 : 202, headers: [], body: "" };
}

/** Returns the media type of a message. For a package, this is the type of its root part. */
function findMessageType(mediaType: MediaType | undefined): MediaType | undefined {
  return mediaType?.name === relatedType ? findRootType(mediaType) : mediaType;
}

function checkMediaType(version: SoapVersion, mediaType: MediaType | undefined): void {
  const name = mediaType?.name;
  if (name === soapMediaType.soap11 || (version === "soap12" && name === soapMediaType.soap12)) {
    return;
  }
  const reason = `${headReasons.mediaType} The Content-Type is for SOAP 1.2, but the envelope is for SOAP 1.1.`;
  throw createMediaTypeRefusal(name === soapMediaType.soap12 ? { version, reason } : {});
}

/** Returns the refusal of a request whose `Content-Type` is wrong or whose package cannot be read. */
function createMediaTypeRefusal(details: RefusalInit = {}): Refusal {
  return new Refusal("mediaType", { reason: headReasons.mediaType, ...details });
}

function createPackageRefusal(mediaType: MediaType, reason: string): Refusal {
  const isMtom = findRootType(mediaType).name === "application/xop+xml";
  return createMediaTypeRefusal({ reason: `${headReasons.mediaType} ${isMtom ? mtomReason : reason}` });
}

/** Reads the rest of a message before refusing it, because a syntax error takes precedence over other reasons. */
function refuseAfterReading(envelope: Envelope<ReadBlock>, refusal: Refusal): Refusal {
  try {
    envelope.finish();
    return refusal;
  } catch (error) {
    if (!(error instanceof XmlError)) {
      throw error;
    }
    const { version, operation } = refusal;
    return createXmlRefusal(error.limit === undefined ? "malformed" : "xmlLimit", error, { version, operation });
  }
}

function createXmlRefusal(problem: Problem, error: XmlError, source: RefusalInit = {}): Refusal {
  return new Refusal(problem, { ...source, reason: describeUnreadable(error)?.reason, cause: error });
}

function listActions(operations: readonly ServedOperation[], version: SoapVersion): ReadonlySet<string> {
  return new Set(operations.map(({ actions }) => actions[version]).filter((action) => action !== undefined));
}

function groupByElement(
  operations: readonly ServedOperation[],
  version: SoapVersion,
): ReadonlyMap<string, readonly ServedOperation[]> {
  const groups = new Map<string, ServedOperation[]>();
  for (const operation of operations) {
    if (operation.actions[version] === undefined) {
      continue;
    }
    const group = groups.get(operation.element);
    if (group === undefined) {
      groups.set(operation.element, [operation]);
    } else {
      group.push(operation);
    }
  }
  return groups;
}
