import { ConfigError } from "../errors.js";
import { findHeader, type HeaderLine } from "../http/headers.js";
import { IpNetworks, readIpAddress } from "../http/ip-addresses.js";
import type { ServerRequest } from "../http/server-request.js";
import { checkNames } from "../option-checks.js";
import { describeValue } from "../value-problems.js";
import { isHost } from "./origins.js";

/** The proxies in front of a server whose headers about the client are trusted. */
export interface TrustedProxies {
  /**
   * The proxies' addresses and networks, in CIDR notation: `["127.0.0.1", "10.0.0.0/8"]`. `unix` means a proxy on a
   * Unix socket.
   */
  readonly addresses: readonly string[];
  /**
   * The headers that the proxies set: a list of `X-Forwarded` headers, `x-forwarded` for all three of them, or
   * `forwarded` for `Forwarded` (RFC 7239). Name only headers that every proxy sets or removes, because it would pass
   * on the others from clients, which can write anything. Default `["x-forwarded-for", "x-forwarded-proto"]`.
   */
  readonly headers?: readonly XForwardedHeader[] | "x-forwarded" | "forwarded" | undefined;
}

/** A header in which a proxy reports the address, the scheme or the host of the original request. */
export type XForwardedHeader = "x-forwarded-for" | "x-forwarded-proto" | "x-forwarded-host";

const xForwardedHeaders: readonly XForwardedHeader[] = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"];

/**
 * Why a report of a trusted proxy is not used: it is `ignored`, because its address or host cannot be read, or its
 * header is not one of those that the proxies set; or the address of the sender is `hidden`, as in `unknown`.
 */
export type ProxyProblem = "ignored" | "hidden";

/** The address, scheme and host of the original request, as the proxies report them. */
interface Origin {
  readonly remoteAddress: string | undefined;
  readonly scheme: string | undefined;
  readonly host: string | undefined;
  readonly problem: ProxyProblem | undefined;
}

/** The sender's address, scheme and host that one proxy added to the headers of a request, as received. */
interface Hop {
  readonly for?: string | undefined;
  readonly proto?: string | undefined;
  readonly host?: string | undefined;
}

/** A request, and the problem with the reports of its trusted proxies. */
export type ResolvedRequest = ServerRequest & Partial<Pick<Origin, "problem">>;

/** Reads the headers of proxies. Created by a router with the option `trustedProxies`. */
export interface ProxyResolver {
  /**
   * Replaces the address, the scheme and the host of a request with those that trusted proxies report. Requests from
   * other senders are not changed, because any client can send these headers.
   */
  resolve(request: ServerRequest): ResolvedRequest;
  /**
   * Returns a sentence for the operator that says why the address of a resolved request is one of the option. Returns
   * undefined if it is another address, which may be that of a client.
   */
  explainListedAddress(request: AddressedRequest): string | undefined;
  /** Returns the reason, for the operator, why headers of a request, as received, are ignored. */
  explainIgnoredHeaders(request: AddressedRequest): string;
}

/** The sender of a request, and its headers. */
type AddressedRequest = Pick<ServerRequest, "remoteAddress" | "headers">;

