import { ConfigError } from "../errors.js";

/**
 * The bytes of an IP address. There are 4 for an IPv4 address, even if it is written as IPv6 (`::ffff:10.0.0.1`), and
 * 16 for an IPv6 address.
 */
export type IpAddress = readonly number[];

/** Reads an IP address without port and brackets. Returns undefined for any other string. */
export function readIpAddress(text: string): IpAddress | undefined {
  return text.includes(":") ? readIpv6(text) : readIpv4(text);
}

function readIpv4(text: string): IpAddress | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined;
  }
  return parts.map(Number);
}

/** Reads an IPv6 address (RFC 4291 §2.2). A zone (`%eth0`) is ignored. */
function readIpv6(text: string): IpAddress | undefined {
  const [address = ""] = text.split("%");
  const halves = address.split("::");
  if (halves.length > 2) {
    return undefined;
  }
  const [start, end] = halves.map((half, index) =>
    half === "" ? [] : parseBytes(half.split(":"), index === halves.length - 1),
  );
  if (start === undefined || (halves.length === 2 && end === undefined)) {
    return undefined;
  }
  const missingBytes = 16 - start.length - (end?.length ?? 0);
  if (halves.length === 1 ? missingBytes !== 0 : missingBytes < 2) {
    return undefined;
  }
  const bytes = [...start, ...new Array<number>(missingBytes).fill(0), ...(end ?? [])];
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isMapped ? bytes.slice(12) : bytes;
}

/**
 * Returns the bytes of several groups of an IPv6 address. If the groups are at the end of the address, the last one can
 * be an IPv4 address.
 */
function parseBytes(groups: readonly string[], isAtEnd: boolean): number[] | undefined {
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const ipv4 = isAtEnd && index === groups.length - 1 && group.includes(".") ? readIpv4(group) : undefined;
    if (ipv4 !== undefined) {
      bytes.push(...ipv4);
    } else if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 255);
    } else {
      return undefined;
    }
  }
  return bytes;
}

/**
 * Returns the part of an address by which clients are counted. For an IPv6 address, these are the first 64 bits,
 * because a client can choose the last 64 (RFC 4291 §2.5.4).
 */
export function getNetwork(address: string): string {
  const bytes = readIpAddress(address);
  if (bytes === undefined || bytes.length === 4) {
    return bytes?.join(".") ?? address;
  }
  const groups = [0, 2, 4, 6].map((offset) => (((bytes[offset] ?? 0) << 8) + (bytes[offset + 1] ?? 0)).toString(16));
  return `${groups.join(":")}::/64`;
}

/** Counts how often each network occurs. For clients on a Unix socket, the network is undefined. */
export function countBy(networks: readonly (string | undefined)[]): ReadonlyMap<string | undefined, number> {
  const counts = new Map<string | undefined, number>();
  for (const network of networks) {
    counts.set(network, (counts.get(network) ?? 0) + 1);
  }
  return counts;
}

/** A set of addresses and of networks in CIDR notation: `10.0.0.0/8`, `::1`. */
export class IpNetworks {
  readonly #networks: readonly { readonly address: IpAddress; readonly bits: number }[];

  /**
   * Throws `ConfigError` for a string that is neither an address nor a network. `option` is the option that has
   * the strings.
   */
  constructor(texts: readonly string[], option: string) {
    this.#networks = texts.map((text) => {
      const [address = "", length, ...furtherParts] = text.split("/");
      const bytes = readIpAddress(address);
      const maxBits = (bytes?.length ?? 0) * 8;
      // RFC 4291 §2.5.5.2: an IPv4 address that is written as IPv6 begins after 96 bits, which are counted in its
      // prefix length.
      const skippedBits = bytes?.length === 4 && address.includes(":") ? 96 : 0;
      const hasValidLength = length === undefined || /^\d{1,3}$/.test(length);
      const bits = length === undefined ? maxBits : Number(length) - skippedBits;
      if (bytes === undefined || !hasValidLength || bits < 0 || bits > maxBits || furtherParts.length > 0) {
        throw new ConfigError(
          `The option "${option}" has ${JSON.stringify(text)}, which is neither an IP address nor a network such as 10.0.0.0/8.`,
        );
      }
      return { address: bytes, bits };
    });
  }

  has(address: IpAddress): boolean {
    return this.#networks.some((network) => containsAddress(network, address));
  }
}

function containsAddress(
  { address, bits }: { readonly address: IpAddress; readonly bits: number },
  candidate: IpAddress,
): boolean {
  if (address.length !== candidate.length) {
    return false;
  }
  const wholeByteCount = bits >> 3;
  for (let index = 0; index < wholeByteCount; index += 1) {
    if (address[index] !== candidate[index]) {
      return false;
    }
  }
  const remainingBits = bits & 7;
  const mask = (0xff << (8 - remainingBits)) & 0xff;
  const isSameByte = ((address[wholeByteCount] ?? 0) & mask) === ((candidate[wholeByteCount] ?? 0) & mask);
  return remainingBits === 0 || isSameByte;
}
