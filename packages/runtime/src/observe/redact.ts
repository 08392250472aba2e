/** A request or an answer as sent, without secrets. */
export interface RecordedMessage {
  readonly direction: "request" | "answer";
  readonly side: "server" | "client";
  /** The time at which the message was recorded, in milliseconds since 1970. */
  readonly time: number;
  /** An id that a request and its answer share. */
  readonly id: string;
  /** The method of a request; absent for an answer. */
  readonly method?: string | undefined;
  /** The address of a request, with the values of secret parameters replaced; absent for an answer. */
  readonly address?: string | undefined;
  /** The status of an answer; absent for a request. */
  readonly status?: number | undefined;
  /** The headers, with the values of secret headers replaced. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body, with the texts of secret elements, members and parameters replaced. */
  readonly body: Uint8Array;
  /** The size of the complete body. `body` contains at most `maxBytes` of it. */
  readonly bytes: number;
}

export interface RecordOptions {
  /** Called with each request and each answer. Its exceptions are ignored. */
  readonly write: (message: RecordedMessage) => void;
  /** Additional names of headers, elements, members and parameters with secret values, ignoring case. */
  readonly secrets?: readonly string[] | undefined;
  /** The maximum number of bytes of a body to keep. Default 65,536. */
  readonly maxBytes?: number | undefined;
}

const mask = "***";
const secretNames = [
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "password",
  "passwd",
  "passphrase",
  "pwd",
  "secret",
  "token",
  "nonce",
  "api-?key",
  "access-?key",
  "session-?id",
  "signature",
  "credential",
];

/** The text of an element without children, including CDATA sections and comments; its end may be missing. */
const elementTextPattern =
  "(?:[^<]|<!\\[CDATA\\[(?:(?!\\]\\]>)[\\s\\S])*(?:\\]\\]>|$)|<!--(?:(?!-->)[\\s\\S])*(?:-->|$))+(?=</|$)";

/** Replaces secrets in messages: values whose names contain a word such as `password` or `token`. */
export class Redactor {
  readonly #namePattern: RegExp;
  readonly #elementPattern: RegExp;
  readonly #attributePattern: RegExp;
  readonly #memberPattern: RegExp;
  readonly #parameterPattern: RegExp;
  readonly #maxBytes: number;

  constructor({ secrets = [], maxBytes = 65_536 }: Pick<RecordOptions, "secrets" | "maxBytes">) {
    const words = [...secretNames, ...secrets.map((name) => name.replaceAll(/[^\w-]/g, "\\$&"))].join("|");
    const name = `[\\w.-]{0,64}(?:${words})[\\w.-]{0,64}`;
    this.#namePattern = new RegExp(words, "i");
    this.#elementPattern = new RegExp(`(<(?:[\\w.-]{1,64}:)?${name}(?:\\s[^<>]*)?>)${elementTextPattern}`, "gi");
    this.#attributePattern = new RegExp(`(\\s(?:[\\w.-]{1,64}:)?${name}\\s*=\\s*)("[^"]*"|'[^']*')`, "gi");
    this.#memberPattern = new RegExp(`("${name}"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"?|[^\\s",\\]}]+)`, "gi");
    this.#parameterPattern = new RegExp(`((?:^|[?&])${name}(?:%5B[^=&]*)?=)[^&\\s]*`, "gi");
    this.#maxBytes = maxBytes;
  }

  address(address: string): string {
    const queryMark = address.indexOf("?");
    const path = (queryMark < 0 ? address : address.slice(0, queryMark)).replace(/^([a-z]+:\/\/)[^/@]*@/i, "$1");
    return queryMark < 0 ? path : path + address.slice(queryMark).replace(this.#parameterPattern, `$1${mask}`);
  }

  headers(headers: Iterable<readonly [string, string]>): RecordedMessage["headers"] {
    return [...headers].map(([name, value]) => [name, this.#namePattern.test(name) ? mask : value] as const);
  }

  /**
   * Replaces secrets in the first bytes of a body. A body without readable text, which is compressed or in a two-byte encoding,
   * is left out completely.
   */
  body(body: Uint8Array, encoding: string | undefined): Uint8Array {
    const head = body.subarray(0, this.#maxBytes);
    if ((encoding !== undefined && encoding !== "identity") || head.includes(0)) {
      return binaryBytes(`[${body.length} bytes that are not shown]`);
    }
    const text = binaryText(head);
    const redactedText = /^\s*[{[]/.test(text)
      ? text.replace(this.#memberPattern, `$1"${mask}"`)
      : text.includes("<")
        ? text.replace(this.#elementPattern, `$1${mask}`).replace(this.#attributePattern, `$1"${mask}"`)
        : text.replace(this.#parameterPattern, `$1${mask}`);
    return redactedText === text ? head : binaryBytes(redactedText);
  }
}

/** Converts each byte to one character, so that bytes outside secrets stay unchanged. */
function binaryText(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return text;
}

function binaryBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Passes a message to the user's function, whose exceptions do not affect the call. */
export function writeMessage({ write }: RecordOptions, message: RecordedMessage): void {
  try {
    write(message);
  } catch {
    // Ignored: a message is recorded in any state of a call, so there is no hook that could receive the exception.
  }
}