/** Creates the resolver for the option `trustedProxies`. Throws `ConfigError` if the option is not valid. */
export function createProxyResolver(option: readonly string[] | TrustedProxies): ProxyResolver {
  const { addresses, headers } = readOption(option);
  const names = readHeaderNames(headers);
  const readHops = createHopReader(names);
  const networks = new IpNetworks(
    addresses.filter((address) => address !== "unix"),
    "trustedProxies",
  );
  const trustsUnix = addresses.includes("unix");
  const isTrusted = (text: string | undefined): boolean => {
    const address = text === undefined ? undefined : readIpAddress(text);
    return address === undefined ? text === undefined && trustsUnix : networks.has(address);
  };
  return {
    resolve(request) {
      if (!isTrusted(request.remoteAddress)) {
        return request;
      }
      const { hops, hasIgnoredHeaders } = readHops(request.headers);
      if (hops.length === 0) {
        // A certificate is that of the proxy, so it is hidden.
        const { remoteAddress, clientCertificate } = request;
        return clientCertificate === undefined
          ? request
          : new ForwardedRequest(request, { remoteAddress, scheme: undefined, host: undefined, problem: "ignored" });
      }
      const origin = getOriginOfHops(hops, request, isTrusted);
      return new ForwardedRequest(request, hasIgnoredHeaders ? { ...origin, problem: "ignored" } : origin);
    },
    explainListedAddress({ remoteAddress, headers: lines }) {
      if (!isTrusted(remoteAddress)) {
        return undefined;
      }
      const listed = `${remoteAddress === undefined ? "The Unix socket" : "This address"} is listed in the option "trustedProxies", but`;
      const addressHeader = names.find((name) => name === "forwarded" || name === "x-forwarded-for");
      if (addressHeader === undefined) {
        return `${listed} its member "headers" does not contain "x-forwarded-for".`;
      }
      const title = headerTitles[addressHeader];
      if (findHeader(lines, addressHeader) === undefined) {
        const [other] = findOtherHeaders(lines, names);
        const otherHint =
          other === undefined ? "" : `, only ${headerTitles[other]}, which its member "headers" does not select`;
        return `${listed} the request has no ${title}${otherHint}: let the proxy set ${title}.`;
      }
      const { hops } = readHops(lines);
      return hops.length > 0 && hops.every((hop) => isTrusted(findPlainAddress(hop.for) ?? ""))
        ? `${listed} the ${title} of the request contains no other address: if clients have listed addresses, list only those of the proxies.`
        : `${listed} the ${title} of the request does not contain the address of the client: let the proxy send it.`;
    },
    explainIgnoredHeaders({ remoteAddress, headers: lines }) {
      if (!isTrusted(remoteAddress)) {
        return unlistedSender;
      }
      const { hops } = readHops(lines);
      const isInvalid =
        getOriginOfHops(hops, { remoteAddress }, isTrusted).problem === "ignored" ||
        (hops.length === 0 && names.some((name) => findHeader(lines, name) !== undefined));
      const others = findOtherHeaders(lines, names).map((name) => headerTitles[name]);
      return isInvalid || others.length === 0
        ? "an address or a host in them is not valid."
        : `the member "headers" of the option "trustedProxies" does not select ${others.join(" and ")}.`;
    },
  };
}

/** The reason why headers of a sender that is no trusted proxy are ignored. */
export const unlistedSender = 'the option "trustedProxies" does not list this sender.';

/** The headers that proxies set, by lower-case name. */
const headerTitles = {
  forwarded: "Forwarded",
  "x-forwarded-for": "X-Forwarded-For",
  "x-forwarded-proto": "X-Forwarded-Proto",
  "x-forwarded-host": "X-Forwarded-Host",
} as const;

type ProxyHeader = keyof typeof headerTitles;

/** Returns the names of the headers of a request that proxies set, but that the option does not select. */
function findOtherHeaders(lines: readonly HeaderLine[], names: readonly ProxyHeader[]): readonly ProxyHeader[] {
  return (Object.keys(headerTitles) as ProxyHeader[]).filter(
    (name) => !names.includes(name) && findHeader(lines, name) !== undefined,
  );
}

/** The reports of the proxies of a request. */
interface ReadHops {
  readonly hops: readonly Hop[];
  /** Whether the request has an `X-Forwarded` header that is not one of those that the proxies set. */
  readonly hasIgnoredHeaders: boolean;
}

