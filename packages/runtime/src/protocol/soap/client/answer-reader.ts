import { decodeXml } from "@bothends/xml/decode";
import { XmlError } from "@bothends/xml/error";
import type { XmlReader } from "@bothends/xml/reader";
import { splitClark } from "@bothends/xml/split-clark";
import { DecodeError, SoapFault } from "../../../answer-errors.js";
import {
  type CallDescription,
  createProtocolFailure,
  createStatusFailure,
  withFacts,
} from "../../../client/errors/failures.js";
import type { ClientAnswer } from "../../../client/hooks.js";
import type { EncodingRules } from "../../../codec/decode-element.js";
import type {
  AnyBodyDescriptor,
  AnyElement,
  AnyOperationDescriptor,
  FaultDescriptor,
  OutputDescriptor,
} from "../../../descriptor.js";
import { isXml, readMediaType } from "../../../http/media-type.js";
import {
  isSuccess,
  noSoapHeaders,
  type OperationAnswer,
  type OperationCoding,
  type OperationDecoder,
  type ReadInputs,
} from "../../client.js";
import { AnswerDecoder } from "../../client-answer-decoder.js";
import { createDocumentFailure } from "../../client-document-failure.js";
import { findSoapEncoding } from "../encoding.js";
import { getOperationResult, impliedPrefixes, type SoapVersion } from "../envelope.js";
import { readFault } from "../fault.js";
import {
  bodyPath,
  createUnexpectedElementError,
  type Envelope,
  EnvelopeError,
  isFault,
  readEnvelope,
} from "../read-envelope.js";
import { type PackagedMessage, readRelatedMessageOrProblem } from "../related.js";
import { type DeclaredBlocks, type DeclaredDetail, findDeclaredBlocks, getImportedFeature } from "./features.js";

interface ReceivedAnswer {
  readonly answer: ClientAnswer;
  readonly call: ReadInputs;
}

/** Reads the answers to one operation in SOAP 1.1 and SOAP 1.2, including faults. */
export class SoapAnswerReader {
  readonly #operation: AnyOperationDescriptor;
  readonly #codec: OperationDecoder & { readonly decoder: AnswerDecoder };
  readonly #blocks: DeclaredBlocks | undefined;

  constructor(
    operation: AnyOperationDescriptor,
    { names, codecs, version }: OperationCoding & { readonly version: SoapVersion },
  ) {
    const { headers, headerFaults, body } = operation.output ?? {};
    this.#operation = operation;
    this.#codec = { names, decoder: codecs.get(AnswerDecoder) };
    this.#blocks = findDeclaredBlocks([headers, headerFaults], { body, names, version });
  }

  read(answer: ClientAnswer, call: ReadInputs): OperationAnswer {
    const { output } = this.#operation;
    const receivedAnswer = { answer, call };
    const mediaType = readMediaType(answer.headers.get("content-type"));
    if (answer.body.length === 0 && isSuccess(answer)) {
      if (output === undefined) {
        return { value: undefined, soapHeaders: noSoapHeaders };
      }
      throw createProtocolFailure("The answer is empty.", answer, { ...call, problem: "empty" });
    }
    const packagedMessage = readRelatedMessageOrProblem(answer.body, mediaType, readMediaType);
    if (!("problem" in packagedMessage)) {
      return this.#readAttached(packagedMessage, receivedAnswer);
    }
    throw isSuccess(answer)
      ? createProtocolFailure(packagedMessage.problem, answer, call)
      : createStatusFailure(answer, call.limits, call.context);
  }

