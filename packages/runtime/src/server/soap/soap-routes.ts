import { escapeLongText } from "@bothends/xml/long-text";
import { Encoder } from "../../codec/encoder.js";
import { messageElements } from "../../codec/kinds/any.js";
import { ConfigError } from "../../errors.js";
import { type MediaType, parseMediaType } from "../../http/media-type.js";
import { createEarlyPage, type EarlyRefusal, type ServerAnswer } from "../../http/server-answer.js";
import { type ParsedRequest, toParsedRequest } from "../../http/server-request.js";
import { isPromise } from "../../is-promise.js";
import {
  createLimitIncident,
  createThrownIncident,
  isOptionTimeout,
  OptionError,
  report,
  reportInvalidRequest,
} from "../../observe/incidents.js";
import type { ServedEntry } from "../../pages/index.js";
import { type Problem, standardConventions } from "../../protocol/conventions.js";
import { HttpMessages } from "../../protocol/http/server.js";
import { createErrorPageAnswer, createRefusalAnswer } from "../../protocol/http/server-answers.js";
import { createHttpGetServer } from "../../protocol/http-get/server.js";
import { createHttpPostServer } from "../../protocol/http-post/server.js";
import {
  type CallOutcome,
  describeMediaType,
  Refusal,
  type RequestHead,
  type ServedService,
  type ServerProtocol,
  type ServiceCall,
} from "../../protocol/server.js";
import { SoapMessages } from "../../protocol/soap/server.js";
import { createReportingDecoder } from "../../protocol/soap/server-ignored-elements.js";
import { createSoap11Server } from "../../protocol/soap11/server.js";
import { createSoap12Server } from "../../protocol/soap12/server.js";
import { needlessEscape, needlessEscapes } from "../../rest/route-paths.js";
import { LimitError, mergeServerLimits, type ServerLimits } from "../../server-limits.js";
import { createFailureIncident, DisconnectError, InflateError, readBody } from "../body.js";
import { listMiddleware } from "../calls/middleware.js";
import { checkServerOptions } from "../options/server-options.js";
import { describeOrigin, describeRefusedOrigin, OriginPolicy, withCorsHeaders } from "../origins.js";
import { countBodyMemory, countValueMemory } from "../request-memory.js";
import { decodePath, type MissingOption, type PathClaim, type Routes } from "../routes.js";
import { answerServicePage, createDocumentAnswer, type Publication } from "./published-documents.js";
import { type CallSettings, runCall } from "./run-call.js";
import { createServedNames, createServedOperations, type SoapServerOptions, type SoapService } from "./service.js";
import {
  createPublicAddresses,
  getServicePaths,
  OperationLocations,
  ServiceAddresses,
  type ServicePaths,
} from "./service-addresses.js";

/**
 * Serves a WSDL service with handlers: SOAP 1.1 and 1.2 at its address, HTTP GET and POST at paths below the address,
 * and documents that a query requests (`?wsdl`).
 */
export function soapRoutes<Principal = unknown>(
  service: SoapService,
  options: SoapServerOptions<Principal> & MissingOption<"fault"> = {},
): Routes {
  if (service.service.descriptorFormat !== 2) {
    throw new ConfigError(
      "The generated code is for a different version of @bothends/runtime. Generate the code again.",
    );
  }
  checkServerOptions(options);
  const { allowOrigin, cors = allowOrigin !== undefined } = options;
  const server = new ServiceServer(service, { ...options, cors });
  const routes: Routes = {
    name: service.service.name,
    paths: server.paths,
    served: server.servedEntries,
    claims: server.claims,
    limits: [server.limits],
    placedOptions: [{ owner: "SOAP routes", groups: ["routes", "soapRoutes"], options }],
    recognizes: (request) => server.recognizes(toParsedRequest(request)),
    guarded: [
      { operations: Object.values(service.operations).map(({ name }) => name), use: listMiddleware(options.use) },
    ],
    answer: (request) => server.serve(toParsedRequest(request)),
    refuse: (request, refusal) => server.refuse(request, refusal),
  };
  return cors
    ? withCorsHeaders(routes, { policy: server.originPolicy, allowsCredentials: allowOrigin !== undefined })
    : routes;
}

type ServiceOptions = SoapServerOptions & MissingOption<"fault">;

const noBytes = new Uint8Array();

