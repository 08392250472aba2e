import type { AnyEndpointDescriptor, JsonValue } from "../../descriptor.js";
import { RestError } from "../../errors.js";
import type { ServedIndex, SiteFacts } from "../../rest/served-index.js";
import type { RestContext, RestServerOptions, RestService } from "./service.js";
import type { ServedEndpoint } from "./serving.js";

interface Site {
  readonly service: RestService;
  readonly options: RestServerOptions;
  readonly wireName: (namespace: string) => string;
}

/** The handlers of index routes, for those that the user does not handle: the index itself, and that of each namespace. */
export function indexHandlers(
  index: ServedIndex,
  { service, options, wireName }: Site,
): (endpoint: AnyEndpointDescriptor) => ServedEndpoint["handler"] | undefined {
  return (endpoint) => {
    if (!endpoint.methods.includes("GET")) return undefined;
    if (endpoint.route === "/")
      return (input, context) => index.index(siteFacts(options, service, context), context.baseUrl, input["context"]);
    const own = wireName(endpoint.route.slice(1));
    if (!index.namespaces.includes(own)) return undefined;
    return (input, { baseUrl }): JsonValue => {
      const found = index.namespaceIndex(String(input["namespace"] ?? own), baseUrl, input["context"]);
      if (found !== undefined) return found;
      const message = "The specified namespace could not be found.";
      throw new RestError({ code: "rest_invalid_namespace", message, status: 404 });
    };
  };
}

function siteFacts(options: RestServerOptions, service: RestService, { baseUrl, language }: RestContext): SiteFacts {
  const origin = /^[^:]*:\/\/[^/]*/.exec(baseUrl)?.[0] ?? "";
  const url = (options.url ?? origin).replace(/\/+$/, "");
  return {
    name: options.name ?? service.interface.name,
    description: options.description ?? "",
    url,
    home: options.home ?? homeOf(url, service, language),
    gmt_offset: options.gmt_offset ?? "0",
    timezone_string: options.timezone_string ?? "",
  };
}

/** The site's address with the language behind, where the path says the language. */
function homeOf(url: string, { interface: { language } }: RestService, value: string | undefined): string {
  return language?.variable === undefined || value === undefined ? url : `${url}/${value}`;
}
