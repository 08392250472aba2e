import type { Protocol, ServiceDescriptor } from "../../descriptor.js";
import { headerValue } from "../headers.js";
import type { ServerRequest } from "../types.js";

const protocols: readonly Protocol[] = ["soap11", "soap12", "httpGet", "httpPost"];

/** Where a service is served: one path for most, one per port where the WSDL says so. */
export type ServicePaths = Readonly<Partial<Record<Protocol, string>>>;

export function servicePaths(service: ServiceDescriptor, path: string | undefined): ServicePaths {
  const paths: Partial<Record<Protocol, string>> = {};
  for (const protocol of protocols) {
    const port = service.ports[protocol];
    if (port !== undefined) paths[protocol] = path ?? pathOf(port.address) ?? `/${service.name}`;
  }
  return paths;
}

/** The path of an address, which may be a path alone; undefined where the WSDL gives none. */
function pathOf(address: string | undefined): string | undefined {
  const match = /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*)?(\/[^?#]*)?/.exec(address ?? "");
  return match?.[1];
}

/** The origin that the client used: the one configured, else the request's Host, else the address's in the WSDL. */
export function originOf(
  request: ServerRequest,
  publicUrl: string | undefined,
  configured: string | undefined,
): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, "");
  const host = headerValue(request.headers, "host");
  if (host !== undefined && host !== "") return `${request.secure === true ? "https" : "http"}://${host}`;
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/.exec(configured ?? "")?.[0] ?? "";
}
