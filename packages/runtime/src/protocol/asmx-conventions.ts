import type { HeaderLine } from "../http/server-messages.js";
import {
  createClientFault,
  forbiddenText,
  type HttpRefusal,
  headRefusal,
  noCaching,
  type Problem,
  type ServerConventions,
  type TargetProblem,
} from "./conventions.js";
import type { FaultPieces } from "./soap/fault.js";

const dispatchCaching: HeaderLine = ["Cache-Control", "private"];

/**
 * Answers as a recorded ASMX service did: with its texts, status 500 for every fault and for unreadable parameters, and status 400
 * without a body for unreadable messages.
 */
export const asmxConventions: ServerConventions = {
  soapVersion: ({ mediaType, soapAction }) =>
    soapAction === undefined || mediaType?.name === "application/soap+xml" ? "soap12" : "soap11",
  refuseSoap(problem, { recognized, version = recognized }) {
    switch (problem) {
      case "malformed":
      case "xmlLimit":
      case "elementInValue":
      case "markupInValue":
        return { version, status: 400 };
      case "notXml":
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
        return headRefusal(problem, version) ?? { version, status: 500, fault: createClientFault(texts.unreadable) };
    }
  },
  faultStatus: () => 500,
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
  httpFaultStatus: () => 500,
  errorLine: (text) => `${escapeHtml(text)}\n`,
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
