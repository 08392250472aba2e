import type { XmlReader } from "@bothends/xml";
import { clark } from "@bothends/xml/clark-names";
import { XmlError } from "@bothends/xml/error";
import { escapeAttribute, escapeText } from "@bothends/xml/escape";
import { isNCName } from "@bothends/xml/name-characters";
import { END, START, TEXT } from "@bothends/xml/reader-events";
import { splitClark } from "@bothends/xml/split-clark";
import type { SoapFaultInit } from "../../answer-errors.js";
import { readAnyElement } from "../../codec/kinds/any-element.js";
import type { AnyElement } from "../../descriptor.js";
import { envelopeNamespace, findVersion, type SoapVersion } from "./envelope.js";

/** A fault as received. */
export interface ReadFault<Detail = unknown> {
  readonly code: SoapFaultInit["code"];
  /**
   * The code of the fault as `{namespace}local`. If the prefix of the received code is not declared, `wireCode` is the
   * unchanged text.
   */
  readonly wireCode: string | undefined;
  readonly subcodes: readonly string[];
  /** The reason in English, or the first reason if none is in English. */
  readonly reason: string;
  /** All reasons, in the order of the message. */
  readonly reasons: readonly { readonly language: string | undefined; readonly text: string }[];
  readonly actor: string | undefined;
  readonly role: string | undefined;
  /** The children of the detail: the values that `readDetail` returns, or else untyped elements and strings. */
  readonly detail: readonly (Detail | AnyElement | string)[];
  /** The error for a limit that the fault exceeds. The reader is then inside the fault, and the rest is not read. */
  readonly limitError: XmlError | undefined;
}

/** Options for reading a fault. */
export interface ReadFaultOptions<Detail> {
  /**
   * Reads a child of the detail up to its end tag. For an unknown child, returns undefined and does not move the
   * reader.
   */
  readonly readDetail?: ((name: string, reader: XmlReader) => Detail | undefined) | undefined;
}

/**
 * Reads the current element as a `soap:Fault` of either version. Accepts the mistakes of some servers: a fault of the
 * other SOAP version, `detail` without a namespace in SOAP 1.2, or the children of a SOAP 1.1 fault in the namespace of
 * the envelope.
 */
export function readFault<Detail = never>(
  reader: XmlReader,
  options: ReadFaultOptions<Detail> = {},
): ReadFault<Detail> {
  const faultParts = new FaultParts<Detail>();
  let limitError: XmlError | undefined;
  try {
    forEachChild(reader, () => readPart(reader, faultParts, options));
  } catch (error) {
    // The code and the reason precede the detail, which can be large.
    if (!(error instanceof XmlError && error.limit !== undefined) || faultParts.codes.length === 0) {
      throw error;
    }
    limitError = error;
  }
  const englishReason = faultParts.reasons.find(({ language }) => /^en(-|$)/i.test(language ?? ""));
  return {
    code: faultParts.codes[0] === undefined ? undefined : findStandardCode(faultParts.codes[0]),
    wireCode: faultParts.codes[0],
    subcodes: faultParts.codes.slice(1),
    reason: (englishReason ?? faultParts.reasons[0])?.text ?? "",
    reasons: faultParts.reasons,
    actor: faultParts.actor,
    role: faultParts.role,
    detail: faultParts.detail,
    limitError,
  };
}

class FaultParts<Detail> {
  readonly codes: string[] = [];
  readonly reasons: { language: string | undefined; text: string }[] = [];
  actor: string | undefined;
  role: string | undefined;
  detail: (Detail | AnyElement | string)[] = [];
}

function readPart<Detail>(reader: XmlReader, parts: FaultParts<Detail>, options: ReadFaultOptions<Detail>): void {
  const isSoapElement = reader.namespace === "" || findVersion(reader.namespace) !== undefined;
  switch (isSoapElement ? reader.localName : "") {
    case "faultcode":
      parts.codes.push(readCode(reader));
      break;
    case "faultstring":
      parts.reasons.push(readReason(reader));
      break;
    case "faultactor":
    case "Node":
      parts.actor = readAllText(reader).trim();
      break;
    case "Role":
      parts.role = readAllText(reader).trim();
      break;
    case "Code":
      readCodes(reader, parts.codes);
      break;
    case "Reason":
      forEachChild(reader, () => parts.reasons.push(readReason(reader)));
      break;
    case "detail":
    case "Detail":
      parts.detail = readDetail(reader, options);
      break;
    default:
      reader.skip();
  }
}

