import {
  findJsonValueEnd,
  findTokenEnd,
  readJsonInString,
  skipSpace,
  unescapeJson,
  writeJsonString,
} from "./json-tokens.js";

/** A request or an answer as sent, without secrets. */
export interface RecordedMessage {
  readonly direction: "request" | "answer";
  readonly side: "server" | "client";
  /** The time at which the message was recorded, in milliseconds since 1970. */
  readonly time: number;
  /** An id that is the same for a request and its answer. */
  readonly id: string;
  /** The method of a request; absent for an answer. */
  readonly method?: string | undefined;
  /** The address of a request, with the values of secret parameters replaced; absent for an answer. */
  readonly address?: string | undefined;
  /** The status of an answer; absent for a request. */
  readonly status?: number | undefined;
  /** The headers, with the values of secret headers replaced. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body, or its beginning, with the values of secret elements, members and parameters replaced. */
  readonly body: Uint8Array;
  /** The size of the complete body in bytes. `body` contains at most the first `maxBytes` of them. */
  readonly bytes: number;
}

/** Options for recording requests and answers. Secret values in them are replaced with `***`. */
export interface RecordOptions {
  /** Called with each request and each answer. Its exceptions are ignored. */
  readonly write: (message: RecordedMessage) => void;
  /** The names of additional headers, elements, members and parameters with secret values. Case is ignored. */
  readonly secrets?: readonly string[] | undefined;
  /** The maximum number of bytes that are recorded from a body. Default 65,536. */
  readonly maxBytes?: number | undefined;
}

const mask = "***";
/**
 * Texts that make a name secret wherever they occur in it, without its separators. Besides the words of passwords and
 * tokens, they contain those that Sentry, Rails and Datadog hide by default, and those of WordPress, WooCommerce,
 * OAuth, SAML, and proxies that send the certificate of a client.
 */
const secretWords = [
  "authorization",
  "cookie",
  "password",
  "passwd",
  "passphrase",
  "pwd",
  "secret",
  "token",
  "nonce",
  "apikey",
  "accesskey",
  "sessionid",
  "signature",
  "credential",
  "jwt",
  "csrf",
  "xsrf",
  "sessid",
  "authkey",
  "privatekey",
  "subscriptionkey",
  "functionskey",
  "consumerkey",
  "activationkey",
  "licensekey",
  "sessionkey",
  "signingkey",
  "encryptionkey",
  "sharedkey",
  "masterkey",
  "bearer",
  "hmac",
  "passcode",
  "userpass",
  "authcode",
  "codeverifier",
  "assertion",
  "samlresponse",
  "clientcert",
];

/**
 * Matches names whose last word is secret, with separators between the words: `user_pass`, `pass1`, `new_Pin`,
 * `card[cvv]`. Names in which another word follows often mean something else: `pinCode` may be a postal code. So does
 * the name `pass`, which may be the result of a test.
 */
const secretEnding = /(?:^|[^a-z])(?:pin|otp|totp|cvv|cvc|ssn)[^a-z]*$|[^a-z]pass[^a-z]*$|^pass\d+$/i;

/**
 * Names of headers and parameters with secret values, after an optional `X-`. Longer names that contain such a word
 * often mean something else, such as `postcode`. Elements and JSON members with these names usually do, too: `code` is
 * part of each REST error.
 */
const secretNames = new Set([
  ...["auth", "authentication", "session", "key", "code", "sig", "sid", "pass", "rpkey", "wsse", "dpop"],
]);

/** Attributes that describe the value of a secret element, and are not replaced. */
const describingAttributes = new Set([
  "type",
  "encodingtype",
  "valuetype",
  "nil",
  "id",
  "mustunderstand",
  "actor",
  "role",
]);