/** Answers the requests for one service, with the first protocol that recognizes a request. */
class ServiceServer {
  readonly #service: ServedService;
  readonly #name: string;
  readonly #settings: CallSettings;
  readonly #protocols: readonly ServerProtocol[];
  readonly #locations: OperationLocations;
  readonly #addresses: ServiceAddresses;
  /** The paths of the service, each with the protocols of its ports. */
  readonly claims: readonly PathClaim[];
  readonly limits: ServerLimits;
  /** Decides which pages of other origins may call the service. */
  readonly originPolicy: OriginPolicy;
  /** Whether pages of other origins may call the service. */
  readonly #allowsOtherOrigins: boolean;
  /** The entry for the service on the page at `/`. The list is empty if the pages of the service are turned off. */
  readonly servedEntries: readonly ServedEntry[];
  /** Answers requests for the documents and the HTML page of the service. */
  readonly #answerPage: PageAnswers;
  /** The media type of the last request. It is cached because most requests have the same media type. */
  #mediaType: { readonly text: string | undefined; readonly parsed: MediaType | undefined };

  constructor(service: SoapService, options: ServiceOptions) {
    const paths = getServicePaths(service.service, options.path);
    const getAddress = createPublicAddresses(service.service, paths, options.publicUrl);
    this.#mediaType = { text: undefined, parsed: undefined };
    this.#service = createServedService(service, options);
    this.limits = this.#service.limits;
    this.#name = service.service.name;
    this.#settings = {
      ...createCallSettings(this.#service, options),
      getAddress,
      ambient: service.settings?.ambient ?? [],
    };
    this.#protocols = listServerProtocols(this.#service);
    this.#locations = new OperationLocations(this.#service.operations);
    this.#addresses = new ServiceAddresses(paths, this.#locations);
    this.claims = listClaims(service.service.name, paths);
    const { publicUrl: url, allowOrigin, onError } = options;
    this.originPolicy = new OriginPolicy({ url, allowOrigin, onError });
    this.#allowsOtherOrigins = options.cors === true;
    this.servedEntries = options.page === false ? [] : listEntries(service, paths);
    this.#answerPage = createPageAnswers(service, {
      servedService: this.#service,
      paths,
      getAddress,
      page: options.page,
    });
  }

  get paths(): readonly string[] | undefined {
    return this.#addresses.paths;
  }

  serve(request: ParsedRequest): ServerAnswer | Promise<ServerAnswer> | undefined {
    const head = this.#findHead(request);
    if (head === undefined) {
      return undefined;
    }
    request.record.service = this.#name;
    try {
      const answer = this.#answerByProtocol(head);
      return isPromise(answer) ? answer.catch((error: unknown) => this.#createFailureAnswer(error, request)) : answer;
    } catch (error) {
      return this.#createFailureAnswer(error, request);
    }
  }

  /** Refuses a request that is not read. If it is a call, the answer has the form of its protocol. */
  refuse(request: ParsedRequest, refusal: EarlyRefusal): ServerAnswer | undefined {
    const head = this.#findHead(request);
    return head && (this.#findProtocol(head)?.refuseEarly(refusal, head) ?? createEarlyPage(refusal));
  }

  /** Whether a request is a call in the protocol of one of the service's ports. */
  recognizes(request: ParsedRequest): boolean {
    const head = this.#findHead(request);
    const protocol = head && this.#findProtocol(head);
    const family = protocol && getProtocolFamily(protocol.name);
    return this.claims.some(({ protocols }) => family !== undefined && protocols?.includes(family));
  }

  #findHead(request: ParsedRequest): RequestHead | undefined {
    const target = this.#addresses.find(request);
    if (target === undefined) {
      return undefined;
    }
    const { subpath, location } = target;
    return { request, subpath, location, mediaType: this.#findMediaType(request) };
  }

  #findProtocol(head: RequestHead): ServerProtocol | undefined {
    return this.#protocols.find((protocol) => protocol.recognize(head));
  }

  #findMediaType({ parsedHeaders: { contentType } }: ParsedRequest): MediaType | undefined {
    if (contentType !== this.#mediaType.text) {
      this.#mediaType = { text: contentType, parsed: parseMediaType(contentType) };
    }
    return this.#mediaType.parsed;
  }

  #answerByProtocol(head: RequestHead): ServerAnswer | Promise<ServerAnswer> {
    for (const protocol of this.#protocols) {
      if (protocol.recognize(head)) {
        return this.#readBodyAndCall(protocol, head);
      }
    }
    return this.#answerOtherRequest(head);
  }

  #readBodyAndCall(protocol: ServerProtocol, head: RequestHead): ServerAnswer | Promise<ServerAnswer> {
    const { request } = head;
    const forgery = this.originPolicy.findForgery(request);
    if (forgery !== undefined) {
      const refusal = new Refusal("otherOrigin", forgery);
      return protocol.hasBody ? this.#refuseBody(refusal, protocol, head) : this.#refuse(refusal, protocol, head);
    }
    if (!protocol.hasBody) {
      const { measurements } = request.record;
      measurements?.addBody(noBytes, measurements.begunAt);
      return this.#call(protocol, head, noBytes);
    }
    try {
      const body = readBody(head.request, this.#service.limits);
      if (!isPromise(body)) {
        return this.#call(protocol, head, body);
      }
      recordHead(protocol, head);
      return body.then(
        (bytes) => this.#call(protocol, head, bytes),
        (error: unknown) => this.#refuseUnread(error, protocol, head),
      );
    } catch (error) {
      return this.#refuseUnread(error, protocol, head);
    }
  }

  #call(protocol: ServerProtocol, head: RequestHead, body: Uint8Array): ServerAnswer | Promise<ServerAnswer> {
    const { request } = head;
    const { record } = request;
    const { measurements } = record;
    let call: ServiceCall | undefined;
    try {
      countBodyMemory(request, body.length);
      call = protocol.read(head, body);
      record.operation = call.operation.descriptor.name;
      record.protocol = call.protocol;
      countValueMemory(request, body.length, [call.input, call.soapHeaders, call.extraSoapHeaders]);
    } catch (error) {
      const refusal = error instanceof LimitError ? createTooLargeRefusal(error, call) : error;
      if (!(refusal instanceof Refusal)) {
        throw refusal;
      }
      return this.#refuse(refusal, protocol, head);
    }
    if (measurements !== undefined) {
      measurements.inputReadAt = performance.now();
    }
    const outcome = runCall(call, this.#settings);
    const writeOutcome = (result: CallOutcome): ServerAnswer => {
      if (measurements !== undefined) {
        measurements.handledAt = performance.now();
      }
      return protocol.write(call, result);
    };
    return isPromise(outcome) ? outcome.then(writeOutcome) : writeOutcome(outcome);
  }

  #refuseUnread(error: unknown, protocol: ServerProtocol, head: RequestHead): ServerAnswer {
    if (error instanceof InflateError) {
      return this.#refuseBody(new Refusal("malformed", { reason: error.message }), protocol, head);
    }
    if (!(error instanceof LimitError)) {
      throw error;
    }
    return this.#refuseBody(createTooLargeRefusal(error), protocol, head);
  }

  /** Refuses a request whose body has not been read completely, and closes the connection. */
  #refuseBody(refusal: Refusal, protocol: ServerProtocol, head: RequestHead): ServerAnswer {
    return { ...this.#refuse(refusal, protocol, head), close: true };
  }

  #refuse(refusal: Refusal, protocol: ServerProtocol, head: RequestHead): ServerAnswer {
    this.#report(refusal, protocol, head);
    return protocol.refuse(refusal, head);
  }

  #report(refusal: Refusal, serverProtocol: ServerProtocol, head: RequestHead): void {
    const { version, problem, path, reason, details, cause } = refusal;
    const { onError } = this.#service;
    const { request } = head;
    const protocol = version ?? serverProtocol.name;
    const operation =
      refusal.operation ?? (actionProblems.has(problem) ? undefined : serverProtocol.findOperation(head));
    request.record.operation = operation;
    request.record.protocol = protocol;
    const limit = createLimitIncident(cause);
    if (limit !== undefined) {
      report(onError, { ...limit, operation, protocol }, request);
    } else if (reason !== undefined) {
      const isSoap = serverProtocol.name === "soap11" || serverProtocol.name === "soap12";
      const isOtherType = head.mediaType === undefined || !soapMediaTypes.has(head.mediaType.name);
      const hasNote = isSoap && isOtherType && mediaTypeProblems.has(problem);
      const note = hasNote ? ` ${describeMediaType(head, expectedTypes)}` : "";
      reportInvalidRequest(onError, { operation, protocol, path, reason: reason + note, details }, request);
    }
  }

  /** Answers a request that no protocol recognizes: a request for a document or page, or an invalid request. */
  #answerOtherRequest(head: RequestHead): ServerAnswer | Promise<ServerAnswer> {
    const { conventions } = this.#service;
    const { request, subpath, location } = head;
    const { method } = request;
    if (subpath === "") {
      if (method === "GET") {
        return this.#answerPage(request);
      }
      const refusal = { status: 405, text: "The method is not allowed for this address." };
      this.#reportAddress(refusal.text, request);
      return createErrorPageAnswer(conventions, refusal, [["Allow", "GET, POST"]]);
    }
    const slash = subpath === "/" ? " The path ends with a slash, but the address of the service does not." : "";
    const escapes = needlessEscape.test(request.path) ? ` The address contains ${needlessEscapes}.` : "";
    const otherCase = location === undefined ? this.#locations.describeOtherCase(subpath) : "";
    const otherSlashes = location === undefined ? this.#locations.describeOtherSlashes(subpath) : "";
    const causes = `${slash}${escapes}${otherCase}${otherSlashes}`;
    this.#reportAddress(`No operation has this address and method.${causes}`, request);
    const isCall = (method === "GET" || method === "POST") && subpath !== "/";
    if (!isCall || location !== undefined) {
      return createRefusalAnswer(conventions, "otherMethod", { method });
    }
    const problem = otherCase === "" ? "noLocation" : "otherCase";
    return createRefusalAnswer(conventions, problem, { method });
  }

  /**
   * Reports a request for an address that is not an operation. If it is an OPTIONS request with an origin, the report
   * explains that a browser asks whether a page of another origin may call the service.
   */
  #reportAddress(reason: string, request: ParsedRequest): void {
    const { onError } = this.#service;
    const { origin } = request.parsedHeaders;
    if (request.method !== "OPTIONS" || origin === undefined) {
      reportInvalidRequest(onError, { reason }, request);
    } else if (!this.#allowsOtherOrigins) {
      const advice =
        'A browser asked whether a page of another origin may call. To allow such calls, set the option "cors" or "allowOrigin".';
      reportInvalidRequest(onError, { reason: `${reason} ${advice}`, details: describeOrigin(request) }, request);
    } else if (this.originPolicy.refuses(origin, request) && !this.originPolicy.isFailure(request)) {
      reportInvalidRequest(onError, describeRefusedOrigin(request), request);
    }
  }

  /**
   * Reports an exception, and answers with 500, or with 503 if the WSDL was not loaded in time. A client that
   * disconnects is not an incident.
   */
  #createFailureAnswer(error: unknown, request: ParsedRequest): ServerAnswer {
    const { onError, conventions } = this.#service;
    if (error instanceof OptionError) {
      const incident = createThrownIncident(error, { errorForClient: undefined, request });
      if (incident !== undefined) {
        report(onError, incident, request);
      }
      if (isOptionTimeout(error)) {
        return {
          ...createErrorPageAnswer(conventions, { status: 503, text: conventions.reasons.timedOut }),
          close: true,
        };
      }
    } else if (!(error instanceof DisconnectError)) {
      const { operation, protocol } = request.record;
      report(onError, { ...createFailureIncident(error), operation, protocol }, request);
    }
    return { ...createErrorPageAnswer(conventions, { status: 500, text: conventions.reasons.failed }), close: true };
  }
}

