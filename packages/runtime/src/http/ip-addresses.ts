import { ConfigError } from "../errors.js";

/** The bytes of an IP address: 4, or 16. An IPv4 address inside IPv6 (`::ffff:10.0.0.1`) has 4. */
export type IpAddress = readonly number[];

/** Reads an address, without port and brackets; undefined for any other text. */
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

/** RFC 4291 §2.2. A zone (`%eth0`) is ignored. */
function readIpv6(text: string): IpAddress | undefined {
  const [address = ""] = text.split("%");
  const halves = address.split("::");
  if (halves.length > 2) {
    return undefined;
  }
  const [start, end] = halves.map((half, index) =>
    half === "" ? [] : bytesOf(half.split(":"), index === halves.length - 1),
  );
  if (start === undefined || (halves.length === 2 && end === undefined)) {
    return undefined;
  }
  const missing = 16 - start.length - (end?.length ?? 0);
  if (halves.length === 1 ? missing !== 0 : missing < 2) {
    return undefined;
  }
  const bytes = [...start, ...new Array<number>(missing).fill(0), ...(end ?? [])];
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isMapped ? bytes.slice(12) : bytes;
}

/** The bytes of groups. The last one at the end of an address may be an IPv4 address. */
function bytesOf(groups: readonly string[], atEnd: boolean): number[] | undefined {
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const ipv4 = atEnd && index === groups.length - 1 && group.includes(".") ? readIpv4(group) : undefined;
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

/** A set of addresses and of networks in CIDR notation: `10.0.0.0/8`, `::1`. */
export class IpNetworks {
  readonly #networks: readonly { readonly address: IpAddress; readonly bits: number }[];

  /** Throws `ConfigError` for a text that is neither. `option` is where the texts come from. */
  constructor(texts: readonly string[], option: string) {
    this.#networks = texts.map((text) => {
      const [address = "", length, ...others] = text.split("/");
      const bytes = readIpAddress(address);
      const most = (bytes?.length ?? 0) * 8;
      const bits = length === undefined ? most : Number(length);
      if (
        bytes === undefined ||
        !Number.isInteger(bits) ||
        bits < 0 ||
        bits > most ||
        length === "" ||
        others.length > 0
      ) {
        throw new ConfigError(
          `The option ${option} has ${JSON.stringify(text)}, which is neither an IP address nor a network such as 10.0.0.0/8.`,
        );
      }
      return { address: bytes, bits };
    });
  }

  has(address: IpAddress): boolean {
    return this.#networks.some((network) => contains(network, address));
  }
}

function contains(
  { address, bits }: { readonly address: IpAddress; readonly bits: number },
  other: IpAddress,
): boolean {
  if (address.length !== other.length) {
    return false;
  }
  const whole = bits >> 3;
  for (let index = 0; index < whole; index += 1) {
    if (address[index] !== other[index]) {
      return false;
    }
  }
  const rest = bits & 7;
  const mask = (0xff << (8 - rest)) & 0xff;
  return rest === 0 || ((address[whole] ?? 0) & mask) === ((other[whole] ?? 0) & mask);
}
