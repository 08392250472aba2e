import { escapeAttribute, escapeText } from "@bothends/xml/escape";
import { instanceNamespace, schemaNamespace } from "../../codec/resolved-types.js";
import { type Protocol, protocols, type ServiceDescriptor } from "../../descriptor.js";
import type { ServerAnswer } from "../../http/server-answer.js";
import { OptionError } from "../../observe/incidents.js";
import type { ServerConventions } from "../../protocol/conventions.js";
import { createErrorPageAnswer, createRefusalAnswer, createXmlAnswer } from "../../protocol/http/server-answers.js";
import type { ServedNames, ServedOperation } from "../../protocol/server.js";
import { xmlDeclaration } from "../../protocol/soap/envelope.js";
import { describeValue } from "../../value-problems.js";
import { callHandler, type HandlerLimits } from "../calls/call-handler.js";
import type { PublishedDocument, PublishedSlot, SoapServerOptions, SoapService } from "./service.js";
import type { ServicePaths } from "./service-addresses.js";

// Answers requests for published documents and for the page of a service.

/** A service, with the names and addresses in its published documents. */
export interface Publication {
  readonly service: ServiceDescriptor;
  readonly wsdl: SoapService["wsdl"];
  readonly names: ServedNames;
  readonly conventions: ServerConventions;
  readonly getAddress: (port: Protocol | undefined) => string;
  /** The limits for a function in the option `wsdl` or `page`. */
  readonly limits: HandlerLimits;
}

/** Returns an answer with the document that the query requests. Returns undefined if the query requests no document. */
export function createDocumentAnswer(
  query: string,
  publication: Publication,
): ServerAnswer | Promise<ServerAnswer> | undefined {
  const { conventions } = publication;
  switch (findDocumentName(query)) {
    case "wsdl":
    case "singlewsdl":
      return createWsdlAnswer(publication);
    case "disco":
      return createXmlAnswer(conventions, writeDiscoDocument(publication));
    case "schema":
      return conventions.refusesSchemaQuery
        ? createRefusalAnswer(conventions, "noSchema", { method: "GET" })
        : undefined;
    default:
      return undefined;
  }
}

/** Returns the name of the document that a query requests, in any letter case: `?wsdl`, `?WSDL`, `?wsdl=1`. */
function findDocumentName(query: string): string | undefined {
  const names = query.split("&", 8).map((item) => item.split("=", 1)[0]?.toLowerCase());
  return names.find((name) => name !== undefined && ["wsdl", "singlewsdl", "disco", "schema"].includes(name));
}

async function createWsdlAnswer(publication: Publication): Promise<ServerAnswer> {
  const { conventions } = publication;
  const document = await getDocument(publication);
  return document === undefined
    ? createErrorPageAnswer(conventions, { status: 404, text: "The service does not publish a WSDL." })
    : createXmlAnswer(conventions, fillDocument(document, publication));
}

/**
 * Returns the WSDL; undefined if the service publishes none. Throws an `OptionError` if the WSDL cannot be loaded in
 * time.
 */
async function getDocument({ wsdl, limits }: Publication): Promise<PublishedDocument | undefined> {
  if (typeof wsdl !== "function") {
    return wsdl;
  }
  const isLoaded = (document: unknown): document is PublishedDocument => Array.isArray(document);
  return callOption("wsdl", { limits, run: wsdl, isValid: isLoaded, expected: "a published document" });
}

interface OptionCall<Value> {
  readonly limits: HandlerLimits;
  readonly run: () => unknown;
  readonly isValid: (result: unknown) => result is Value;
  /** Describes, for the error message, what the function must return. */
  readonly expected: string;
}

/**
 * Calls a function in the options with the time limit for handlers. Throws an `OptionError` if the function fails or
 * times out, or if its result is not valid.
 */
async function callOption<Value>(
  option: "wsdl" | "page",
  { limits, run, isValid, expected }: OptionCall<Value>,
): Promise<Value> {
  return callHandler(async (signal) => {
    signal.option = option;
    try {
      const result = await run();
      if (!isValid(result)) {
        throw new TypeError(`The function must return ${expected}, not ${describeValue(result)}.`);
      }
      return result;
    } catch (error) {
      throw new OptionError(option, error);
    }
  }, limits);
}

