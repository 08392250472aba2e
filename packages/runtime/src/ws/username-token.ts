// The `wsse:UsernameToken` of WS-Security as clients send it, and the parts that clients and servers share.

import type { Hooks } from "../client/hooks.js";
import type { AnyElement } from "../descriptor.js";
import { encodeBase64 } from "../http/bytes.js";
import { checkOptionsOf } from "../option-checks.js";
import { createChoice, functionType, type OptionTypes, required, secondsType, stringType } from "../option-types.js";
import { createMustUnderstand, type SoapVersion } from "../protocol/soap/envelope.js";
import { describeValue } from "../value-problems.js";
import { readSoapRequest, withHeaderBlocks } from "./header-blocks.js";

/** The namespaces of WS-Security, and the prefix of the identifiers of its password types. */
export const wsse = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
export const wsu = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
export const tokenProfile = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0";
const base64Encoding = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary";

/** Options of `usernameToken`. */
export interface UsernameTokenOptions {
  readonly username: string;
  /** The password of the user. If absent, the token contains only the user name. */
  readonly password?: string | undefined;
  /**
   * How the password is sent. `text` sends it unencrypted, so TLS is needed. `digest` sends a SHA-1 digest of the
   * nonce, the time and the password. Default `text`.
   */
  readonly type?: "text" | "digest" | undefined;
  /** The time in seconds after which the message expires. If set, a `wsu:Timestamp` is added to the message. */
  readonly lifetime?: number | undefined;
  /** Creates the nonce of a digest. Default: 16 random bytes. */
  readonly nonce?: (() => Uint8Array) | undefined;
  /** Returns the current time. Default: the time of the system clock. */
  readonly clock?: (() => Date) | undefined;
}

/** Hooks that add a new `wsse:UsernameToken` to every SOAP request (OASIS WSS UsernameToken Profile 1.0). */
export function usernameToken(options: UsernameTokenOptions): Hooks {
  checkOptionsOf("usernameToken", options, optionTypes);
  return {
    async before(request) {
      const message = readSoapRequest(request);
      return withHeaderBlocks(message, [await createTokenHeader(options, message.version)]);
    },
  };
}

/** Creates the header block `wsse:Security` with a token. */
export async function usernameTokenHeader(options: UsernameTokenOptions, version: SoapVersion): Promise<AnyElement> {
  checkOptionsOf("usernameTokenHeader", options, optionTypes);
  return createTokenHeader(options, version);
}

const optionTypes: OptionTypes<UsernameTokenOptions> = {
  username: required(stringType),
  password: stringType,
  type: createChoice("text", "digest"),
  lifetime: secondsType,
  nonce: functionType,
  clock: functionType,
};

async function createTokenHeader(options: UsernameTokenOptions, version: SoapVersion): Promise<AnyElement> {
  const { username, password, type = "text", lifetime } = options;
  const now = getCurrentTime(options);
  const created = createElement(wsu, "Created", [now.toISOString()]);
  const secret =
    password === undefined
      ? []
      : type === "text"
        ? [createPasswordElement("PasswordText", password)]
        : await createDigestElements(password, { created: now.toISOString(), nonce: (options.nonce ?? createNonce)() });
  const token = createElement(wsse, "UsernameToken", [
    createElement(wsse, "Username", [username]),
    ...secret,
    ...(type === "digest" && password !== undefined ? [created] : []),
  ]);
  const timestamp = lifetime === undefined ? [] : [createTimestampElement(now, lifetime)];
  return {
    name: `{${wsse}}Security`,
    attributes: [createMustUnderstand(version)],
    content: [...timestamp, token],
  };
}

function createTimestampElement(now: Date, lifetime: number): AnyElement {
  const expiryDate = new Date(now.getTime() + lifetime * 1000);
  return createElement(wsu, "Timestamp", [
    createElement(wsu, "Created", [now.toISOString()]),
    createElement(wsu, "Expires", [expiryDate.toISOString()]),
  ]);
}

async function createDigestElements(
  password: string,
  { nonce, created }: { readonly nonce: Uint8Array; readonly created: string },
): Promise<readonly AnyElement[]> {
  return [
    createPasswordElement("PasswordDigest", await computeDigest(nonce, created + password)),
    {
      ...createElement(wsse, "Nonce", [encodeBase64(nonce)]),
      attributes: [{ name: "EncodingType", value: base64Encoding }],
    },
  ];
}

function createPasswordElement(type: string, text: string): AnyElement {
  return {
    ...createElement(wsse, "Password", [text]),
    attributes: [{ name: "Type", value: `${tokenProfile}#${type}` }],
  };
}

function createElement(namespace: string, name: string, content: readonly (string | AnyElement)[]): AnyElement {
  return { name: `{${namespace}}${name}`, content };
}

function createNonce(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(16));
}

/**
 * Returns the time of the option `clock`. Throws for an invalid date, because with such a date, every message would be
 * too old.
 */
export function getCurrentTime({ clock = () => new Date() }: Pick<UsernameTokenOptions, "clock">): Date {
  const time: Partial<Date & Promise<unknown>> = clock();
  // Catches the rejection of a promise, because an unhandled rejection would end the process.
  time?.then?.(undefined, () => {});
  // `instanceof` is not used, because the date may come from another realm, as in test runners.
  const milliseconds = typeof time?.getTime === "function" ? time.getTime() : undefined;
  if (milliseconds === undefined || Number.isNaN(milliseconds)) {
    const description = milliseconds === undefined ? describeValue(time) : "an invalid date";
    throw new TypeError(`The function in the option "clock" returned ${description}. It must return a valid Date.`);
  }
  return time as Date;
}

/** The name in Clark notation of the WS-Security header block. Servers list it in the option `understands`. */
export const securityHeader: string = `{${wsse}}Security`;

/** Computes the digest of a password: Base64(SHA-1(nonce + created + password)) (UsernameToken Profile 1.0 §3.1). */
export async function computeDigest(nonce: Uint8Array, createdAndPassword: string): Promise<string> {
  const createdAndPasswordBytes = new TextEncoder().encode(createdAndPassword);
  const bytes = new Uint8Array(nonce.length + createdAndPasswordBytes.length);
  bytes.set(nonce);
  bytes.set(createdAndPasswordBytes, nonce.length);
  return encodeBase64(new Uint8Array(await crypto.subtle.digest("SHA-1", bytes)));
}
