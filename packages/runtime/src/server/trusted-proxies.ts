import { headerValue } from "../http/header-lines.js";
import { IpNetworks, readIpAddress } from "../http/ip-addresses.js";
import type { HeaderLine, ServerRequest } from "../http/server-messages.js";
import { isHost } from "./origins.js";

export interface TrustedProxies {
  /** Addresses, and networks in CIDR notation: `["127.0.0.1", "10.0.0.0/8"]`. `unix` is a proxy on a Unix socket. */
  readonly addresses: readonly string[];
  /**
   * The headers that the proxies set: `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host`, or `Forwarded` (RFC 7239).
   * The others are ignored, because clients could set them. Default `x-forwarded`.
   */
  readonly headers?: "x-forwarded" | "forwarded" | undefined;
}

/** What proxies report about the request that the first of them received. */
interface Origin {
  readonly remoteAddress: string | undefined;
  readonly scheme: string | undefined;
  readonly host: string | undefined;
}

/** One proxy's report, as received. */
interface Hop {
  readonly for?: string | undefined;
  readonly proto?: string | undefined;
  readonly host?: string | undefined;
}

/**
 * Returns a function that replaces the address, the scheme and the host of requests by those that trusted proxies report.
 * Requests of other senders are not changed: anybody can send these headers.
 */
export function proxyResolver(option: readonly string[] | TrustedProxies): (request: ServerRequest) => ServerRequest {
  const { addresses, headers = "x-forwarded" }: TrustedProxies = isList(option) ? { addresses: option } : option;
  const networks = new IpNetworks(
    addresses.filter((address) => address !== "unix"),
    "trustedProxies",
  );
  const trustsUnix = addresses.includes("unix");
  const isTrusted = (text: string | undefined): boolean => {
    const address = text === undefined ? undefined : readIpAddress(text);
    return address === undefined ? text === undefined && trustsUnix : networks.has(address);
  };
  return (request) => {
    if (!isTrusted(request.remoteAddress)) {
      return request;
    }
    const hops = headers === "forwarded" ? forwardedHops(request.headers) : xForwardedHops(request.headers);
    return hops.length === 0 ? request : new ForwardedRequest(request, originOfHops(hops, request, isTrusted));
  };
}

function isList(option: readonly string[] | TrustedProxies): option is readonly string[] {
  return Array.isArray(option);
}

/** Each proxy appends its report, so the last ones are those of trusted proxies: reads back to the first sender who is not one. */
function originOfHops(
  hops: readonly Hop[],
  { remoteAddress }: ServerRequest,
  isTrusted: (address: string | undefined) => boolean,
): Origin {
  let sender = remoteAddress;
  let scheme: string | undefined;
  let host: string | undefined;
  for (const hop of hops.toReversed()) {
    scheme = hop.proto ?? scheme;
    host = hop.host ?? host;
    const address = addressOf(hop.for);
    if (address === undefined) {
      break;
    }
    sender = address;
    if (!isTrusted(address)) {
      break;
    }
  }
  return { remoteAddress: sender, scheme: scheme?.toLowerCase(), host };
}

/** An address without port and brackets; undefined for `unknown`, an obfuscated name, or any other text. */
function addressOf(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? "";
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmed)?.[1];
  const withPort = /^([\d.]+):\d{1,5}$/.exec(trimmed)?.[1];
  const address = bracketed ?? withPort ?? trimmed;
  return readIpAddress(address) === undefined ? undefined : address;
}

/** The lists of the three headers belong together from their ends: a proxy that only passes on a header appends nothing to it. */
function xForwardedHops(lines: readonly HeaderLine[]): readonly Hop[] {
  const addresses = items(headerValue(lines, "x-forwarded-for"));
  const schemes = items(headerValue(lines, "x-forwarded-proto"));
  const hosts = items(headerValue(lines, "x-forwarded-host"));
  const length = Math.max(addresses.length, schemes.length, hosts.length);
  const at = (list: readonly string[], index: number) => list[index - length + list.length];
  return Array.from({ length }, (_, index) => ({
    for: at(addresses, index),
    proto: at(schemes, index),
    host: at(hosts, index),
  }));
}

function items(header: string | undefined): readonly string[] {
  return header === undefined ? [] : header.split(",").map((item) => item.trim());
}

/** RFC 7239 §4: elements separated by commas, of pairs separated by semicolons; a value may be a quoted string. */
function forwardedHops(lines: readonly HeaderLine[]): readonly Hop[] {
  const header = headerValue(lines, "forwarded") ?? "";
  const hops: Record<string, string>[] = [{}];
  const pair = /\s*(?:([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w:[\]-]*)))?\s*([,;]|$)/gy;
  while (pair.lastIndex < header.length) {
    const match = pair.exec(header);
    if (match === null) {
      return [];
    }
    const [, name, quoted, token, end] = match;
    const hop = hops[hops.length - 1];
    if (name !== undefined && hop !== undefined && /^(?:for|proto|host)$/i.test(name)) {
      hop[name.toLowerCase()] = quoted === undefined ? (token ?? "") : quoted.replace(/\\(.)/g, "$1");
    }
    if (end === ",") {
      hops.push({});
    }
  }
  return header === "" ? [] : hops;
}

/** A request as the first proxy received it. */
class ForwardedRequest implements ServerRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly secure: boolean;
  readonly remoteAddress: string | undefined;
  readonly receivedAt: number | undefined;
  readonly draining: boolean | undefined;
  readonly whenWritten?: NonNullable<ServerRequest["whenWritten"]>;
  readonly #source: ServerRequest;

  constructor(source: ServerRequest, { remoteAddress, scheme, host }: Origin) {
    this.#source = source;
    this.method = source.method;
    this.target = source.target;
    this.headers = host === undefined || !isHost(host) ? source.headers : withHost(source.headers, host);
    this.secure = scheme === "https" || scheme === "http" ? scheme === "https" : source.secure === true;
    this.remoteAddress = remoteAddress;
    this.receivedAt = source.receivedAt;
    this.draining = source.draining;
    if (source.whenWritten !== undefined) {
      this.whenWritten = (done) => source.whenWritten?.(done);
    }
  }

  get body(): ServerRequest["body"] {
    return this.#source.body;
  }

  get signal(): AbortSignal {
    return this.#source.signal;
  }
}

/** Replaces each Host line, so that a request with two of them is still refused. */
function withHost(lines: readonly HeaderLine[], host: string): readonly HeaderLine[] {
  const isHostLine = ([name]: HeaderLine) => name.toLowerCase() === "host";
  return lines.some(isHostLine)
    ? lines.map((line) => (isHostLine(line) ? ["Host", host] : line))
    : [["Host", host], ...lines];
}