/** Reads the values of `Code` and of its nested `Subcode` elements, outermost first. */
function readCodes(reader: XmlReader, codes: string[]): void {
  for (let depth = 1; depth > 0; ) {
    const event = reader.next();
    if (event === END) {
      depth--;
    } else if (event === START && reader.localName === "Subcode") {
      depth++;
    } else if (event === START && reader.localName === "Value") {
      codes.push(readCode(reader));
    } else if (event === START) {
      reader.skip();
    }
  }
}

/**
 * Reads a code, which is a QName (SOAP 1.1 §4.4, 1.2 §5.4.1). A name without a prefix belongs to the default namespace.
 */
function readCode(reader: XmlReader): string {
  const text = readAllText(reader).trim();
  const colon = text.indexOf(":");
  const namespace = reader.resolve(text.slice(0, Math.max(colon, 0))) ?? (colon < 0 ? "" : undefined);
  return namespace === undefined ? text : clark(namespace, text.slice(colon + 1));
}

function readReason(reader: XmlReader): { language: string | undefined; text: string } {
  const language = reader.attribute("http://www.w3.org/XML/1998/namespace", "lang");
  return { language, text: readAllText(reader) };
}

function readDetail<Detail>(
  reader: XmlReader,
  { readDetail }: ReadFaultOptions<Detail>,
): (Detail | AnyElement | string)[] {
  const detail: (Detail | AnyElement | string)[] = [];
  for (;;) {
    const event = reader.next();
    if (event === START) {
      const value = readDetail?.(clark(reader.namespace, reader.localName), reader);
      detail.push(value ?? readAnyElement(reader));
    } else if (event === TEXT) {
      if (reader.text.trim() !== "") {
        detail.push(reader.text);
      }
    } else {
      return detail;
    }
  }
}

/** Reads all text of an element and its descendants. */
function readAllText(reader: XmlReader): string {
  let text = "";
  for (let depth = 1; depth > 0; ) {
    const event = reader.next();
    if (event === TEXT) {
      text += reader.text;
    } else {
      depth += event === START ? 1 : -1;
    }
  }
  return text;
}

function forEachChild(reader: XmlReader, readChild: () => void): void {
  for (;;) {
    const event = reader.next();
    if (event === START) {
      readChild();
    } else if (event === END) {
      return;
    }
  }
}

/**
 * Returns the standard code for the name of a code. The name of a dotted code (`Client.NotFound`, SOAP 1.1 §4.4.1)
 * begins with the standard code. Standard names without a namespace are accepted, because some servers omit the
 * namespace.
 */
function findStandardCode(name: string): SoapFaultInit["code"] {
  const match = /^(?:\{([^}]*)\})?([A-Za-z]+)(?:\..*)?$/.exec(name.includes("{") ? name : name.replace(/^[^:]*:/, ""));
  const namespace = match?.[1] ?? "";
  if (match === null || (namespace !== "" && findVersion(namespace) === undefined)) {
    return undefined;
  }
  return codes.get(match[2] ?? "");
}

const codes: ReadonlyMap<string, SoapFaultInit["code"]> = new Map([
  ["Client", "Client"],
  ["Sender", "Client"],
  ["Server", "Server"],
  ["Receiver", "Server"],
  ["VersionMismatch", "VersionMismatch"],
  ["MustUnderstand", "MustUnderstand"],
  ["DataEncodingUnknown", "DataEncodingUnknown"],
]);

/** The parts of a fault to write; the detail is XML. */
export interface FaultPieces extends Pick<SoapFaultInit, "code" | "subcodes" | "actor" | "role"> {
  /**
   * The code in SOAP 1.1, as `{namespace}local`. In SOAP 1.2, the code is sent as a subcode, because only the standard
   * codes are allowed as codes.
   */
  readonly wireCode?: string | undefined;
  readonly reason: string;
  /**
   * The children of the detail as XML. The empty string writes an empty detail; undefined writes no detail, as a header
   * fault requires (SOAP 1.1 §4.4).
   */
  readonly detail?: string | undefined;
}

type Code = NonNullable<SoapFaultInit["code"]>;

const soap12Code: Readonly<Record<Code, string>> = {
  Client: "Sender",
  Server: "Receiver",
  VersionMismatch: "VersionMismatch",
  MustUnderstand: "MustUnderstand",
  DataEncodingUnknown: "DataEncodingUnknown",
};

/** Writes a `soap:Fault` element in such a way that all tested clients can read it. */
export function writeFault(version: SoapVersion, fault: FaultPieces): string {
  return version === "soap11" ? writeFault11(fault) : writeFault12(fault);
}

