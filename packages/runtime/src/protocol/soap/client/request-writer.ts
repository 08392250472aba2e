import { EncodeError } from "../../../answer-errors.js";
import { Encoder, writeAnyElement } from "../../../codec/encoder.js";
import type {
  AnyBodyDescriptor,
  AnyElement,
  AnyOperationDescriptor,
  SoapBindingDescriptor,
} from "../../../descriptor.js";
import { ConfigError } from "../../../errors.js";
import type { OperationCoding, PreparedRequest, WriteInputs } from "../../client.js";
import { type Encoding, findEncoding } from "../encoding.js";
import { type SoapVersion, writeEnvelope } from "../envelope.js";
import { type DeclaredBlocks, findDeclaredBlocks, getImportedFeature } from "./features.js";

interface WriterParts extends OperationCoding {
  readonly version: SoapVersion;
  readonly binding: SoapBindingDescriptor;
  /** The HTTP headers of requests. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Writes the requests of one operation in SOAP 1.1 and SOAP 1.2. Supports header blocks, attachments and SOAP encoding.
 */
export class SoapRequestWriter {
  readonly #operation: AnyOperationDescriptor;
  readonly #parts: WriterParts;
  readonly #encoder: Encoder;
  readonly #sentBlocks: DeclaredBlocks | undefined;

  constructor(operation: AnyOperationDescriptor, parts: WriterParts) {
    this.#operation = operation;
    this.#parts = parts;
    this.#encoder = parts.codecs.get(Encoder);
    const { body, headers } = operation.input;
    this.#sentBlocks = findDeclaredBlocks([headers], { body, names: parts.names, version: parts.version });
  }

  write(input: unknown, call: WriteInputs): PreparedRequest {
    const { version, binding, names, headers } = this.#parts;
    const { addressing } = binding;
    const { address, extraSoapHeaders = [], hasAddressing } = call;
    let extraBlocks = extraSoapHeaders;
    if (addressing?.required === true && !hasAddressing) {
      const action = names.action(addressing.action);
      extraBlocks = [...getImportedFeature(addressing.by).blocks({ action, to: address.url }, version), ...extraBlocks];
    }
    const { url } = address;
    const blocks = writeBlocks(extraBlocks);
    const { attachments } = this.#operation.input;
    if (attachments === undefined) {
      return { method: "POST", url, headers, body: this.#writeEnvelope(input, call, blocks) };
    }
    const { detach, write } = getImportedFeature(attachments.by);
    const { value, parts } = detach(input, attachments.parts);
    const envelope = this.#writeEnvelope(value, call, blocks);
    const { contentType, body } = write(envelope, headers["Content-Type"] ?? "", parts);
    return { method: "POST", url, headers: { ...headers, "Content-Type": contentType }, body };
  }

  #writeEnvelope(input: unknown, { soapHeaders }: WriteInputs, blocks: readonly string[]): string {
    const { version } = this.#parts;
    const { body } = this.#operation.input;
    const encoder = this.#encoder;
    const encoding = findEncoding(body, version);
    const [unknownHeader] = this.#sentBlocks === undefined ? Object.keys(soapHeaders ?? {}) : [];
    if (unknownHeader !== undefined) {
      throw new ConfigError(`The operation declares no header block "${unknownHeader}".`);
    }
    const sentBlocks = (soapHeaders && this.#sentBlocks?.write(soapHeaders, encoder)) ?? [];
    return writeEnvelope(version, {
      body: writeBody(body, input, { encoder, encoding }),
      headers: [...sentBlocks, ...blocks],
    });
  }
}

/** Writes the header blocks in the option `extraSoapHeaders`. No schema declares these blocks. */
function writeBlocks(blocks: readonly AnyElement[]): readonly string[] {
  try {
    return blocks.map(writeAnyElement);
  } catch (cause) {
    throw new EncodeError(
      'A block of the option "extraSoapHeaders" cannot be written as XML: a name or a text is not valid XML.',
      { path: "/Envelope/Header", cause },
    );
  }
}

/** Writes the body of a request. */
function writeBody(
  body: AnyBodyDescriptor,
  input: unknown,
  { encoder, encoding }: { readonly encoder: Encoder; readonly encoding: Encoding | undefined },
): string {
  if ("parts" in body) {
    return getImportedFeature(body.by).write(body.parts, input, encoder);
  }
  const { nillable, default: byDefault, fixed } = body;
  return encoder.encode(body.element, body.type, input === undefined ? createEmptyInput(body) : input, {
    nillable,
    default: byDefault,
    fixed,
    ...encoding,
  });
}

/**
 * Returns the input to write if an operation is called without one: an empty record, or undefined if the input is not a
 * record.
 */
function createEmptyInput({ type }: Extract<AnyBodyDescriptor, { readonly element: string }>): unknown {
  return typeof type === "function" && "fields" in type() ? {} : undefined;
}