/** Matches the beginning of JSON, optionally after a byte order mark or a JSONP function name. */
const jsonStart = /^(?:\u00ef\u00bb\u00bf)?\s*(?:(?:\/\*\*\/)?[\w.$]{1,256}\(\s*)?[{[]/;
const xmlStart = /^(?:\u00ef\u00bb\u00bf)?\s*</;
/**
 * Matches a line that can begin a part of a multipart body, because a header or an empty line follows, or a line that
 * can end the last part.
 */
const delimiterPattern =
  /^(--[^\r\n]+?)(?:\r?\n(?=[\w-]+[ \t]*:|\r?\n)|(--[ \t]*)(?=\r?\n(?![\w-]+[ \t]*:|\r?\n)|(?![\s\S])))/gm;

/**
 * Replaces secrets in messages: values whose names contain a word such as `password` or `token`, or end with a word
 * such as `pin`, and the values of headers and parameters with a name such as `key`. Scanners for JSON, XML, multipart
 * bodies and parameters skip complete values in linear time. If a scanner finds text that is not valid, it replaces all
 * of the rest.
 */
export class Redactor {
  readonly #words: readonly string[];
  readonly #maxBytes: number;

  constructor({ secrets = [], maxBytes = 65_536 }: Pick<RecordOptions, "secrets" | "maxBytes">) {
    this.#words = [...secretWords, ...secrets.map((name) => keepLetters(name) || name.toLowerCase())].filter(
      (word) => word !== "",
    );
    this.#maxBytes = maxBytes;
  }

  redactAddress(address: string): string {
    const mark = address.search(/[?#]/);
    const path = (mark < 0 ? address : address.slice(0, mark))
      .replace(/^([a-z]+:\/\/)[^/@]*@/i, "$1")
      .replace(/(;([^;=/]*)=)[^;/]*/g, (pair, start, name) => (this.#isSecretName(name) ? start + mask : pair));
    return mark < 0 ? path : path + address.charAt(mark) + this.#redactParameters(address.slice(mark + 1));
  }

  redactHeaders(headers: Iterable<readonly [string, string]>): RecordedMessage["headers"] {
    return [...headers].map(([name, value]) => {
      const isAddress = value.includes("?") && value.includes("=");
      return [name, this.#isSecretName(name) ? mask : isAddress ? this.redactAddress(value) : value] as const;
    });
  }

  /**
   * Replaces secrets in the first bytes of a body. A body that is compressed or in a two-byte encoding cannot be
   * scanned, so it is left out completely.
   */
  redactBody(body: Uint8Array, encoding: string | undefined): Uint8Array {
    const head = body.subarray(0, this.#maxBytes);
    if ((encoding !== undefined && encoding !== "identity") || head.includes(0)) {
      return encodeBinary(`[${body.length} bytes that are not shown]`);
    }
    const text = decodeBinary(head);
    const isPlain = !jsonStart.test(text) && !xmlStart.test(text);
    const redactedText =
      isPlain && text.search(delimiterPattern) >= 0 ? this.#redactMultipart(text) : this.#redactText(text);
    return redactedText === text ? head : encodeBinary(redactedText);
  }

  #redactText(text: string): string {
    const json = jsonStart.exec(text);
    if (json !== null) {
      const start = json[0].length - 1;
      return text.slice(0, start) + this.#redactJson(text, start);
    }
    const redactedText = xmlStart.test(text) ? text : this.#redactParameters(text);
    return redactedText.includes("<")
      ? new XmlScanner(redactedText, (name) => this.#isSecret(name)).redact()
      : redactedText;
  }

  /** Whether the name of an element, an attribute or a member is secret. */
  #isSecret(name: string): boolean {
    return this.#hasSecretWord(name) || secretEnding.test(name.replace(/([a-z\d])(?=[A-Z])/g, "$1_"));
  }

  /** Whether a text contains a secret word, ignoring case and all characters except letters and digits. */
  #hasSecretWord(name: string): boolean {
    const spellings = [name, decodeUtf8(name)].flatMap((text) => [text.toLowerCase(), keepLetters(text)]);
    return this.#words.some((word) => spellings.some((text) => text.includes(word)));
  }

  /** Whether the name of a header or a parameter is secret. */
  #isSecretName(name: string): boolean {
    return this.#isSecret(name) || secretNames.has(keepLetters(name).replace(/^x/, ""));
  }

  #redactJson(text: string, start: number): string {
    let output = "";
    for (let offset = start; offset < text.length; ) {
      const token = findTokenEnd(text, offset);
      if (token === undefined) {
        return output + mask;
      }
      const isString = text[offset] === '"';
      const colon = isString ? skipSpace(text, token) : -1;
      const isName = colon >= 0 && text[colon] === ":";
      output += isString && !isName ? this.#redactJsonString(text.slice(offset, token)) : text.slice(offset, token);
      if (isName && this.#isSecret(unescapeJson(text.slice(offset + 1, token - 1)))) {
        const valueStart = skipSpace(text, colon + 1);
        output += `${text.slice(token, valueStart)}"${mask}"`;
        offset = findJsonValueEnd(text, valueStart);
      } else {
        offset = token;
      }
    }
    return output;
  }

  /** Redacts the JSON that a JSON string contains. A string with other text, or without a secret, stays unchanged. */
  #redactJsonString(string: string): string {
    const text = readJsonInString(string);
    const redactedText = text === undefined ? undefined : this.#redactJson(text, 0);
    return redactedText === undefined || redactedText === text ? string : writeJsonString(redactedText);
  }

  /**
   * Redacts parameters such as `a=1&b=2`, including the parameters of addresses in their values. A value that is JSON
   * with a secret is replaced completely.
   */
  #redactParameters(text: string): string {
    const redactedPairs = text.split("&").map((pair) => {
      const equals = pair.indexOf("=");
      if (equals < 0) {
        return pair;
      }
      const json = readJsonInString(writeJsonString(decodePercent(pair.slice(equals + 1).replaceAll("+", " "))));
      const hasSecret = json !== undefined && this.#redactJson(json, 0) !== json;
      if (hasSecret || this.#isSecretName(decodePercent(pair.slice(0, equals)))) {
        return `${pair.slice(0, equals)}=${mask}`;
      }
      for (const { 0: start, 1: name = "", index } of pair.matchAll(/[?;#\s]([^=?;#\s]*)=/g)) {
        if (this.#isSecretName(decodePercent(name))) {
          return pair.slice(0, index + start.length) + mask;
        }
      }
      return pair;
    });
    return redactedPairs.join("&");
  }

  /**
   * Redacts a multipart body without knowing its boundary: a secret part ends where the line before its header occurs
   * again.
   */
  #redactMultipart(text: string): string {
    let output = "";
    let offset = 0;
    const delimiters = new RegExp(delimiterPattern);
    for (let match = delimiters.exec(text); match !== null; match = delimiters.exec(text)) {
      const [line, delimiter = "", end] = match;
      const contentEnd = findEndBeforeLineBreak(text, match.index);
      output +=
        this.#redactText(text.slice(offset, contentEnd)) + text.slice(Math.max(offset, contentEnd), match.index) + line;
      offset = delimiters.lastIndex;
      if (end !== undefined) {
        continue;
      }
      const emptyLine = /^\r?\n|\r?\n\r?\n/.exec(text.slice(offset, offset + maxPartHeader));
      if (emptyLine === null) {
        return output + mask;
      }
      const header = text.slice(offset, offset + emptyLine.index + emptyLine[0].length);
      output += header;
      offset += header.length;
      const decodedHeader = decodePercent(header);
      const partName = /name="?([^";\r\n]*)/i.exec(decodedHeader)?.[1] ?? "";
      if (this.#hasSecretWord(decodedHeader) || this.#isSecretName(partName)) {
        const lineBreak = text.indexOf(`\n${delimiter.trimEnd()}`, offset - 1);
        output += mask;
        if (lineBreak < 0) {
          return output;
        }
        offset = Math.max(offset, findEndBeforeLineBreak(text, lineBreak + 1));
      }
      delimiters.lastIndex = offset;
    }
    return output + this.#redactText(text.slice(offset));
  }
}

/** The maximum size of a part's header, in bytes. */
const maxPartHeader = 8_192;

/** Returns the position before the line break that ends at `end`, or `end` if there is no line break. */
function findEndBeforeLineBreak(text: string, end: number): number {
  return end - (text.endsWith("\r\n", end) ? 2 : text.endsWith("\n", end) ? 1 : 0);
}

/** Replaces the text and the attribute values of secret elements. The tags themselves stay readable. */
class XmlScanner {
  readonly #text: string;
  readonly #isSecret: (name: string) => boolean;
  /** The names of the open elements, beginning with the outermost secret element. Empty outside secret elements. */
  readonly #openElements: string[] = [];
  #output = "";

  constructor(text: string, isSecret: (name: string) => boolean) {
    this.#text = text;
    this.#isSecret = isSecret;
  }

  redact(): string {
    const text = this.#text;
    let run = 0;
    let offset = text.indexOf("<");
    while (offset >= 0) {
      if (/^<!DOCTYPE[^[>]*\[/i.test(text.slice(offset, offset + 1_024))) {
        // The declarations in a document type can contain secret text, so the rest of the document is left out.
        this.#addText(run, offset);
        return `${this.#output}<!DOCTYPE ${mask}`;
      }
      const end = this.#findMarkupEnd(offset);
      if (end !== undefined) {
        // A processing instruction has no structure, so one that contains a secret word is replaced completely.
        if (text[offset + 1] === "?" && this.#isSecret(text.slice(offset, end))) {
          this.#addText(run, offset);
          this.#output += `<?${mask}?>`;
          run = end;
        }
        offset = text.indexOf("<", end);
        continue;
      }
      this.#addText(run, offset);
      const next = text[offset + 1] === "/" ? this.#endTag(offset) : this.#startTag(offset);
      if (next === undefined) {
        return this.#output + mask;
      }
      run = next;
      offset = text.indexOf("<", next);
    }
    this.#addText(run, text.length);
    return this.#output;
  }

  /** Returns the end of a comment, CDATA section, processing instruction or declaration; undefined for tags. */
  #findMarkupEnd(offset: number): number | undefined {
    const start = ["<!--", "<![CDATA[", "<?", "<!"].find((text) => this.#text.startsWith(text, offset));
    if (start === undefined) {
      return undefined;
    }
    const close = { "<!--": "-->", "<![CDATA[": "]]>", "<?": "?>" }[start] ?? ">";
    const end = this.#text.indexOf(close, offset + start.length);
    return end < 0 ? this.#text.length : end + close.length;
  }

  /** Adds text, comments and CDATA sections between two tags. */
  #addText(start: number, end: number): void {
    const run = this.#text.slice(start, end);
    if (this.#openElements.length > 0) {
      this.#output += /\S/.test(run) ? mask : run;
    } else {
      // Comments and CDATA sections can themselves contain elements with secrets, so they are scanned too.
      this.#output += run
        .split(/(<[!?])/)
        .map((text) => (/<[^!?]/.test(text) ? new XmlScanner(text, this.#isSecret).redact() : text))
        .join("");
    }
  }

  /**
   * Returns the end of an end tag. Inside a secret element, returns undefined for a tag that does not match the
   * innermost open element.
   */
  #endTag(offset: number): number | undefined {
    const close = this.#text.indexOf(">", offset);
    const end = close < 0 ? this.#text.length : close + 1;
    const tag = this.#text.slice(offset, end);
    if (this.#openElements.length > 0 && this.#openElements.pop() !== tag.slice(2, -1).trimEnd()) {
      return undefined;
    }
    this.#output += tag;
    return end;
  }

  /** Returns the end of a start tag; undefined if an attribute with a secret value is not valid. */
  #startTag(start: number): number | undefined {
    const text = this.#text;
    const name = matchAt(/[^\s/<>]*/y, text, start + 1);
    const isInside = this.#openElements.length > 0;
    let offset = start + 1 + name.length;
    this.#output += `<${name}`;
    const isSecret = isInside || this.#isSecretElement(name, start);
    for (;;) {
      const gap = matchAt(/[\s/]*/y, text, offset);
      const attribute = matchAt(/[^\s=/<>]+\s*=\s*|[^\s=/<>]+|=/y, text, offset + gap.length);
      this.#output += gap + attribute;
      offset += gap.length + attribute.length;
      if (attribute === "") {
        const isEmpty = gap.endsWith("/");
        const isComplete = text[offset] === ">";
        this.#output += isComplete ? ">" : "";
        if (isSecret && !isEmpty) {
          this.#openElements.push(name);
        }
        return isComplete ? offset + 1 : offset;
      }
      if (attribute.includes("=")) {
        const value = matchAt(/"[^"<]*"?|'[^'<]*'?|[^\s<>]*/y, text, offset);
        offset += value.length;
        const isHidden = this.#isSecretAttribute(attribute.replace(/\s*=\s*$/, ""), isSecret);
        if (isHidden && /[^\s/>]/.test(text[offset] ?? " ")) {
          return undefined;
        }
        this.#output += isHidden ? `"${mask}"` : value;
      }
    }
  }

  #isSecretElement(name: string, start: number): boolean {
    const local = getLocalName(name);
    // In WS-Security, only the password and the nonce of a username token are secret, not the whole `UsernameToken`
    // element.
    const isContainer = local === "UsernameToken" && /^<[^<>]*>\s*<[^!?/]/.test(this.#text.slice(start, start + 1_024));
    return !isContainer && this.#isSecret(local);
  }

  #isSecretAttribute(name: string, isInSecret: boolean): boolean {
    const local = getLocalName(name);
    return (
      this.#isSecret(local) ||
      (isInSecret && !/^xmlns(?::|$)/.test(name) && !describingAttributes.has(local.toLowerCase()))
    );
  }
}

function getLocalName(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1);
}

function matchAt(pattern: RegExp, text: string, offset: number): string {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0] ?? "";
}

