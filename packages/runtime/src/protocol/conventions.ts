import type { SoapFaultInit } from "../answer-errors.js";
import type { HeaderLine } from "../http/headers.js";
import type { MediaType } from "../http/media-type.js";
import type { SoapVersion } from "./soap/envelope.js";
import type { FaultPieces } from "./soap/fault.js";

/** The reasons why a request can be refused before its operation is called. */
export type Problem =
  | "tooLarge"
  | "otherOrigin"
  | "compressed"
  | "mediaType"
  | "charset"
  | "declaration"
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

/**
 * The step in which a fault occurred: during dispatch or in the operation. The answer's caching headers depend on the
 * step.
 */
export type FaultStage = "operation" | "dispatch";

/** The answer to a refused SOAP request. */
export interface SoapRefusal {
  /** The SOAP version of the answer. */
  readonly version: SoapVersion;
  readonly status: number;
  /** The fault in the body of the answer. Without a fault, the answer has no body. */
  readonly fault?: FaultPieces | undefined;
}

/** The answer to a refused HTTP GET or POST request. */
export interface HttpRefusal {
  readonly status: number;
  readonly text: string;
  /** True if the body is a short HTML page. Otherwise, it is a line of text. */
  readonly page?: true;
}

/** The reasons for refusing a request because of its path, method or query. */
export type TargetProblem = "noLocation" | "otherCase" | "otherMethod" | "noPage" | "noSchema";

/**
 * The behavior of a server where the specifications leave a choice, or where the server deviates from the
 * specifications.
 */
export interface ServerConventions {
  /** Returns the SOAP version with which a request is read or refused until the version of its envelope is known. */
  guessSoapVersion(head: {
    readonly mediaType: MediaType | undefined;
    readonly soapAction: string | undefined;
  }): SoapVersion;
  /**
   * Returns the answer to a refused SOAP request. `recognized` is the result of `guessSoapVersion`; `version` is the
   * version of the envelope.
   */
  refuseSoap(
    problem: Problem,
    versions: { readonly recognized: SoapVersion; readonly version: SoapVersion | undefined },
  ): SoapRefusal;
  getFaultStatus(version: SoapVersion, code: SoapFaultInit["code"]): number;
  /** Returns the answer to a refused HTTP GET or POST request. */
  refuseHttp(
    problem: Problem | TargetProblem,
    request: { readonly method: string; readonly parameter?: string | undefined },
  ): HttpRefusal;
  /** Returns the HTTP status of the answer to an HTTP GET or POST call whose handler threw a fault. */
  getHttpFaultStatus(code: SoapFaultInit["code"]): number;
  /** Formats a line of text as the body of an error answer. */
  formatErrorLine(text: string): string;
  /** The reasons in the faults that report a failed, late or forbidden call. */
  readonly reasons: {
    /** The reason in the fault if a handler failed. */
    readonly failed: string;
    readonly timedOut: string;
    readonly forbidden: string;
  };
  cacheControl(stage: FaultStage): HeaderLine;
  /** Whether to join the text around a comment or processing instruction in a value, or to refuse the message. */
  readonly markupInValues: "join" | "refuse";
  /** Whether to refuse a message with bytes that its encoding does not allow, or to replace these bytes. */
  readonly malformedBytes: "refuse" | "replace";
  /** Whether to refuse parameters with the same name, or to join their values with commas. */
  readonly repeatedParameters: "refuse" | "join";
  /**
   * Whether to refuse or accept HTTP GET and POST parameters that contain characters that XML does not allow (XML 1.0
   * §2.2), such as U+0000.
   */
  readonly illegalParameters: "refuse" | "accept";
  /**
   * Whether `mustUnderstand` applies only to header blocks for this receiver, or to header blocks for every actor and
   * role.
   */
  readonly mustUnderstand: "receiver" | "all";
  /** Whether to answer `?schema` with an error instead of the service page. */
  readonly refusesSchemaQuery: boolean;
}

const soap11 = "soap11";
/** The error text for calls that are not allowed. */
const forbiddenText = "The call is not allowed.";
/** The header of answers that caches must not reuse. */
const noCaching: HeaderLine = ["Cache-Control", "private, max-age=0"];

/**
 * Returns the refusal for a problem in the headers of a request. All conventions share this refusal. Returns undefined
 * for problems of other kinds.
 */
function refuseHead(problem: Problem, version: SoapVersion): SoapRefusal | undefined {
  switch (problem) {
    case "compressed":
    case "mediaType":
    case "charset":
    case "declaration":
      return { version, status: 415 };
    case "otherOrigin":
      return { version, status: 403, fault: createClientFault(forbiddenText) };
    default:
      return undefined;
  }
}

