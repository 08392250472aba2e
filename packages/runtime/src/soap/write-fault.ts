import { escapeAttribute, escapeText, isNCName, splitClark } from "@bothends/xml";
import type { SoapFaultInit } from "../errors.js";
import { envelopeNamespace, type SoapVersion, versionOf } from "./version.js";

/** What a fault says, its detail already XML. */
export interface FaultPieces extends Pick<SoapFaultInit, "code" | "subcodes" | "actor" | "role"> {
  /** The code's own name in SOAP 1.1, `{namespace}local`; 1.2 knows only the standard ones and puts it below them. */
  readonly wireCode?: string | undefined;
  readonly reason: string;
  /** The children of the detail; "" is an empty detail, absent is none (header faults have none: SOAP 1.1 §4.4). */
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

/** Writes the `soap:Fault` element in the shape that every measured client reads. */
export function writeFault(version: SoapVersion, fault: FaultPieces): string {
  return version === "soap11" ? writeFault11(fault) : writeFault12(fault);
}

/** SOAP 1.1 §4.4: the children are in no namespace. */
function writeFault11({ code = "Server", wireCode, reason, actor, detail }: FaultPieces): string {
  const own = wireCode === undefined ? undefined : qname11(wireCode);
  const faultcode =
    own === undefined
      ? `<faultcode>soap:${code === "DataEncodingUnknown" ? "Client" : code}</faultcode>`
      : `<faultcode${own.binding}>${own.text}</faultcode>`;
  const faultactor = actor === undefined ? "" : `<faultactor>${legal(actor)}</faultactor>`;
  return `<soap:Fault>${faultcode}<faultstring>${legal(reason)}</faultstring>${faultactor}${wrapped("detail", detail)}</soap:Fault>`;
}

/** SOAP 1.2 part 1 §5.4. */
function writeFault12({ code = "Server", wireCode, subcodes = [], reason, actor, role, detail }: FaultPieces): string {
  const own = [...(wireCode === undefined || isStandard(wireCode) ? [] : [wireCode]), ...subcodes]
    .map(qname)
    .filter((name) => name !== undefined);
  const nested = own.reduceRight(
    (inner, name) => `<soap:Subcode><soap:Value${name.binding}>${name.text}</soap:Value>${inner}</soap:Subcode>`,
    "",
  );
  const node = actor === undefined ? "" : `<soap:Node>${legal(actor)}</soap:Node>`;
  const roleXml = role === undefined ? "" : `<soap:Role>${legal(role)}</soap:Role>`;
  return (
    `<soap:Fault><soap:Code><soap:Value>soap:${soap12Code[code]}</soap:Value>${nested}</soap:Code>` +
    `<soap:Reason><soap:Text xml:lang="en">${legal(reason)}</soap:Text></soap:Reason>` +
    `${node}${roleXml}${wrapped("soap:Detail", detail)}</soap:Fault>`
  );
}

function isStandard(name: string): boolean {
  return versionOf(splitClark(name).namespace) !== undefined;
}

function wrapped(name: string, content: string | undefined): string {
  if (content === undefined) return "";
  return content === "" ? `<${name} />` : `<${name}>${content}</${name}>`;
}

/** Of SOAP's own codes only the dotted ones say more than the code does (SOAP 1.1 §4.4.1). */
function qname11(name: string): { binding: string; text: string } | undefined {
  const { namespace, localName } = splitClark(name);
  if (versionOf(namespace) === undefined) return qname(name);
  return namespace === envelopeNamespace.soap11 && isNCName(localName) && localName.includes(".")
    ? { binding: "", text: `soap:${localName}` }
    : undefined;
}

/** A code of the fault's own as a QName with the binding it needs; one that is no name is left out. */
function qname(name: string): { binding: string; text: string } | undefined {
  const { namespace, localName } = splitClark(name);
  if (!isNCName(localName)) return undefined;
  if (namespace === "") return { binding: ' xmlns=""', text: localName };
  return { binding: ` xmlns:q="${escapeAttribute(namespace)}"`, text: `q:${localName}` };
}

/** A fault must always be sendable: what XML 1.0 §2.2 forbids becomes U+FFFD. */
function legal(text: string): string {
  return escapeText(text.replace(illegal, "\uFFFD"));
}

const illegal =
  /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\uD800-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** SOAP 1.2 part 1 appendix A: the header that tells a peer which versions are understood. */
export function upgradeHeader(served: readonly SoapVersion[]): string {
  const supported = served.map((version) => {
    const prefix = version === "soap11" ? "soap" : "soap12";
    return `<soap12:SupportedEnvelope qname="${prefix}:Envelope" xmlns:${prefix}="${envelopeNamespace[version]}" />`;
  });
  return `<soap12:Upgrade xmlns:soap12="${envelopeNamespace.soap12}">${supported.join("")}</soap12:Upgrade>`;
}