/** Not a literal, because V8 takes 0.4 ms to read this class, and reads literals when a module is loaded. */
const otherThanLetters = "[^\\p{L}\\p{N}]";

function keepLetters(text: string): string {
  return text.toLowerCase().replaceAll(new RegExp(otherThanLetters, "gu"), "");
}

function decodePercent(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/**
 * Decodes a string in which each character represents one byte of UTF-8. A string that is only ASCII, or that has
 * characters above U+00FF, stays unchanged.
 */
function decodeUtf8(text: string): string {
  return /^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(text) ? new TextDecoder().decode(encodeBinary(text)) : text;
}

/** Maps each byte to one character (Latin-1), so that all bytes outside secrets stay unchanged. */
function decodeBinary(bytes: Uint8Array): string {
  let text = "";
  for (let offset = 0; offset < bytes.length; offset += 8_192) {
    text += String.fromCharCode(...bytes.subarray(offset, offset + 8_192));
  }
  return text;
}

function encodeBinary(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/**
 * Passes a message to the user's function. If this function throws, the call continues, and `onFailure` receives the
 * exception.
 */
export function writeMessage(
  { write }: RecordOptions,
  message: RecordedMessage,
  onFailure: (error: unknown) => void,
): void {
  try {
    const result: unknown = write(message);
    Promise.resolve(result).catch(onFailure);
  } catch (error) {
    onFailure(error);
  }
}