/** The default conventions, which follow the specifications: SOAP 1.1 §6.2, SOAP 1.2 Part 2 §7.5.2, RFC 9110. */
export const standardConventions: ServerConventions = {
  guessSoapVersion: ({ mediaType }) => (mediaType?.name === "application/soap+xml" ? "soap12" : soap11),
  refuseSoap(problem, { recognized, version = recognized }) {
    switch (problem) {
      case "tooLarge":
        return { version, status: 413, fault: createClientFault("The message is too large.") };
      case "version":
        return { version: soap11, status: 500, fault: { code: "VersionMismatch", reason: versionReason, detail: "" } };
      case "notUnderstood":
        return {
          version,
          status: 500,
          fault: {
            code: "MustUnderstand",
            reason: "The server does not understand a header block with mustUnderstand.",
          },
        };
      default: {
        const fault = createClientFault(soapReasons[problem] ?? unreadableReason);
        return { version, status: clientStatus[version], fault, ...refuseHead(problem, version) };
      }
    }
  },
  getFaultStatus: (version, code) => (code === "Client" ? clientStatus[version] : 500),
  refuseHttp(problem, { method, parameter }) {
    switch (problem) {
      case "noLocation":
      case "otherCase":
        return { status: 404, text: "The service has no operation at this address." };
      case "otherMethod":
        return { status: 405, text: "The operation cannot be called with this method.", page: true };
      case "noPage":
      case "noSchema":
        return { status: 404, text: "Not found.", page: true };
      case "otherOrigin":
        return { status: 403, text: forbiddenText };
      case "missingParameter":
        return { status: 400, text: `The parameter ${parameter} is missing.` };
      case "mediaType":
        return {
          status: 415,
          text: "The media type of the request is not supported. Send application/x-www-form-urlencoded.",
        };
      case "compressed":
      case "charset":
      case "declaration":
        return { status: 415, text: "The media type of the request is not supported." };
      case "tooLarge":
        return { status: 413, text: "The request is too large." };
      case "tooManyParameters":
        return {
          status: method === "GET" ? 414 : 413,
          text: "The request has too many parameters, or a parameter is too long.",
        };
      case "notXml":
      case "malformed":
        return { status: 400, text: "The document is not well-formed." };
      case "xmlLimit":
        return { status: 400, text: "The document exceeds a limit." };
      default:
        return { status: 400, text: "A parameter does not fit its type." };
    }
  },
  getHttpFaultStatus: (code) => (code === "Client" ? 400 : 500),
  formatErrorLine: (text) => `${text}\n`,
  reasons: {
    failed: "The server cannot process the request.",
    timedOut: "The server did not process the request in time.",
    forbidden: forbiddenText,
  },
  cacheControl: () => noCaching,
  markupInValues: "join",
  malformedBytes: "refuse",
  repeatedParameters: "refuse",
  illegalParameters: "refuse",
  mustUnderstand: "receiver",
  refusesSchemaQuery: false,
};

/** SOAP 1.1 §6.2 defines one status for all faults; SOAP 1.2 Part 2 §7.5.2.2 defines status 400 for sender faults. */
const clientStatus: Readonly<Record<SoapVersion, number>> = { soap11: 500, soap12: 400 };
const versionReason = "The service does not support the SOAP version of the envelope.";
const unreadableReason = "The message does not fit the schema.";
const soapReasons: Readonly<Partial<Record<Problem, string>>> = {
  mediaType: "The server reads SOAP 1.1 with the Content-Type text/xml, and SOAP 1.2 with application/soap+xml.",
  charset: "The server does not read this charset. Send utf-8.",
  declaration: "The server does not read the encoding in the XML declaration. Send utf-8.",
  compressed: "The server does not read this Content-Encoding.",
  unknownAction: "The action is unknown.",
  otherAction: "The action and the body name different operations.",
  noOperation: "The body does not name an operation.",
  notXml: "The message is not well-formed.",
  malformed: "The message is not well-formed.",
  xmlLimit: "The message exceeds a limit.",
  noEnvelope: "The message has no soap:Envelope.",
  noBody: "The message has no soap:Body.",
};

/** Returns a fault with the code Client and an empty detail. */
function createClientFault(reason: string): FaultPieces {
  return { code: "Client", reason, detail: "" };
}

const dispatchCaching: HeaderLine = ["Cache-Control", "private"];

/**
 * Answers like an ASMX service whose answers were recorded: with the same error texts, status 500 for every fault and
 * for unreadable parameters, and status 400 without a body for unreadable messages.
 */