/** Returns the text of a published document, with all slots filled. */
function fillDocument(document: PublishedDocument, publication: Publication): string {
  let text = "";
  for (const piece of document) {
    if (typeof piece === "string") {
      text += piece;
    } else {
      text += isDocument(piece) ? fillDocument(piece, publication) : formatSlot(piece, publication);
    }
  }
  return text;
}

function isDocument(piece: PublishedSlot | PublishedDocument): piece is PublishedDocument {
  return Array.isArray(piece);
}

function formatSlot(slot: PublishedSlot, publication: Publication): string {
  const text = getSlotValue(slot, publication);
  return slot.escape === "text" ? escapeText(text) : escapeAttribute(text);
}

function getSlotValue({ slot, name = "", port, separator }: PublishedSlot, { names, getAddress }: Publication): string {
  switch (slot) {
    case "address":
      return getAddress(port);
    case "operation":
      return names.fillOperationSlot(name);
    case "namespace": {
      const namespace = names.fillNamespaceSlot(name);
      return separator === undefined || /[/#:]$/.test(namespace) ? namespace : namespace + separator;
    }
  }
}

/** Returns the DISCO document for older .NET tools: the address of the WSDL, and one entry per SOAP port. */
function writeDiscoDocument({ service, names, getAddress }: Publication): string {
  const namespace = escapeAttribute(names.getNamespace(service.namespace));
  const entries = (["soap11", "soap12"] as const)
    .filter((port) => service.ports[port] !== undefined)
    .map((port, index) => {
      const prefix = `q${index + 1}`;
      const binding = `${prefix}:${escapeAttribute(service.ports[port]?.name ?? "")}`;
      return `  <soap address="${escapeAttribute(getAddress(port))}" xmlns:${prefix}="${namespace}" binding="${binding}" xmlns="http://schemas.xmlsoap.org/disco/soap/" />\n`;
    });
  const address = escapeAttribute(getAddress(undefined));
  return (
    `${xmlDeclaration}\n<discovery xmlns:xsd="${schemaNamespace}" xmlns:xsi="${instanceNamespace}" xmlns="http://schemas.xmlsoap.org/disco/">\n` +
    `  <contractRef ref="${address}?wsdl" docRef="${address}" xmlns="http://schemas.xmlsoap.org/disco/scl/" />\n` +
    `${entries.join("")}</discovery>`
  );
}

/** The values from which a service's HTML page is created. */
interface PageSources {
  readonly publication: Publication;
  readonly operations: readonly ServedOperation[];
  readonly paths: ServicePaths;
  readonly page: SoapServerOptions["page"];
}

/**
 * Answers with the HTML page of a service: the result of the function in the option `page`, or the built-in page, whose
 * code is loaded on first use. If pages are turned off, the answer is the same as for an unknown address.
 */
export async function answerServicePage(
  query: string,
  { publication, operations: served, paths, page }: PageSources,
): Promise<ServerAnswer> {
  const { service, names, getAddress, conventions } = publication;
  if (page === false) {
    return createRefusalAnswer(conventions, "noPage", { method: "GET" });
  }
  if (typeof page === "function") {
    const operations = served.map(({ descriptor }) => names.fillOperationSlot(descriptor.name));
    const body = await callOption("page", {
      limits: publication.limits,
      run: () => page({ service: service.name, wsdlUrl: `${getAddress(undefined)}?WSDL`, operations }),
      isValid: (result: unknown): result is string => typeof result === "string",
      expected: "a string",
    });
    return {
      status: 200,
      headers: [["Content-Type", "text/html; charset=utf-8"], conventions.cacheControl("operation")],
      body,
    };
  }
  const document = await getDocument(publication);
  const pages = await import("../../pages/index.js");
  const addresses: Partial<Record<Protocol, string>> = {};
  for (const protocol of protocols) {
    if (paths[protocol] !== undefined) {
      addresses[protocol] = getAddress(protocol);
    }
  }
  return pages.renderServicePage({
    query,
    name: service.name,
    addresses,
    wsdl: document && { owner: served, getText: () => fillDocument(document, publication) },
  });
}