/**
 * Records the protocol, and the operation that the head of the request names. This is enough for the call's event even
 * if the body never arrives.
 */
function recordHead(protocol: ServerProtocol, head: RequestHead): void {
  const { record } = head.request;
  record.protocol = protocol.name;
  if (record.measurements !== undefined) {
    record.operation = protocol.findOperation(head);
  }
}

/** Returns the refusal of a request that exceeds a limit. `call` is the call in the request, if it has been read. */
function createTooLargeRefusal(cause: LimitError, call?: ServiceCall): Refusal {
  const { protocol, operation } = call ?? {};
  const version = protocol === "soap11" || protocol === "soap12" ? protocol : undefined;
  return new Refusal("tooLarge", { cause, version, operation: operation?.descriptor.name });
}

/** The problems for which the action of the request may be the reason. */
const actionProblems: ReadonlySet<Problem> = new Set(["unknownAction", "otherAction", "noOperation"]);

/** The problems for which a wrong `Content-Type` may be the reason. */
const mediaTypeProblems: ReadonlySet<Problem> = new Set(["mediaType", "notXml"]);

const expectedTypes = "text/xml (SOAP 1.1) or application/soap+xml (SOAP 1.2)";
const soapMediaTypes: ReadonlySet<string> = new Set(["text/xml", "application/soap+xml", "multipart/related"]);