export const asmxConventions: ServerConventions = {
  guessSoapVersion: ({ mediaType, soapAction }) =>
    soapAction === undefined || mediaType?.name === "application/soap+xml" ? "soap12" : "soap11",
  refuseSoap(problem, { recognized, version = recognized }) {
    switch (problem) {
      case "malformed":
      case "xmlLimit":
      case "elementInValue":
      case "markupInValue":
        return { version, status: 400 };
      case "notXml":
      case "declaration":
        return recognized === "soap11"
          ? { version: "soap11", status: 400 }
          : { version: "soap12", status: 500, fault: createServerFault(texts.notXml) };
      case "tooLarge":
        return { version: recognized, status: 500, fault: createServerFault(texts.tooLarge) };
      case "unknownAction":
        return { version: "soap11", status: 500, fault: createClientFault(texts.unknownAction) };
      case "version":
        return {
          version: "soap11",
          status: 500,
          fault: { code: "VersionMismatch", reason: texts.version, detail: "" },
        };
      case "noEnvelope":
      case "noBody":
        return {
          version,
          status: 500,
          fault: { code: recognized === "soap11" ? "Client" : "Server", reason: texts[problem], detail: "" },
        };
      case "notUnderstood":
        return { version, status: 500, fault: { code: "MustUnderstand", reason: texts.notUnderstood } };
      case "otherAction":
      case "noOperation":
        return { version, status: 500, fault: createClientFault(texts[problem]) };
      default:
        return refuseHead(problem, version) ?? { version, status: 500, fault: createClientFault(texts.unreadable) };
    }
  },
  getFaultStatus: () => 500,
  refuseHttp(problem, { method, parameter }) {
    if (problem === "missingParameter") {
      return { status: 500, text: `Missing parameter: ${parameter}.` };
    }
    if (problem === "tooManyParameters") {
      return {
        status: method === "GET" ? 414 : 500,
        text: "The request has too many parameters, or a parameter is too long.",
      };
    }
    return httpRefusals[problem] ?? { status: 500, text: "Cannot convert a parameter to its type." };
  },
  getHttpFaultStatus: () => 500,
  formatErrorLine: (text) => `${escapeHtml(text)}\n`,
  reasons: {
    failed: "Server was unable to process request.",
    timedOut: "Server was unable to process request in time.",
    forbidden: forbiddenText,
  },
  cacheControl: (stage) => (stage === "operation" ? noCaching : dispatchCaching),
  markupInValues: "refuse",
  malformedBytes: "replace",
  repeatedParameters: "join",
  illegalParameters: "accept",
  mustUnderstand: "all",
  refusesSchemaQuery: true,
};

const texts = {
  unreadable: "Server was unable to read request.",
  notXml: "Server was unable to process request. The message is not an XML document.",
  noEnvelope: "Request format is invalid: Missing required soap:Envelope element.",
  noBody: "Request format is invalid: Missing required soap:Body element.",
  version: "Possible SOAP version mismatch: The envelope namespace was unexpected.",
  notUnderstood: "A SOAP header with mustUnderstand was not understood.",
  unknownAction: "Server did not recognize the value of HTTP Header SOAPAction.",
  noOperation: "Unable to handle request without a valid action parameter. Please supply a valid soap action.",
  otherAction: "The action and the body name different operations.",
  tooLarge: "Maximum request length exceeded.",
} as const;

const badFormatRefusal: HttpRefusal = { status: 500, text: "Request format is invalid." };
const unrecognizedRefusal: HttpRefusal = {
  status: 500,
  text: "Request format is unrecognized for this URL.",
  page: true,
};

const httpRefusals: Readonly<Partial<Record<Problem | TargetProblem, HttpRefusal>>> = {
  otherOrigin: { status: 403, text: forbiddenText },
  noLocation: { status: 500, text: "Web Service method name is not valid." },
  otherCase: { status: 500, text: "Invalid method name: method names are case sensitive." },
  otherMethod: unrecognizedRefusal,
  noPage: unrecognizedRefusal,
  noSchema: { status: 500, text: "Schema not found." },
  tooLarge: { status: 500, text: texts.tooLarge },
  mediaType: badFormatRefusal,
  compressed: badFormatRefusal,
  charset: badFormatRefusal,
  declaration: badFormatRefusal,
  notXml: badFormatRefusal,
  malformed: badFormatRefusal,
  xmlLimit: badFormatRefusal,
};

function createServerFault(reason: string): FaultPieces {
  return { code: "Server", reason, detail: "" };
}

/** Escapes an error text as HTML, as the recorded service does, although the body is text/plain. */
function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"'\u00a0-\u00ff]/g,
    (character) => htmlEscapes[character] ?? `&#${character.charCodeAt(0)};`,
  );
}

const htmlEscapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
