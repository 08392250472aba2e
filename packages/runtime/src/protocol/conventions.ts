import type { SoapFaultInit } from "../errors.js";
import type { MediaType } from "../http/media-type.js";
import type { HeaderLine } from "../server/types.js";
import type { SoapVersion } from "./soap/envelope.js";
import type { FaultPieces } from "./soap/fault.js";

/** Why a request is not read as a call. */
export type Problem =
  | "tooLarge"
  | "otherOrigin"
  | "compressed"
  | "mediaType"
  | "charset"
  | "unknownAction"
  | "otherAction"
  | "noOperation"
  | "notXml"
  | "malformed"
  | "xmlLimit"
  | "version"
  | "noEnvelope"
  | "noBody"
  | "notUnderstood"
  | "elementInValue"
  | "markupInValue"
  | "replyElsewhere"
  | "unreadable"
  | "missingParameter"
  | "tooManyParameters";

/** A fault comes from the operation, or from what is before it: caches are told differently. */
export type Origin = "operation" | "dispatch";

/** The answer to a SOAP request that is not read as a call. */
export interface SoapRefusal {
  /** The version that the answer is in. */
  readonly version: SoapVersion;
  readonly status: number;
  /** Absent: the answer has no body. */
  readonly fault?: FaultPieces | undefined;
}

/** The answer to another request that is not read as a call. */
export interface HttpRefusal {
  readonly status: number;
  readonly text: string;
  /** A short page for people instead of a line of text. */
  readonly page?: true;
}

/** Why a request below a service's address is not a call of HTTP GET or POST, beside what `Problem` lists. */
export type PlaceProblem = "noLocation" | "otherCase" | "otherMethod" | "noPage" | "noSchema";

/** What the servers of one kind do in their own way, where the specifications leave a choice or are not followed. */
export interface ServerConventions {
  /** The version in which a request is read, and refused, until its envelope says its own. */
  soapVersion(head: {
    readonly mediaType: MediaType | undefined;
    readonly soapAction: string | undefined;
  }): SoapVersion;
  /** The answer to a SOAP request: `recognized` is the version until the envelope, `version` that of the envelope. */
  refuseSoap(
    problem: Problem,
    versions: { readonly recognized: SoapVersion; readonly version: SoapVersion | undefined },
  ): SoapRefusal;
  faultStatus(version: SoapVersion, code: SoapFaultInit["code"]): number;
  /** The answer to a request of HTTP GET or POST. */
  refuseHttp(
    problem: Problem | PlaceProblem,
    request: { readonly method: string; readonly parameter?: string | undefined },
  ): HttpRefusal;
  /** The status of a fault that a handler throws, over HTTP GET and POST. */
  httpFaultStatus(code: SoapFaultInit["code"]): number;
  /** A line of text as the body of an error. */
  errorLine(text: string): string;
  /** Reasons of faults that follow a call. */
  readonly reasons: {
    /** The handler failed. */
    readonly failed: string;
    readonly timedOut: string;
    readonly forbidden: string;
  };
  cacheControl(origin: Origin): HeaderLine;
  /** Text around a comment or a processing instruction inside a value is joined, or the message refused. */
  readonly markupInValues: "join" | "refuse";
  /** A message whose bytes are not of its encoding is refused, or each of them replaced. */
  readonly malformedBytes: "refuse" | "replace";
  /** Two parameters of one name are refused, or joined with commas. */
  readonly repeatedParameters: "refuse" | "join";
  /** Which header blocks must be understood: those for this receiver, or those for every actor and role. */
  readonly mustUnderstand: "own" | "all";
  /** `?schema` is answered by an error instead of the page for people. */
  readonly refusesSchemaQuery: boolean;
}

const soap11 = "soap11";
export const forbidden = "The call is not allowed.";
const noCaching: HeaderLine = ["Cache-Control", "private, max-age=0"];

/** Follows the specifications: SOAP 1.1 §6.2, SOAP 1.2 Part 2 §7.5.2, RFC 9110. The default. */
export const standardConventions: ServerConventions = {
  soapVersion: ({ mediaType }) => (mediaType?.name === "application/soap+xml" ? "soap12" : soap11),
  refuseSoap(problem, { recognized, version = recognized }) {
    switch (problem) {
      case "compressed":
      case "mediaType":
      case "charset":
        return { version, status: 415 };
      case "otherOrigin":
        return { version, status: 403, fault: clientFault(forbidden) };
      case "tooLarge":
        return { version, status: 413, fault: clientFault("The message is too large.") };
      case "version":
        return { version: soap11, status: 500, fault: { code: "VersionMismatch", reason: versionReason, detail: "" } };
      case "notUnderstood":
        return {
          version,
          status: 500,
          fault: { code: "MustUnderstand", reason: "A header block that must be understood is not understood." },
        };
      default:
        return { version, status: clientStatus[version], fault: clientFault(soapReasons[problem] ?? unreadable) };
    }
  },
  faultStatus: (version, code) => (code === "Client" ? clientStatus[version] : 500),
  refuseHttp(problem, { method, parameter }) {
    switch (problem) {
      case "noLocation":
      case "otherCase":
        return { status: 404, text: "The service has no operation here." };
      case "otherMethod":
        return { status: 405, text: "The operation is not called by this method.", page: true };
      case "noPage":
      case "noSchema":
        return { status: 404, text: "Not found.", page: true };
      case "otherOrigin":
        return { status: 403, text: forbidden };
      case "missingParameter":
        return { status: 400, text: `The parameter ${parameter} is missing.` };
      case "mediaType":
      case "compressed":
      case "charset":
        return { status: 415, text: "The media type of the request is not supported." };
      case "tooLarge":
        return { status: 413, text: "The request is too large." };
      case "tooManyParameters":
        return { status: method === "GET" ? 414 : 413, text: "The request has too many or too long parameters." };
      case "notXml":
      case "malformed":
        return { status: 400, text: "The document is not well-formed." };
      case "xmlLimit":
        return { status: 400, text: "The document passes a limit." };
      default:
        return { status: 400, text: "A parameter does not fit its type." };
    }
  },
  httpFaultStatus: (code) => (code === "Client" ? 400 : 500),
  errorLine: (text) => `${text}\n`,
  reasons: {
    failed: "The server cannot process the request.",
    timedOut: "The server did not process the request in time.",
    forbidden,
  },
  cacheControl: () => noCaching,
  markupInValues: "join",
  malformedBytes: "refuse",
  repeatedParameters: "refuse",
  mustUnderstand: "own",
  refusesSchemaQuery: false,
};

/** SOAP 1.1 §6.2 has one status for all faults; SOAP 1.2 Part 2 §7.5.2.2 has 400 for those of the sender. */
const clientStatus: Readonly<Record<SoapVersion, number>> = { soap11: 500, soap12: 400 };
const versionReason = "The envelope is not of a SOAP version that is served here.";
const unreadable = "The message does not fit the schema.";
const soapReasons: Readonly<Partial<Record<Problem, string>>> = {
  unknownAction: "The action is not known.",
  otherAction: "The action names another operation than the body does.",
  noOperation: "The body names no operation.",
  notXml: "The message is not well-formed.",
  malformed: "The message is not well-formed.",
  xmlLimit: "The message passes a limit.",
  noEnvelope: "The message has no soap:Envelope.",
  noBody: "The message has no soap:Body.",
};

/** A fault of the client with an empty detail. */
export function clientFault(reason: string): FaultPieces {
  return { code: "Client", reason, detail: "" };
}
