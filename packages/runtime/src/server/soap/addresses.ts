import { escapeAttribute, escapeText } from "@bothends/xml/escape";
import { instanceNamespace, schemaNamespace } from "../../codec/names.js";
import { type Protocol, protocols, type ServiceDescriptor } from "../../descriptor.js";
import { describeValue } from "../../errors.js";
import type { RoutedRequest, ServerAnswer } from "../../http/server-messages.js";
import { OptionError } from "../../observe/incidents.js";
import type { ServerConventions } from "../../protocol/conventions.js";
import { matchLocation } from "../../protocol/http/server.js";
import { createErrorPageAnswer, createRefusalAnswer, createXmlAnswer } from "../../protocol/http/server-answers.js";
import type { Location, ServedNames, ServedOperation } from "../../protocol/server.js";
import { xmlDeclaration } from "../../protocol/soap/envelope.js";
import { callHandler, type HandlerLimits } from "../call-handler.js";
import { getOrigin } from "../origins.js";
import type { PublishedDocument, PublishedSlot, SoapServerOptions, SoapService } from "./service.js";

// The addresses of a service, and the documents at them: finds the operation for the path of a request, and the address at which
// clients reach a port.

/** The paths of a service by protocol: the same path for all, or the path of each port in the WSDL. */
export type ServicePaths = Readonly<Partial<Record<Protocol, string>>>;

export function getServicePaths(service: ServiceDescriptor, path: string | undefined): ServicePaths {
  const paths: Partial<Record<Protocol, string>> = {};
  for (const protocol of protocols) {
    const port = service.ports[protocol];
    if (port !== undefined) {
      paths[protocol] = path ?? findPath(port.address) ?? `/${service.name}`;
    }
  }
  return paths;
}

/** Returns the path of an address. The address may be only a path. */
function findPath(address: string | undefined): string | undefined {
  const match = /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*)?(\/[^?#]*)?/.exec(address ?? "");
  return match?.[1];
}

/** Returns the address that clients use for a port; without a port, for the first one. */
export type PublicAddress = (request: RoutedRequest, port: Protocol | undefined) => string;

/** Returns the public addresses of a service. The option `publicUrl` replaces the origin of requests. */
export function createPublicAddresses(
  { ports }: ServiceDescriptor,
  paths: ServicePaths,
  publicUrl: string | undefined,
): PublicAddress {
  return (request, port) => {
    const protocol = port ?? protocols.find((candidate) => ports[candidate] !== undefined);
    const path = protocol === undefined ? "" : (paths[protocol] ?? "");
    return getOrigin(request, publicUrl, protocol && ports[protocol]?.address) + path;
  };
}

/** The part of a service that the path of a request refers to. */
interface ServiceTarget {
  /** The decoded path after the service's address; empty at the address itself. */
  readonly pathBelow: string;
  readonly location: Location | undefined;
}

const serviceItself: ServiceTarget = { pathBelow: "", location: undefined };

/**
 * Finds the part of a service that the path of a request refers to: its address, or a path below its address. A service at the root
 * of the site answers only the locations of its operations, because other paths may belong to other routes.
 */
export class ServiceAddresses {
  /** The addresses without a slash at the end; undefined for a service at the root. */
  readonly paths: readonly string[] | undefined;
  readonly #bases: readonly string[];
  readonly #targetsByPath = new Map<string, ServiceTarget>();
  readonly #locations: OperationLocations;

  constructor(paths: ServicePaths, locations: OperationLocations) {
    this.#locations = locations;
    const addresses = [...new Set(Object.values(paths))];
    this.#bases = [...new Set(addresses.map((path) => path.replace(/\/$/, "")))];
    this.paths = this.#bases.includes("") ? undefined : this.#bases;
    for (const base of locations.hasPatterns ? [] : this.#bases.toReversed()) {
      for (const [pathBelow, location] of locations.exactPaths) {
        this.#targetsByPath.set(base + pathBelow, { pathBelow, location });
      }
    }
    for (const address of addresses) {
      this.#targetsByPath.set(address, serviceItself);
    }
  }

  find(request: RoutedRequest): ServiceTarget | undefined {
    const path = decodePath(request.path);
    return this.#targetsByPath.get(path) ?? this.#findBelow(path);
  }

  #findBelow(path: string): ServiceTarget | undefined {
    for (const base of this.#bases) {
      if (path[base.length] !== "/" || !path.startsWith(base)) {
        continue;
      }
      const pathBelow = path.slice(base.length);
      const location = this.#locations.find(pathBelow);
      if (base !== "" || location !== undefined) {
        return { pathBelow, location };
      }
    }
    return undefined;
  }
}

/** The locations of a service's operations for HTTP GET and POST. */
export class OperationLocations {
  /** The locations without parameters in their path. */
  readonly exactPaths = new Map<string, Location>();
  /** The locations with parameters in their path. */
  readonly #patterns: { readonly text: string; readonly location: Location }[] = [];
  readonly #lowerCasePaths = new Set<string>();