/** Prepares a service: its operations, and the codecs for their messages. */
function createServedService(service: SoapService, options: ServiceOptions): ServedService {
  const { onError, understands = [], illegalCharacters, missing, validate = {}, wireNames } = options;
  const names = createServedNames(Object.values(service.operations), service.settings, wireNames);
  const { namespaces, elements } = names;
  const { identity, wildcards } = validate;
  const declaredElements = wildcards === true ? messageElements(service.operations) : wildcards || undefined;
  return {
    operations: createServedOperations({ ...service, mayLackHandlers: missing === "fault" }, names),
    names,
    ...createReportingDecoder({ namespaces, elements, identity, declared: declaredElements }, onError),
    encoder: new Encoder({ namespaces, elements, illegalCharacters, escapeText: escapeLongText }),
    limits: mergeServerLimits(options.limits),
    conventions: service.conventions ?? standardConventions,
    understands,
    onError,
  };
}

/** Returns the settings for calls of handlers, except for those that depend on addresses. */
function createCallSettings(
  { encoder, limits, conventions, onError }: ServedService,
  { authenticate, authorize, use }: ServiceOptions,
): Omit<CallSettings, "getAddress" | "ambient"> {
  const middleware = listMiddleware(use);
  const { handlerTimeout } = limits;
  return { encoder, handlerTimeout, authenticate, authorize, middleware, reasons: conventions.reasons, onError };
}