/** Returns the names of the headers that the proxies set. Throws `ConfigError` for other headers. */
function readHeaderNames(
  headers: TrustedProxies["headers"] = ["x-forwarded-for", "x-forwarded-proto"],
): readonly ProxyHeader[] {
  if (headers === "forwarded") {
    return ["forwarded"];
  }
  const names: unknown = headers === "x-forwarded" ? xForwardedHeaders : headers;
  if (!Array.isArray(names) || names.length === 0 || !names.every((name) => xForwardedHeaders.includes(name))) {
    throw new ConfigError(
      `The option "trustedProxies.headers" must be "forwarded", "x-forwarded", or a list of some of ${xForwardedHeaders.join(", ")}, in lower case.`,
    );
  }
  return names;
}

/** Returns the function that reads the headers that the proxies set. */
function createHopReader(names: readonly ProxyHeader[]): (lines: readonly HeaderLine[]) => ReadHops {
  if (names.includes("forwarded")) {
    return (lines) => ({ hops: readForwardedHops(lines), hasIgnoredHeaders: false });
  }
  const ignoredHeaders = xForwardedHeaders.filter((name) => !names.includes(name));
  return (lines) => ({
    hops: readXForwardedHops(lines, names),
    hasIgnoredHeaders: ignoredHeaders.some((name) => findHeader(lines, name) !== undefined),
  });
}

const memberNames: readonly string[] = ["addresses", "headers"];

/** Reads the option. Throws `ConfigError` for an unknown member, and for addresses that are not a list of strings. */
function readOption(option: readonly string[] | TrustedProxies): TrustedProxies {
  if (typeof option !== "object") {
    const advice = typeof option === "string" ? ' Split a text of several addresses: text.split(",").' : "";
    throw createListError(`, not ${describeValue(option)}.${advice}`);
  }
  const members: TrustedProxies = isList(option) ? { addresses: option } : option;
  checkNames(members, memberNames, 'The option "trustedProxies"');
  const addresses: unknown = members.addresses;
  if (!Array.isArray(addresses) || addresses.some((address) => typeof address !== "string")) {
    throw createListError(".");
  }
  return members;
}

function createListError(ending: string): ConfigError {
  return new ConfigError(
    `The option "trustedProxies" must be a list of addresses and networks such as ["10.0.0.0/8"], or an object with this list as "addresses"${ending}`,
  );
}

function isList(option: readonly string[] | TrustedProxies): option is readonly string[] {
  return Array.isArray(option);
}

/**
 * Returns the client's address, the scheme and the host of the original request. Each proxy appends its report, so the
 * reports are read backwards until the first sender that is not trusted.
 */
function getOriginOfHops(
  hops: readonly Hop[],
  { remoteAddress }: Pick<ServerRequest, "remoteAddress">,
  isTrusted: (address: string | undefined) => boolean,
): Origin {
  let sender = remoteAddress;
  let scheme: string | undefined;
  let host: string | undefined;
  let problem: ProxyProblem | undefined;
  for (const hop of hops.toReversed()) {
    scheme = hop.proto ?? scheme;
    host = hop.host ?? host;
    const address = findPlainAddress(hop.for);
    problem ??= hop.host === undefined || isHost(hop.host) ? undefined : "ignored";
    if (address === undefined) {
      problem ??= hop.for === undefined ? undefined : namelessSender.test(hop.for) ? "hidden" : "ignored";
      break;
    }
    sender = address;
    if (!isTrusted(address)) {
      break;
    }
  }
  return { remoteAddress: sender, scheme: scheme?.toLowerCase(), host, problem };
}

/** Matches the names that proxies use for a sender whose address they do not report (RFC 7239 §6). */
const namelessSender = /^(?:unknown|_[\w.-]+)(?::.*)?$/i;

/**
 * Returns an address without its port and brackets. Returns undefined for any string that is not an address, such as
 * `unknown` or an obfuscated name.
 */