  /** Reads a message and the attachments that the operation declares. Other attachments are ignored. */
  #readAttached(packagedMessage: PackagedMessage, receivedAnswer: ReceivedAnswer): OperationAnswer {
    const message = this.#readMessage(packagedMessage, receivedAnswer);
    const attachments = this.#operation.output?.attachments;
    if (attachments === undefined) {
      return message;
    }
    try {
      const value = getImportedFeature(attachments.by).attach(message.value, attachments.parts, packagedMessage.parts);
      return { value, soapHeaders: message.soapHeaders };
    } catch (error) {
      throw createDocumentFailure(error, receivedAnswer.answer, receivedAnswer.call);
    }
  }

  #readMessage(
    { body, mediaType }: Pick<PackagedMessage, "body" | "mediaType">,
    receivedAnswer: ReceivedAnswer,
  ): OperationAnswer {
    const { answer, call } = receivedAnswer;
    const { output } = this.#operation;
    if (!isXml(mediaType)) {
      if (!isSuccess(answer)) {
        throw createStatusFailure(answer, call.limits, call.context);
      }
      if (output === undefined) {
        return { value: undefined, soapHeaders: noSoapHeaders };
      }
      throw createProtocolFailure(`The answer is "${mediaType.name}", not XML.`, answer, {
        ...call,
        problem: "mediaType",
      });
    }
    let text = "";
    const { decoder } = this.#codec;
    decoder.beginAnswer();
    try {
      text = decodeXml(body, mediaType.parameters.get("charset"), "platform");
      return this.#readEnvelopeOrFault(text, receivedAnswer);
    } catch (error) {
      throw readFailure(error, receivedAnswer, { text, decoder });
    }
  }

  /** Reads an answer. A header block that cannot be read does not hide a fault: its cause is then the block's error. */
  #readEnvelopeOrFault(text: string, receivedAnswer: ReceivedAnswer): OperationAnswer {
    try {
      return this.#readEnvelope(text, receivedAnswer);
    } catch (error) {
      if (this.#blocks !== undefined && error instanceof DecodeError) {
        return this.#readEnvelope(text, receivedAnswer, error);
      }
      throw error;
    }
  }

  /**
   * Reads an answer. If `headerError` is given, reads no header blocks, and throws `headerError` unless the answer is a
   * fault.
   */
  #readEnvelope(text: string, { answer, call }: ReceivedAnswer, headerError?: DecodeError): OperationAnswer {
    const { limits } = call;
    const blocks = headerError === undefined ? this.#blocks : undefined;
    const { decoder } = this.#codec;
    const encoding = findSoapEncoding(this.#operation.output?.body)?.bodyRules(text, {
      limits,
      prefixes: impliedPrefixes,
    });
    const envelope = readEnvelope(text, {
      limits,
      prefixes: impliedPrefixes,
      readHeader: blocks && ((name, reader) => blocks.read(name, reader, decoder)),
    });
    if (envelope.firstChild !== undefined && isFault(envelope.reader)) {
      const { status } = answer;
      const fault = readSoapFault(envelope.reader, this.#operation.faults ?? [], {
        codec: this.#codec,
        context: call.context,
        status,
        encoding,
        soapHeaders: blocks?.values(envelope.headers) ?? noSoapHeaders,
        cause: headerError,
      });
      if (!(fault.cause instanceof XmlError)) {
        envelope.finish();
      }
      throw fault;
    }
    if (headerError !== undefined) {
      throw headerError;
    }
    if (!isSuccess(answer)) {
      throw createStatusFailure(answer, call.limits, call.context);
    }
    const { output } = this.#operation;
    const value = output === undefined ? undefined : readBody(output, envelope, { codec: this.#codec, encoding });
    envelope.finish();
    return { value, soapHeaders: blocks?.values(envelope.headers) ?? noSoapHeaders };
  }
}

/**
 * Returns the error for an answer that cannot be read. For an answer whose status is not 2xx, the error reports the
 * status, and the body is ignored.
 */
