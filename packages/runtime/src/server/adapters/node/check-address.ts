import { ConfigError } from "../../../errors.js";
import { createOptionError } from "../../options/server-options.js";
import type { ServerAddress } from "./server.js";
import { tlsNames } from "./tls/tls-options.js";

/**
 * The longest path of a Unix socket on Linux, in bytes. Node 20 shortens a longer path without an error, so that the
 * server would listen at another path.
 */
const maxPathBytes = 107;
/** The same on macOS and the BSDs. */
const maxPathBytesOfBsd = 103;

const maxPort = 65_535;

/**
 * Throws `ConfigError` for an address on which a server cannot listen, and for options that exclude each other. As in
 * Node, a port can be text, because programs read it from the environment.
 */
export function checkAddress({ port, host, path, writableAll }: ServerAddress): void {
  if (port !== undefined && !isPort(port)) {
    throw createOptionError("port", `a number from 0 to ${maxPort}`, port);
  }
  if (host !== undefined && !isText(host)) {
    throw createOptionError("host", "an address or a name of this machine", host);
  }
  if (writableAll !== undefined && typeof writableAll !== "boolean") {
    throw createOptionError("writableAll", "true or false", writableAll);
  }
  if (path === undefined) {
    if (writableAll === true) {
      throw new ConfigError('The option "writableAll" is for Unix sockets only. Set "path", too, or remove it.');
    }
    return;
  }
  if (!isText(path)) {
    throw createOptionError("path", "the path of a Unix socket", path);
  }
  if (port !== undefined || host !== undefined) {
    throw new ConfigError(
      'The option "path" cannot be combined with "port" and "host", because a Unix socket has neither. Remove "path", or "port" and "host".',
    );
  }
  const most = process.platform === "linux" ? maxPathBytes : maxPathBytesOfBsd;
  const length = process.platform === "win32" ? 0 : Buffer.byteLength(path);
  if (length > most) {
    throw new ConfigError(
      `The option "path" is longer than ${most} bytes, which is the limit of the system for Unix sockets: it has ${length}. Choose a shorter folder or name.`,
    );
  }
}

/** The names under which other libraries accept TLS options. */
const otherNames = ["https", "ssl"];

/**
 * Throws `ConfigError` for TLS options outside the option `tls`, with which the server would start without TLS.
 * `options` need not be an object.
 */
export function checkTlsPlace(options: object): void {
  for (const [name, value] of Object.entries(Object(options))) {
    if (value !== undefined && tlsNames.includes(name)) {
      throw new ConfigError(
        `The option "${name}" is a member of the option "tls": listen(routes, { tls: { ${name}, … } }). Outside it, the server would not use it.`,
      );
    }
    if (value !== undefined && otherNames.includes(name)) {
      throw new ConfigError(`There is no option "${name}". Pass { key, cert } as the option "tls".`);
    }
  }
}

function isPort(port: unknown): boolean {
  const number = isText(port) || typeof port === "number" ? Number(port) : Number.NaN;
  return Number.isInteger(number) && number >= 0 && number <= maxPort;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}
