import { type BodyPart, writeAttached } from "../../protocol/soap/attachments.js";
import { type SoapVersion, soapMediaType, writeEnvelope } from "../../protocol/soap/envelope.js";
import { type FaultPieces, upgradeHeader, writeFault } from "../../protocol/soap/fault.js";
import { plainAnswer } from "../router.js";
import type { HeaderLine, ServerAnswer } from "../types.js";

/** A fault is answered by the operation itself, or before it was reached: caches are told differently. */
export type Origin = "operation" | "dispatch";

const operationCaching: HeaderLine = ["Cache-Control", "private, max-age=0"];
const dispatchCaching: HeaderLine = ["Cache-Control", "private"];

export function caching(origin: Origin): HeaderLine {
  return origin === "operation" ? operationCaching : dispatchCaching;
}

const soapType: Readonly<Record<SoapVersion, HeaderLine>> = {
  soap11: ["Content-Type", `${soapMediaType.soap11}; charset=utf-8`],
  soap12: ["Content-Type", `${soapMediaType.soap12}; charset=utf-8`],
};
/** Keeps browsers from showing XML as a page and from running scripts in it. Chrome's XML viewer needs inline styles and data: images. */
const inert: readonly HeaderLine[] = [
  ["X-Content-Type-Options", "nosniff"],
  ["Content-Security-Policy", "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"],
];
const xmlType: HeaderLine = ["Content-Type", "text/xml; charset=utf-8"];
const textType: HeaderLine = ["Content-Type", "text/plain; charset=utf-8"];

/** A SOAP message that succeeded, with attachments or without. */
export function messageAnswer(version: SoapVersion, envelope: string, parts?: readonly BodyPart[]): ServerAnswer {
  if (parts === undefined) {
    return { status: 200, headers: [soapType[version], operationCaching, ...inert], body: envelope };
  }
  const { contentType, body } = writeAttached(envelope, soapType[version][1], parts);
  return { status: 200, headers: [["Content-Type", contentType], operationCaching, ...inert], body };
}

/** A fault: status 500 for every code, the one that all clients read (SOAP 1.1 §6.2). */
export function faultAnswer(
  version: SoapVersion,
  fault: FaultPieces & { readonly headers?: readonly string[] },
  origin: Origin = "dispatch",
): ServerAnswer {
  const envelope = writeEnvelope(version, { body: writeFault(version, fault), headers: fault.headers });
  return { status: 500, headers: [soapType[version], caching(origin), ...inert], body: envelope };
}

/** An envelope of a version that is not served; always answered as SOAP 1.1 (SOAP 1.2 part 1 appendix A). */
export function versionAnswer(reason: string, served: readonly SoapVersion[]): ServerAnswer {
  const fault = writeFault("soap11", { code: "VersionMismatch", reason, detail: "" });
  const envelope = writeEnvelope("soap11", { body: fault, headers: [upgradeHeader(served)] });
  return { status: 500, headers: [soapType.soap11, dispatchCaching, ...inert], body: envelope };
}

/** A message that cannot be read at all, or has the wrong media type: a status without a body. */
export function refusedAnswer(version: SoapVersion, status: 400 | 415): ServerAnswer {
  return { status, headers: [soapType[version], dispatchCaching], body: "" };
}

/** An error of HTTP GET and POST: a line of text. */
export function textAnswer(status: number, text: string, origin: Origin = "dispatch"): ServerAnswer {
  return { status, headers: [textType, caching(origin)], body: `${escapeHtml(text)}\n` };
}

/** An XML document that succeeded. */
export function xmlAnswer(document: string): ServerAnswer {
  return { status: 200, headers: [xmlType, operationCaching, ...inert], body: document };
}

/** A page for people. */
export function pageAnswer(status: number, text: string, headers: readonly HeaderLine[] = []): ServerAnswer {
  const page = plainAnswer(status, text);
  return { ...page, headers: [...page.headers, dispatchCaching, ...headers] };
}

/** As the recorded service escapes the text of its errors, though it is text/plain. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\u00a0-\u00ff]/g, (character) => named[character] ?? `&#${character.charCodeAt(0)};`);
}

const named: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