function readFailure(
  error: unknown,
  { answer, call }: ReceivedAnswer,
  document: { readonly text: string; readonly decoder: AnswerDecoder },
): unknown {
  if (isSuccess(answer)) {
    const isEnvelope = error instanceof EnvelopeError;
    const mismatch = isEnvelope ? new DecodeError(error.message, { path: "/Envelope", cause: error }) : error;
    return createDocumentFailure(mismatch, answer, call, document);
  }
  if (!(error instanceof EnvelopeError || error instanceof XmlError || error instanceof DecodeError)) {
    return error;
  }
  const failure = createStatusFailure(answer, call.limits, call.context);
  return error instanceof XmlError ? withFacts(failure, { exceededLimit: error.limit?.name }) : failure;
}

/** Reads the body of an answer that is not a fault, starting at the body's first child. */
function readBody(
  output: OutputDescriptor<unknown>,
  envelope: Envelope,
  { codec, encoding }: { readonly codec: OperationDecoder; readonly encoding: EncodingRules | undefined },
): unknown {
  const body: AnyBodyDescriptor = output.body;
  if ("parts" in body) {
    return getOperationResult(
      output,
      getImportedFeature(body.by).read(body.parts, envelope, {
        codec,
        path: bodyPath,
        createUnexpectedError: createUnexpectedElementError,
      }),
    );
  }
  const expectedName = codec.names.element(body.element);
  const { firstChild, reader } = envelope;
  // WSDL 1.1 §3.5: the name of an rpc answer's wrapper is not significant, so any name is accepted.
  const isAccepted =
    firstChild === expectedName ||
    (firstChild !== undefined &&
      (body.rpc === true ||
        (reader.localName === splitClark(expectedName).localName && codec.decoder.accepts("namespaces", reader))));
  if (!isAccepted) {
    throw createUnexpectedElementError(firstChild, expectedName);
  }
  const { nillable, default: byDefault, fixed, identity } = body;
  const value = codec.decoder.decode(reader, body.type, {
    nillable,
    default: byDefault,
    fixed,
    identity,
    path: bodyPath,
    encoding,
  });
  for (let name = envelope.nextChild(); name !== undefined; name = envelope.nextChild()) {
    if (name === envelope.firstChild) {
      throw createRepeatedElementError(name);
    }
    reader.skip();
  }
  return getOperationResult(output, value);
}

function createRepeatedElementError(name: string): DecodeError {
  const elementPath = `${bodyPath}/${splitClark(name).localName}`;
  return new DecodeError(`${elementPath}: The element may occur only once.`, { path: elementPath });
}

/**
 * Reads the fault in the current element. Returns an error of the class that the operation declares for the fault's
 * detail.
 */
function readSoapFault(
  reader: XmlReader,
  faults: readonly FaultDescriptor[],
  call: {
    readonly codec: OperationDecoder;
    readonly context: CallDescription;
    readonly status: number;
    readonly encoding: EncodingRules | undefined;
    readonly soapHeaders?: Readonly<Record<string, unknown>>;
    readonly cause: DecodeError | undefined;
  },
): SoapFault {
  const { codec, context, status, encoding, soapHeaders, cause } = call;
  const [firstFault] = faults;
  const { detail, limitError, ...fault } = readFault<DeclaredDetail>(reader, {
    readDetail: (_, detailReader) =>
      firstFault && getImportedFeature(firstFault.by).read(faults, detailReader, { codec, encoding }),
  });
  const init = { ...context, ...fault, status, soapHeaders, cause: limitError ?? cause };
  if (limitError !== undefined) {
    return withFacts(new SoapFault(init), { exceededLimit: limitError.limit?.name });
  }
  const declaredDetail = detail.find(isDeclared);
  if (declaredDetail === undefined) {
    return new SoapFault({ ...init, detail: detail.length === 0 ? undefined : detail });
  }
  const FaultClass = declaredDetail.fault?.error() ?? SoapFault;
  // The cast is safe, because the descriptor guarantees that the class matches the decoded detail.
  return new FaultClass({ ...init, detail: declaredDetail.value as never });
}

function isDeclared(item: DeclaredDetail | AnyElement | string): item is DeclaredDetail {
  return typeof item === "object" && "fault" in item;
}