  constructor(operations: readonly ServedOperation[]) {
    for (const operation of operations) {
      for (const protocol of ["httpGet", "httpPost"] as const) {
        const boundLocation = operation.locations[protocol];
        if (boundLocation === undefined) {
          continue;
        }
        this.#lowerCasePaths.add(boundLocation.text.toLowerCase());
        if (boundLocation.replace) {
          this.#patterns.push({ text: boundLocation.text, location: { [protocol]: operation } });
        } else {
          this.exactPaths.set(boundLocation.text, {
            [protocol]: operation,
            ...this.exactPaths.get(boundLocation.text),
          });
        }
      }
    }
  }

  /** Whether any location has parameters in its path and must be compared with each path. */
  get hasPatterns(): boolean {
    return this.#patterns.length > 0;
  }

  find(path: string): Location | undefined {
    let match = this.exactPaths.get(path);
    for (const { text, location } of this.#patterns) {
      const values = matchLocation(text, path);
      if (values !== undefined) {
        match = { ...location, values, ...match };
      }
    }
    return match;
  }

  /** Whether a path differs from a location only in letter case. */
  hasOtherCase(path: string): boolean {
    return this.#lowerCasePaths.has(path.toLowerCase());
  }
}

/** Decodes percent-encoding except for slashes, which would change the path's segments. */
function decodePath(path: string): string {
  if (!path.includes("%")) {
    return path;
  }
  return path.replace(/(?:%(?!2[fF])[0-9A-Fa-f]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

// Answers requests for published documents and for the page of a service.

/** A service, with the names and addresses in its published documents. */
export interface Publication {
  readonly service: ServiceDescriptor;
  readonly wsdl: SoapService["wsdl"];
  readonly names: ServedNames;
  readonly conventions: ServerConventions;
  readonly addressOf: (port: Protocol | undefined) => string;
  /** The limits of the functions of the options `wsdl` and `page`. */
  readonly limits: HandlerLimits;
}

/** Returns the document that the query requests; undefined if it requests none. */
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

/** Returns the document that a query names in any letter case: `?wsdl`, `?WSDL`, `?wsdl=1`. */
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

/** Returns the WSDL; undefined if the service publishes none. Throws an `OptionError` if it cannot be loaded in time. */
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
  /** The valid results, for the error. */
  readonly expected: string;
}

/** Calls the function of an option within the time of a handler. Throws an `OptionError` if it fails, or if its result is not valid. */
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

/** Fills the slots of a published document. */
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

function getSlotValue({ slot, name = "", port, separator }: PublishedSlot, { names, addressOf }: Publication): string {
  switch (slot) {
    case "address":
      return addressOf(port);
    case "operation":
      return names.operationSlot(name);
    case "namespace": {
      const namespace = names.namespaceSlot(name);
      return separator === undefined || /[/#:]$/.test(namespace) ? namespace : namespace + separator;
    }
  }
}

/** Returns the DISCO document for older .NET tools: the address of the WSDL, and one entry per SOAP port. */
function writeDiscoDocument({ service, names, addressOf }: Publication): string {
  const namespace = escapeAttribute(names.namespace(service.namespace));
  const entries = (["soap11", "soap12"] as const)
    .filter((port) => service.ports[port] !== undefined)
    .map((port, index) => {
      const prefix = `q${index + 1}`;
      const binding = `${prefix}:${escapeAttribute(service.ports[port]?.name ?? "")}`;
      return `  <soap address="${escapeAttribute(addressOf(port))}" xmlns:${prefix}="${namespace}" binding="${binding}" xmlns="http://schemas.xmlsoap.org/disco/soap/" />\n`;
    });
  const address = escapeAttribute(addressOf(undefined));
  return (
    `${xmlDeclaration}\n<discovery xmlns:xsd="${schemaNamespace}" xmlns:xsi="${instanceNamespace}" xmlns="http://schemas.xmlsoap.org/disco/">\n` +
    `  <contractRef ref="${address}?wsdl" docRef="${address}" xmlns="http://schemas.xmlsoap.org/disco/scl/" />\n` +
    `${entries.join("")}</discovery>`
  );
}

/** The sources of a service's HTML page. */
interface PageSources {
  readonly publication: Publication;
  readonly operations: readonly ServedOperation[];
  readonly paths: ServicePaths;
  readonly page: SoapServerOptions["page"];
}

/**
 * Answers with the HTML page of a service: the page from the option `page`, or the built-in page, whose code is loaded on first
 * use. If pages are turned off, the answer is the same as for an unknown address.
 */
export async function answerServicePage(
  query: string,
  { publication, operations: served, paths, page }: PageSources,
): Promise<ServerAnswer> {
  const { service, names, addressOf, conventions } = publication;
  if (page === false) {
    return createRefusalAnswer(conventions, "noPage", { method: "GET" });
  }
  if (page !== undefined) {
    const operations = served.map(({ descriptor }) => names.operationSlot(descriptor.name));
    const body = await callOption("page", {
      limits: publication.limits,
      run: () => page({ service: service.name, wsdlUrl: `${addressOf(undefined)}?WSDL`, operations }),
      isValid: (result: unknown): result is string => typeof result === "string",
      expected: "a text",
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
      addresses[protocol] = addressOf(protocol);
    }
  }
  return pages.servicePage({
    query,
    name: service.name,
    addresses,
    wsdl: document && { owner: served, text: () => fillDocument(document, publication) },
  });
}
