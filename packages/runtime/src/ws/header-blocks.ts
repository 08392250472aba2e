import type { ClientRequest, Hooks } from "../client/hooks.js";
import { writeAnyElement } from "../codec/encoder.js";
import type { AnyElement } from "../descriptor.js";
import { ConfigError } from "../errors.js";
import { joinBytes } from "../http/bytes.js";
import { checkOptionsOf } from "../option-checks.js";
import { createChoice, functionType, type OptionTypes, stringType } from "../option-types.js";
import { type Addressing, addressingHeaders, createMessageId } from "../protocol/soap/addressing.js";
import { envelopeNamespace, type SoapVersion } from "../protocol/soap/envelope.js";

/** Hooks that add header blocks to the SOAP requests of a client: arbitrary blocks, and those of WS-Addressing. */

/** Options of `addressing`. If `to` or `action` is absent, its value is taken from the request. */
export interface AddressingOptions extends Pick<Addressing, "replyTo" | "version"> {
  readonly to?: string | undefined;
  /** The action for all operations, or a function that returns the action for an operation's name. */
  readonly action?: string | ((operation: string) => string) | undefined;
  /** Creates the id of a message. Default: a random `urn:uuid:`. */
  readonly messageId?: (() => string) | undefined;
}

const optionTypes: OptionTypes<AddressingOptions> = {
  to: stringType,
  action: {
    accepts: (value) => stringType.accepts(value) || functionType.accepts(value),
    description: "a string, or a function that returns the action of an operation",
  },
  messageId: functionType,
  replyTo: stringType,
  version: createChoice("2005/08", "2004/08"),
};

/** Hooks that add WS-Addressing 1.0 headers to every SOAP request (SOAP Binding §2). */
export function addressing(options: AddressingOptions = {}): Hooks {
  checkOptionsOf("addressing", options, optionTypes);
  const { messageId = createMessageId, replyTo, version } = options;
  return {
    addresses: true,
    before(request) {
      const message = readSoapRequest(request);
      const blocks = addressingHeaders(
        {
          action: getAction(request, options.action),
          to: options.to ?? request.url,
          messageId: messageId(),
          replyTo,
          version,
        },
        message.version,
      );
      return withHeaderBlocks(message, blocks);
    },
  };
}

/**
 * Returns the action of a request. This is the value of the option; without the option, the value of `SOAPAction` (SOAP
 * 1.1) or of `action` in the content type (SOAP 1.2).
 */
function getAction({ operation, headers }: ClientRequest, actionOption: AddressingOptions["action"]): string {
  if (actionOption !== undefined) {
    return typeof actionOption === "string" ? actionOption : actionOption(operation);
  }
  const header =
    findHeader(headers, "soapaction") ??
    /;\s*action=("(?:[^"\\]|\\.)*")/i.exec(findHeader(headers, "content-type") ?? "")?.[1];
  const action = header?.replace(/^"|"$/g, "").replace(/\\(.)/g, "$1") ?? "";
  if (action !== "") {
    return action;
  }
  throw new ConfigError(
    `The operation ${operation} has no action, which WS-Addressing needs. Set the option "action".`,
  );
}

function findHeader(headers: Readonly<Record<string, string>>, lowerCaseName: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === lowerCaseName)?.[1];
}

/** A request with a SOAP message, and the SOAP version. */
export interface SoapRequest {
  readonly request: ClientRequest;
  readonly version: SoapVersion;
}

/**
 * Finds the SOAP version of a request. Its message is the body, or the root part of a body with attachments. Throws
 * `ConfigError` for a request that is not SOAP.
 */
export function readSoapRequest(request: ClientRequest): SoapRequest {
  const version = (["soap11", "soap12"] as const).find(
    (candidate) => findContentStart(decodeBinary(request.body), candidate) !== undefined,
  );
  if (version === undefined) {
    throw new ConfigError(
      `The operation ${request.operation} is not called over SOAP, so its requests cannot have header blocks. Set the option "protocol" to soap11 or soap12, or remove the hooks.`,
    );
  }
  return { request, version };
}

/** Adds blocks to the header of the message, after the existing ones. */
export function withHeaderBlocks({ request, version }: SoapRequest, blocks: readonly AnyElement[]): ClientRequest {
  const text = decodeBinary(request.body);
  const contentStart = findContentStart(text, version) ?? 0;
  const blocksXml = blocks.map(writeAnyElement).join("");
  const headerEnd = text.startsWith(headerStart, contentStart) ? text.indexOf("</soap:Header>", contentStart) : -1;
  const insertedText = headerEnd < 0 ? `${headerStart}${blocksXml}</soap:Header>` : blocksXml;
  const offset = headerEnd < 0 ? contentStart : headerEnd;
  const { body } = request;
  if (typeof body === "string") {
    return { ...request, body: body.slice(0, offset) + insertedText + body.slice(offset) };
  }
  const bytes = [getBytes(body, 0, offset), new TextEncoder().encode(insertedText), getBytes(body, offset)];
  return { ...request, body: joinBytes(bytes) };
}

const headerStart = "<soap:Header>";

/**
 * Returns the offset of the envelope's content. The start tag of the envelope is written by the runtime, so it has no
 * attribute value that contains `>`.
 */
function findContentStart(text: string, version: SoapVersion): number | undefined {
  const tag = text.indexOf(`<soap:Envelope xmlns:soap="${envelopeNamespace[version]}"`);
  return tag < 0 ? undefined : text.indexOf(">", tag) + 1;
}

/**
 * Returns a body as text in which each character is one byte, so that an offset in the text is also an offset in the
 * bytes.
 */
function decodeBinary(body: ClientRequest["body"]): string {
  if (body === undefined || typeof body === "string") {
    return body ?? "";
  }
  let text = "";
  for (let offset = 0; offset < body.length; offset += 8192) {
    text += String.fromCharCode(...body.subarray(offset, offset + 8192));
  }
  return text;
}

function getBytes(body: Uint8Array | undefined, contentStart: number, end?: number): Uint8Array {
  return body?.subarray(contentStart, end) ?? new Uint8Array();
}