/** Writes a fault of SOAP 1.1, whose children have no namespace (SOAP 1.1 §4.4). */
function writeFault11({ code = "Server", wireCode, reason, actor, detail }: FaultPieces): string {
  const customCode = wireCode === undefined ? undefined : findSoap11CodeQname(wireCode);
  const faultcode =
    customCode === undefined
      ? `<faultcode>soap:${code === "DataEncodingUnknown" ? "Client" : code}</faultcode>`
      : `<faultcode${customCode.binding}>${customCode.text}</faultcode>`;
  const faultactor = actor === undefined ? "" : `<faultactor>${replaceIllegalCharacters(actor)}</faultactor>`;
  return `<soap:Fault>${faultcode}<faultstring>${replaceIllegalCharacters(reason)}</faultstring>${faultactor}${wrapContent("detail", detail)}</soap:Fault>`;
}

/** Writes a fault of SOAP 1.2 (SOAP 1.2 Part 1 §5.4). */
function writeFault12({ code = "Server", wireCode, subcodes = [], reason, actor, role, detail }: FaultPieces): string {
  const subcodeNames = [...(wireCode === undefined || isStandard(wireCode) ? [] : [wireCode]), ...subcodes]
    .map(formatQname)
    .filter((name) => name !== undefined);
  const subcodesXml = subcodeNames.reduceRight(
    (innerXml, name) => `<soap:Subcode><soap:Value${name.binding}>${name.text}</soap:Value>${innerXml}</soap:Subcode>`,
    "",
  );
  const nodeXml = actor === undefined ? "" : `<soap:Node>${replaceIllegalCharacters(actor)}</soap:Node>`;
  const roleXml = role === undefined ? "" : `<soap:Role>${replaceIllegalCharacters(role)}</soap:Role>`;
  return (
    `<soap:Fault><soap:Code><soap:Value>soap:${soap12Code[code]}</soap:Value>${subcodesXml}</soap:Code>` +
    `<soap:Reason><soap:Text xml:lang="en">${replaceIllegalCharacters(reason)}</soap:Text></soap:Reason>` +
    `${nodeXml}${roleXml}${wrapContent("soap:Detail", detail)}</soap:Fault>`
  );
}

function isStandard(name: string): boolean {
  return findVersion(splitClark(name).namespace) !== undefined;
}

function wrapContent(name: string, content: string | undefined): string {
  if (content === undefined) {
    return "";
  }
  return content === "" ? `<${name} />` : `<${name}>${content}</${name}>`;
}

/**
 * Returns a code as a QName for SOAP 1.1. Returns undefined for a standard code; a dotted code counts as nonstandard
 * (SOAP 1.1 §4.4.1).
 */
function findSoap11CodeQname(name: string): { binding: string; text: string } | undefined {
  const { namespace, localName } = splitClark(name);
  if (findVersion(namespace) === undefined) {
    return formatQname(name);
  }
  return namespace === envelopeNamespace.soap11 && isNCName(localName) && localName.includes(".")
    ? { binding: "", text: `soap:${localName}` }
    : undefined;
}

/**
 * Returns a code as a QName, and the namespace declaration that the QName needs. Returns undefined for a code that is
 * not a valid name.
 */
function formatQname(name: string): { binding: string; text: string } | undefined {
  const { namespace, localName } = splitClark(name);
  if (!isNCName(localName)) {
    return undefined;
  }
  if (namespace === "") {
    return { binding: ' xmlns=""', text: localName };
  }
  return { binding: ` xmlns:q="${escapeAttribute(namespace)}"`, text: `q:${localName}` };
}

/** Replaces the characters that XML does not allow (XML 1.0 §2.2) with U+FFFD, so that every fault can be sent. */
function replaceIllegalCharacters(text: string): string {
  return escapeText(text.replace(illegalCharacters, "\uFFFD"));
}

const illegalCharacters =
  /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\uD800-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Writes the header block that lists the supported versions of SOAP (SOAP 1.2 Part 1 appendix A). */
export function writeUpgradeHeader(servedVersions: readonly SoapVersion[]): string {
  const supportedEnvelopes = servedVersions.map((version) => {
    const prefix = version === "soap11" ? "soap" : "soap12";
    return `<soap12:SupportedEnvelope qname="${prefix}:Envelope" xmlns:${prefix}="${envelopeNamespace[version]}" />`;
  });
  return `<soap12:Upgrade xmlns:soap12="${envelopeNamespace.soap12}">${supportedEnvelopes.join("")}</soap12:Upgrade>`;
}
