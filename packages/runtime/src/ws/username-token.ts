import { emptyContext } from "@bothends/datatypes/simple-type";
import type { Hooks } from "../client/hooks.js";
import type { AnyElement } from "../descriptor.js";
import type { SoapVersion } from "../protocol/soap/envelope.js";
import { mustUnderstand } from "../protocol/soap/envelope.js";
import { base64Binary } from "../xs.js";
import { soapRequest, withHeaderBlocks } from "./add-header-blocks.js";

const wsse = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
const wsu = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
const profile = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0";
const base64 = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary";

/** Options of `usernameToken`. */
export interface UsernameTokenOptions {
  readonly username: string;
  /** If absent, the token has only the name. */
  readonly password?: string | undefined;
  /**
   * `text` sends the password unencrypted: use TLS. `digest` sends a SHA-1 digest of nonce, time and password. Default
   * `text`.
   */
  readonly type?: "text" | "digest" | undefined;
  /** Seconds until the message expires: adds a `wsu:Timestamp`. */
  readonly lifetime?: number | undefined;
  /** Default 16 random bytes. */
  readonly nonce?: (() => Uint8Array) | undefined;
  /** Default: the system clock. */
  readonly clock?: (() => Date) | undefined;
}

/** Hooks that add a new `wsse:UsernameToken` to every SOAP request (OASIS WSS UsernameToken Profile 1.0). */
export function usernameToken(options: UsernameTokenOptions): Hooks {
  return {
    async before(request) {
      const message = soapRequest(request);
      return withHeaderBlocks(message, [await usernameTokenHeader(options, message.version)]);
    },
  };
}

/** The `wsse:Security` block with a token. */
export async function usernameTokenHeader(options: UsernameTokenOptions, version: SoapVersion): Promise<AnyElement> {
  const { username, password, type = "text", lifetime, clock = () => new Date() } = options;
  const now = clock();
  const created = element(wsu, "Created", [now.toISOString()]);
  const secret =
    password === undefined
      ? []
      : type === "text"
        ? [passwordElement("PasswordText", password)]
        : await digestElements(password, { created: now.toISOString(), nonce: (options.nonce ?? randomNonce)() });
  const token = element(wsse, "UsernameToken", [
    element(wsse, "Username", [username]),
    ...secret,
    ...(type === "digest" && password !== undefined ? [created] : []),
  ]);
  const timestamp = lifetime === undefined ? [] : [timestampElement(now, lifetime)];
  return {
    name: `{${wsse}}Security`,
    attributes: [mustUnderstand(version)],
    content: [...timestamp, token],
  };
}

function timestampElement(now: Date, lifetime: number): AnyElement {
  const expires = new Date(now.getTime() + lifetime * 1000);
  return element(wsu, "Timestamp", [
    element(wsu, "Created", [now.toISOString()]),
    element(wsu, "Expires", [expires.toISOString()]),
  ]);
}

/** UsernameToken Profile 1.0 §3.1: Base64(SHA-1(nonce + created + password)). */
async function digestElements(
  password: string,
  { nonce, created }: { readonly nonce: Uint8Array; readonly created: string },
): Promise<readonly AnyElement[]> {
  const rest = new TextEncoder().encode(created + password);
  const bytes = new Uint8Array(nonce.length + rest.length);
  bytes.set(nonce);
  bytes.set(rest, nonce.length);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-1", bytes));
  return [
    passwordElement("PasswordDigest", base64Text(digest)),
    { ...element(wsse, "Nonce", [base64Text(nonce)]), attributes: [{ name: "EncodingType", value: base64 }] },
  ];
}

function passwordElement(type: string, text: string): AnyElement {
  return { ...element(wsse, "Password", [text]), attributes: [{ name: "Type", value: `${profile}#${type}` }] };
}

function element(namespace: string, name: string, content: readonly (string | AnyElement)[]): AnyElement {
  return { name: `{${namespace}}${name}`, content };
}

function base64Text(bytes: Uint8Array): string {
  return base64Binary.write(bytes, { ...emptyContext });
}

function randomNonce(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(16));
}