export function findPlainAddress(text: string | undefined): string | undefined {
  const trimmedText = text?.trim() ?? "";
  const bracketedAddress = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmedText)?.[1];
  const ipv4Address = /^([\d.]+):\d{1,5}$/.exec(trimmedText)?.[1];
  const address = bracketedAddress ?? ipv4Address ?? trimmedText;
  return readIpAddress(address) === undefined ? undefined : address;
}

/**
 * Reads the `X-Forwarded` headers with the given names. Their lists can have different lengths, because a proxy that
 * does not support a header appends nothing to it. So items are matched by their position from the end.
 */
function readXForwardedHops(lines: readonly HeaderLine[], names: readonly ProxyHeader[]): readonly Hop[] {
  const splitHeader = (name: XForwardedHeader) =>
    splitItems(names.includes(name) ? findHeader(lines, name) : undefined);
  const addresses = splitHeader("x-forwarded-for");
  const schemes = splitHeader("x-forwarded-proto");
  const hosts = splitHeader("x-forwarded-host");
  const length = Math.max(addresses.length, schemes.length, hosts.length);
  const getFromEnd = (list: readonly string[], index: number) => list[index - length + list.length];
  return Array.from({ length }, (_, index) => ({
    for: getFromEnd(addresses, index),
    proto: getFromEnd(schemes, index),
    host: getFromEnd(hosts, index),
  }));
}

function splitItems(header: string | undefined): readonly string[] {
  return header === undefined ? [] : header.split(",").map((item) => item.trim());
}

/**
 * Reads the header `Forwarded` (RFC 7239 §4): elements separated by commas, each of them a list of pairs separated by
 * semicolons.
 */
function readForwardedHops(lines: readonly HeaderLine[]): readonly Hop[] {
  const header = findHeader(lines, "forwarded") ?? "";
  const hops: Record<string, string>[] = [{}];
  // If there is no pair, only the first `\s*` can match. If two of them could match in a row, a long run of spaces
  // would take quadratic time.
  const pairPattern = /\s*(?:([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~\w:[\]-]*))\s*)?([,;]|$)/gy;
  while (pairPattern.lastIndex < header.length) {
    const match = pairPattern.exec(header);
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

/** A request as the first trusted proxy received it. */
class ForwardedRequest implements ServerRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly secure: boolean;
  readonly remoteAddress: string | undefined;
  readonly whenWritten?: NonNullable<ServerRequest["whenWritten"]>;
  readonly problem: ProxyProblem | undefined;
  readonly #source: ServerRequest;

  constructor(source: ServerRequest, { remoteAddress, scheme, host, problem }: Origin) {
    this.#source = source;
    this.problem = problem;
    this.method = source.method;
    this.target = source.target;
    this.headers = host === undefined || !isHost(host) ? source.headers : withHost(source.headers, host);
    this.secure = scheme === "https" || scheme === "http" ? scheme === "https" : source.secure === true;
    this.remoteAddress = remoteAddress;
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

  get receivedAt(): number | undefined {
    return this.#source.receivedAt;
  }

  get draining(): boolean | undefined {
    return this.#source.draining;
  }

  get answerBytes(): number | undefined {
    return this.#source.answerBytes;
  }

  get abortStatus(): number | undefined {
    return this.#source.abortStatus;
  }

  get disconnectedAt(): number | undefined {
    return this.#source.disconnectedAt;
  }

  get disconnectedBy(): ServerRequest["disconnectedBy"] {
    return this.#source.disconnectedBy;
  }

  get httpVersion(): string | undefined {
    return this.#source.httpVersion;
  }
}

/**
 * Replaces the value of each Host line. If a request has two such lines, it still has two afterwards, so that the
 * router refuses it.
 */
function withHost(lines: readonly HeaderLine[], host: string): readonly HeaderLine[] {
  const isHostLine = ([name]: HeaderLine) => name.toLowerCase() === "host";
  return lines.some(isHostLine)
    ? lines.map((line) => (isHostLine(line) ? ["Host", host] : line))
    : [["Host", host], ...lines];
}