/** Returns the protocols in the order in which they are asked to recognize a request. */
function listServerProtocols(service: ServedService): readonly ServerProtocol[] {
  const soap = new SoapMessages(service);
  const http = new HttpMessages(service);
  return [createSoap11Server(soap), createSoap12Server(soap), createHttpGetServer(http), createHttpPostServer(http)];
}

/** Returns the claims of a service: each of its paths, with the protocols of the ports at this path. */
function listClaims(name: string, paths: ServicePaths): readonly PathClaim[] {
  const families = new Map<string, Set<string>>();
  for (const [protocol, path] of Object.entries(paths)) {
    // A service at the root claims only "/" itself, because it answers only this path and the locations of its
    // operations.
    const claimedPath = decodePath(path).replace(/\/$/, "") || "/";
    families.set(claimedPath, (families.get(claimedPath) ?? new Set()).add(getProtocolFamily(protocol)));
  }
  return [...families].map(([path, protocols]) => ({ path, owner: `the service ${name}`, protocols: [...protocols] }));
}

/**
 * Returns a name that is the same for protocols that a service cannot tell apart. SOAP 1.1 and SOAP 1.2 have the same
 * name, because the server for SOAP 1.1 can also read SOAP 1.2.
 */
function getProtocolFamily(protocol: string): string {
  return protocol.startsWith("soap") ? "soap" : protocol;
}

/** Returns the entry for a service on the page at `/`. */
function listEntries({ service, wsdl }: SoapService, paths: ServicePaths): readonly ServedEntry[] {
  const [page] = Object.values(paths);
  const document = wsdl === undefined ? undefined : `${page}?WSDL`;
  return page ? [{ name: service.name, kind: "soap", page, document }] : [];
}

type PageAnswers = (request: ParsedRequest) => ServerAnswer | Promise<ServerAnswer>;

interface PageSettings {
  readonly servedService: ServedService;
  readonly paths: ServicePaths;
  readonly getAddress: CallSettings["getAddress"];
  readonly page: ServiceOptions["page"];
}

/**
 * Returns a function that answers with the document that the query requests, or else with the HTML page of the service.
 */
function createPageAnswers(
  { service, wsdl }: SoapService,
  { servedService, paths, getAddress, page }: PageSettings,
): PageAnswers {
  const { operations, names, conventions } = servedService;
  const { handlerTimeout } = servedService.limits;
  return (request) => {
    const { query } = request;
    const publication: Publication = {
      service,
      wsdl,
      names,
      conventions,
      getAddress: (port) => getAddress(request, port),
      limits: { timeout: handlerTimeout, request },
    };
    return (
      createDocumentAnswer(query, publication) ?? answerServicePage(query, { publication, operations, paths, page })
    );
  };
}
