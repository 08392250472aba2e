import { Decoder } from "../../codec/decoder.js";
import { Encoder } from "../../codec/encoder.js";
import { ConfigError } from "../../errors.js";
import { DisconnectError } from "../body.js";
import { originOf } from "../headers.js";
import { report } from "../incidents.js";
import { withLimits } from "../limits.js";
import type { Routes, ServerAnswer, ServerRequest } from "../types.js";
import { type Place, placeFinder, type ServicePaths, servicePaths } from "./address.js";
import { answerHttp, hasLocation } from "./answer-http.js";
import { answerSoap } from "./answer-soap.js";
import { pageAnswer } from "./answers.js";
import { documentAnswer, type Publication, type PublishedDocument } from "./documents.js";
import { HeaderBlocks } from "./header-blocks.js";
import { servedNames } from "./served-names.js";
import type { SoapServerOptions, SoapService } from "./service.js";
import { servicePage } from "./service-page.js";
import type { Serving } from "./serving.js";
import { serviceTable } from "./table.js";
import { texts } from "./texts.js";

/** The routes of one WSDL service: SOAP 1.1 and 1.2 at its address, HTTP GET and POST below, its documents behind `?`. */
export function soapRoutes(service: SoapService, options: SoapServerOptions = {}): Routes {
  if (service.service.descriptorFormat !== 1) {
    throw new ConfigError("The generated code is for another version of the runtime: generate it again.");
  }
  const paths = servicePaths(service.service, options.path);
  const serving = servingOf(service, options, paths);
  const place = placeFinder(paths, (below) => hasLocation(serving.table, below));
  return {
    name: service.service.name,
    answer(request) {
      const found = place(request.target);
      if (found === undefined) return undefined;
      return guarded(route(request, found, { serving, service, options, paths }), serving);
    },
  };
}

function servingOf(service: SoapService, options: SoapServerOptions, paths: ServicePaths): Serving {
  const limits = withLimits(options.limits);
  const names = servedNames(Object.values(service.operations), service.facts, options.wireNames);
  const table = serviceTable(service, names);
  const { namespaces, elements } = names;
  const decoder = new Decoder({ namespaces, elements });
  return {
    table,
    names,
    limits,
    decoder,
    encoder: new Encoder({ namespaces, elements, illegalCharacters: options.illegalCharacters }),
    blocks: new HeaderBlocks(table.all, { names, decoder, understands: options.understands }),
    handlerTimeout: limits.handlerTimeout,
    ambient: service.facts?.ambient ?? [],
    authorize: options.authorize,
    onError: options.onError,
    addressOf(request, port) {
      const { ports } = service.service;
      const known =
        port ?? (["soap11", "soap12", "httpGet", "httpPost"] as const).find((one) => ports[one] !== undefined);
      const path = known === undefined ? "" : (paths[known] ?? "");
      return originOf(request, options.publicUrl, known && ports[known]?.address) + path;
    },
  };
}

interface Routed {
  readonly serving: Serving;
  readonly service: SoapService;
  readonly options: SoapServerOptions;
  readonly paths: ServicePaths;
}

async function route(
  request: ServerRequest,
  place: Place,
  { serving, service, options, paths }: Routed,
): Promise<ServerAnswer> {
  if (place.below !== "") return answerHttp(request, place, serving);
  if (request.method === "POST") return answerSoap(request, serving);
  if (request.method !== "GET") return pageAnswer(405, texts.method, [["Allow", "GET, POST"]]);
  const publication: Publication = {
    service: service.service,
    wsdl: service.wsdl,
    names: serving.names,
    addressOf: (port) => serving.addressOf(request, port),
  };
  const document = documentAnswer(place.query, publication);
  return document ?? servicePage(place.query, { publication, table: serving.table, paths, page: options.page });
}

/** A client that went away gets no answer, and is no incident. */
async function guarded(answer: Promise<ServerAnswer>, { onError }: Serving): Promise<ServerAnswer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof DisconnectError))
      report(onError, { kind: "internal", message: "The request failed.", error });
    return { ...pageAnswer(500, texts.failed), close: true };
  }
}

export type { PublishedDocument };
