import { anonymousReasons, RefusalCause, RestError, SoapFault } from "../answer-errors.js";
import type { AnyElement } from "../descriptor.js";
import { decodeBase64 } from "../http/bytes.js";
import { checkOptionsOf, requireAny } from "../option-checks.js";
import { createInterface, functionType, type OptionTypes, secondsType } from "../option-types.js";
import { envelopeNamespace, isForReceiver } from "../protocol/soap/envelope.js";
import { describeValue } from "../value-problems.js";
import { memoryReplayCache, type ReplayCache } from "./replay-cache.js";
import { computeDigest, getCurrentTime, securityHeader, tokenProfile, wsse, wsu } from "./username-token.js";

/** Options of `verifyUsernameToken`. */
export interface UsernameTokenVerification {
  /** Returns the password of a user; undefined for unknown users. Checking a digest requires the plain password. */
  readonly password?: ((username: string) => string | undefined | Promise<string | undefined>) | undefined;
  /** Checks a password that was sent as text. Replaces `password` on servers that store only hashes. */
  readonly verify?: ((username: string, password: string) => boolean | Promise<boolean>) | undefined;
  /** The time in seconds after its creation for which a message is accepted. Default 300. */
  readonly maxAge?: number | undefined;
  /** The time in seconds by which the clocks of clients may be ahead. Default 60. */
  readonly clockSkew?: number | undefined;
  /** The cache that remembers the accepted messages. Default: a cache in the memory of this process. */
  readonly replayCache?: ReplayCache | undefined;
  /** Returns the current time. Default: the time of the system clock. */
  readonly clock?: (() => Date) | undefined;
}

/** A user whose token was valid. */
export interface TokenUser {
  readonly username: string;
}

/** The part of a call that is needed to verify its token. */
interface CallWithHeaders {
  readonly extraSoapHeaders: readonly AnyElement[];
}

/**
 * Returns a function for the option `authenticate` of SOAP servers: `regRoutes(handlers, { understands:
 * [securityHeader], authenticate: verifyUsernameToken({ password }) })`. The function checks a `wsse:UsernameToken`, as
 * text or digest (OASIS WSS UsernameToken Profile 1.0), and a `wsu:Timestamp` if there is one. For a message without a
 * token, it returns undefined, and `authorize` can refuse the call. It throws a `SoapFault` for a token that is not
 * valid.
 */
export function verifyUsernameToken(
  options: UsernameTokenVerification,
): (call: CallWithHeaders) => Promise<TokenUser | undefined> {
  checkOptionsOf("verifyUsernameToken", options, optionTypes);
  requireAny("verifyUsernameToken", options, ["password", "verify"], "no token is valid");
  const { maxAge = 300, clockSkew = 60 } = options;
  const replayCache = options.replayCache ?? memoryReplayCache();
  return async (call) => {
    const receivedBlocks = call.extraSoapHeaders.filter(({ name }) => name === securityHeader);
    // Each receiver of a message has a Security header of its own (WSS SOAP Message Security 1.0 §5).
    const blocks = receivedBlocks.filter(isForThisServer);
    const tokens = blocks.flatMap((block) => listChildren(block, `{${wsse}}UsernameToken`));
    if (tokens.length === 0) {
      anonymousReasons.set(call, explainMissingToken(receivedBlocks, blocks));
      return undefined;
    }
    const [token] = tokens;
    const timestamps = blocks.flatMap((block) => listChildren(block, `{${wsu}}Timestamp`));
    if (token === undefined || tokens.length > 1 || timestamps.length > 1) {
      throw createSecurityFault("InvalidSecurity", "The security header has more than one token or timestamp.");
    }
    const verification = { maxAge, clockSkew, now: getCurrentTime(options).getTime(), replayCache, options };
    const [timestamp] = timestamps;
    try {
      if (timestamp !== undefined) {
        checkTimestamp(timestamp, verification);
      }
      return await verifyToken(token, verification);
    } catch (error) {
      addUserName(error, token);
      throw error;
    }
  };
}

/** Whether the `actor` or `role` of a header block names this server, or the block has none. */
function isForThisServer({ attributes = [] }: AnyElement): boolean {
  return attributes.every(
    ({ name, value }) =>
      (name !== `{${envelopeNamespace.soap11}}actor` || isForReceiver(value, "soap11")) &&
      (name !== `{${envelopeNamespace.soap12}}role` || isForReceiver(value, "soap12")),
  );
}

/** Explains to the operator why a message has no token for this server. */
function explainMissingToken(receivedBlocks: readonly AnyElement[], blocks: readonly AnyElement[]): string {
  if (receivedBlocks.length === 0) {
    return 'The service received no Security header of WS-Security, which must contain a UsernameToken: the request has none, or the option "understands" of the routes does not contain securityHeader.';
  }
  return blocks.length === 0
    ? "The Security header of the request is for another receiver, which its actor or role names."
    : "The Security header of the request has no UsernameToken.";
}

/** Adds the user name of a refused token for the operator. */
function addUserName(error: unknown, token: AnyElement): void {
  if (error instanceof Error && error.cause instanceof RefusalCause) {
    error.cause.username = getUntrimmedText(findChild(token, `{${wsse}}Username`));
  }
}

const optionTypes: OptionTypes<UsernameTokenVerification> = {
  password: functionType,
  verify: functionType,
  maxAge: secondsType,
  clockSkew: secondsType,
  replayCache: createInterface("add"),
  clock: functionType,
};

interface Verification {
  readonly maxAge: number;
  readonly clockSkew: number;
  /** The current time in milliseconds since 1970. */
  readonly now: number;
  readonly replayCache: ReplayCache;
  readonly options: UsernameTokenVerification;
}

/** Checks the timestamp of a message (WSS SOAP Message Security 1.0 §10). */
function checkTimestamp(timestamp: AnyElement, verification: Verification): void {
  const { now } = verification;
  const [created, expiryDate] = ["Created", "Expires"].map((name) => {
    const elements = listChildren(timestamp, `{${wsu}}${name}`);
    const instant = elements.length === 1 ? readInstant(elements[0]) : undefined;
    if (elements.length > 0 && instant === undefined) {
      throw createSecurityFault(
        "InvalidSecurity",
        "The timestamp is not valid: Created and Expires may each occur at most once, and must be valid times with a time zone.",
      );
    }
    return instant;
  });
  if (created !== undefined) {
    checkAge(created, verification);
  }
  if (expiryDate !== undefined && expiryDate <= now) {
    const difference = Math.round((now - expiryDate) / 1_000);
    const cause = new RefusalCause(
      `By this server's clock, the message expired ${difference} s ago. Check the clocks of client and server, and the lifetime that the client sets in Expires.`,
    );
    throw createSecurityFault("MessageExpired", "The message has expired.", { namespace: wsu, cause });
  }
}

function checkAge(created: number, { now, maxAge, clockSkew }: Verification): void {
  if (created > now + clockSkew * 1_000 || created < now - maxAge * 1_000) {
    const difference = Math.round(Math.abs(now - created) / 1_000);
    const direction = created > now ? "in the future" : "ago";
    // The times are only shown to the operator. They show whether the clocks of client and server differ.
    const cause = new RefusalCause(
      `By this server's clock, the message was created ${difference} s ${direction}. Allowed: maxAge = ${maxAge} s ago, clockSkew = ${clockSkew} s in the future.`,
    );
    throw createSecurityFault("MessageExpired", "The message was created too long ago, or in the future.", {
      namespace: wsu,
      cause,
    });
  }
}

async function verifyToken(token: AnyElement, verification: Verification): Promise<TokenUser> {
  // Spaces at the beginning and end are part of a user name and a password, so neither is trimmed.
  const username = getUntrimmedText(findChild(token, `{${wsse}}Username`));
  const password = findChild(token, `{${wsse}}Password`);
  if (username === undefined || password === undefined) {
    throw createAuthenticationFault("The token lacks the user name or the password.");
  }
  const type = password.attributes?.find(({ name }) => name === "Type")?.value ?? `${tokenProfile}#PasswordText`;
  if (type === `${tokenProfile}#PasswordDigest`) {
    await checkDigest(token, { username, digest: getText(password) ?? "" }, verification);
  } else if (type === `${tokenProfile}#PasswordText`) {
    await checkText(token, { username, sentPassword: getUntrimmedText(password) ?? "" }, verification);
  } else {
    throw createAuthenticationFault("The password has an unknown Type.");
  }
  return { username };
}

const wrongPasswordReason = "The user is unknown, or the password is wrong.";

/**
 * Checks a password that was sent as text. `Nonce` and `Created` are optional. Without a nonce, the replay cache is not
 * used, because two calls at the same instant have the same token.
 */
async function checkText(
  token: AnyElement,
  { username, sentPassword }: { readonly username: string; readonly sentPassword: string },
  verification: Verification,
): Promise<void> {
  const { nonce, created, mistakes } = readNonceAndCreated(token);
  if (mistakes.length > 0) {
    throw createAuthenticationFault(mistakes.join(" "));
  }
  if (created !== undefined) {
    checkAge(created.instant, verification);
  }
  await checkTextPassword(username, sentPassword, verification.options);
  if (nonce !== undefined) {
    const digest = await computeDigest(nonce, (created?.text ?? "") + sentPassword);
    await checkReplay({ username, digest }, verification);
  }
}

async function checkTextPassword(
  username: string,
  sentPassword: string,
  options: UsernameTokenVerification,
): Promise<void> {
  if (options.verify !== undefined) {
    const isRight: unknown = await options.verify(username, sentPassword);
    if (typeof isRight !== "boolean") {
      throw createAuthenticationFault(
        `The function "verify" returned ${describeValue(isRight)}. It must return true if the password is right, and false otherwise.`,
      );
    }
    if (!isRight) {
      throw createAuthenticationFault(wrongPasswordReason);
    }
    return;
  }
  const foundPassword: unknown = await options.password?.(username);
  const knownPassword = readPassword(foundPassword);
  // Compares the password even if the user is unknown, so that the time that this takes does not reveal whether the
  // user exists.
  if (!(await areEqual(sentPassword, knownPassword ?? "")) || knownPassword === undefined) {
    throw createAuthenticationFault(explainWrongPassword(foundPassword));
  }
}

/**
 * Returns a password that the option `password` has found; undefined for an unknown user. Accepts only strings, because
 * a function that looks up `__proto__` in an object returns an object, and anybody could send its text
 * `[object Object]` as the password.
 */
function readPassword(foundPassword: unknown): string | undefined {
  return typeof foundPassword === "string" ? foundPassword : undefined;
}

/** Returns the reason for a refused password, for the operator. */
function explainWrongPassword(foundPassword: unknown, reason = wrongPasswordReason): string {
  return foundPassword === undefined || foundPassword === null || typeof foundPassword === "string"
    ? reason
    : `The function "password" returned ${describeValue(foundPassword)} for the user. It must return a string, or undefined for an unknown user.`;
}

/** Checks the digest in a token, and remembers the message if the digest is valid. */
async function checkDigest(
  token: AnyElement,
  { username, digest }: { readonly username: string; readonly digest: string },
  verification: Verification,
): Promise<void> {
  const { options } = verification;
  const { nonce, nonceText, created, mistakes } = readNonceAndCreated(token);
  if (nonce === undefined || created === undefined) {
    const cause = ["A password digest requires the elements Nonce and Created.", ...mistakes].join(" ");
    throw createAuthenticationFault(cause);
  }
  checkAge(created.instant, verification);
  if (options.password === undefined) {
    throw createAuthenticationFault(
      'A password digest can be checked only with the option "password", not with the option "verify".',
    );
  }
  const foundPassword: unknown = await options.password?.(username);
  const knownPassword = readPassword(foundPassword);
  const expectedDigest = await computeDigest(nonce, created.text + (knownPassword ?? ""));
  if (!(await areEqual(digest, expectedDigest)) || knownPassword === undefined) {
    const overText = await computeDigest(new TextEncoder().encode(nonceText), created.text + (knownPassword ?? ""));
    const mistake = await findDigestMistake(digest, { expectedDigest, overText });
    const wrongDigestReason = knownPassword === undefined || mistake === "" ? unknownDigestReason : mistake;
    throw createAuthenticationFault(explainWrongPassword(foundPassword, wrongDigestReason));
  }
  await checkReplay({ username, digest: expectedDigest }, verification);
}

const unknownDigestReason =
  "The user is unknown, the password is wrong, or the client computes its digest (PasswordDigest) wrongly.";

/**
 * Returns the mistake in a digest of the right password, for the operator; "" if the digest has none of the known ones.
 * Computes and compares all of them, also for an unknown user, so that the time reveals nothing to the client.
 */
async function findDigestMistake(
  digest: string,
  { expectedDigest, overText }: { readonly expectedDigest: string; readonly overText: string },
): Promise<string> {
  const hex = formatHex(expectedDigest);
  const hexOverText = formatHex(overText);
  const lowerCaseDigest = digest.toLowerCase();
  const [isHex, isHexOverText, isEncodedHex, isEncodedHexOverText, isOverText] = await Promise.all([
    areEqual(lowerCaseDigest, hex),
    areEqual(lowerCaseDigest, hexOverText),
    areEqual(digest, btoa(hex)),
    areEqual(digest, btoa(hexOverText)),
    areEqual(digest, overText),
  ]);
  const hasHex = isHex || isHexOverText || isEncodedHex || isEncodedHexOverText;
  const hasText = isOverText || isHexOverText || isEncodedHexOverText;
  const mistakes = [hasHex ? hexReason : "", hasText ? nonceReason : ""].filter((reason) => reason !== "");
  return mistakes.length === 0
    ? ""
    : ["The password is right, but not its digest (PasswordDigest).", ...mistakes].join(" ");
}

const hexReason = "The digest is hexadecimal: it must be the Base64 of the 20 bytes of SHA-1.";
const nonceReason =
  "The digest is computed over the Base64 text of Nonce: it must be computed over the decoded bytes of Nonce.";

/** Converts Base64 to hexadecimal text in lower case. */
function formatHex(base64: string): string {
  return Array.from(decodeBase64(base64), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Reads the children `Nonce` and `Created` of a token. A child is undefined if it is absent, repeated or not valid;
 * `mistakes` then says, for the operator, what is wrong with those that are not absent.
 */
function readNonceAndCreated(token: AnyElement) {
  const nonces = listChildren(token, `{${wsse}}Nonce`);
  const dates = listChildren(token, `{${wsu}}Created`);
  const nonceText = nonces.length === 1 ? (getText(nonces[0]) ?? "") : "";
  const nonce = nonceText.length > maxNonceChars ? undefined : readNonce(nonceText);
  const instant = dates.length === 1 ? readInstant(dates[0]) : undefined;
  return {
    nonce,
    nonceText,
    created: instant === undefined ? undefined : { instant, text: getText(dates[0]) ?? "" },
    mistakes: [
      ...(nonces.length > 0 && nonce === undefined ? [describeNonceMistake(nonces, nonceText)] : []),
      ...(dates.length > 0 && instant === undefined ? [describeDateMistake(dates)] : []),
    ],
  };
}

const maxNonceChars = 1_024;

function describeNonceMistake(nonces: readonly AnyElement[], text: string): string {
  if (nonces.length > 1) {
    return "Nonce occurs more than once.";
  }
  if (text === "") {
    return "Nonce is empty.";
  }
  return text.length > maxNonceChars ? `Nonce is longer than ${maxNonceChars} characters.` : "Nonce is not Base64.";
}

function describeDateMistake(dates: readonly AnyElement[]): string {
  if (dates.length > 1) {
    return "Created occurs more than once.";
  }
  const text = getText(dates[0]) ?? "";
  if (text === "") {
    return "Created is empty.";
  }
  return readInstantOfText(`${text}Z`) === undefined
    ? "Created is not a valid time such as 2026-01-02T12:00:00Z."
    : "Created has no time zone, such as the Z of 2026-01-02T12:00:00Z.";
}

/** Remembers a valid message. Throws for a message that was received before, or that the cache cannot remember. */
async function checkReplay(
  { username, digest }: { readonly username: string; readonly digest: string },
  { replayCache, maxAge, clockSkew }: Verification,
): Promise<void> {
  let isNew: unknown;
  try {
    // The digest is the key, because the nonce and the user name can be written in several ways that result in the same
    // digest. It is remembered for one more second, because the clock of the cache may be ahead.
    isNew = await replayCache.add(digest, (maxAge + clockSkew + 1) * 1_000, username);
  } catch (error) {
    throw error instanceof RefusalCause ? createBusyError(error) : error;
  }
  // Redis answers null for a known key, and "OK" for a new one. An object, such as the Set itself, is no such answer.
  if (isNew === undefined || Object(isNew) === isNew) {
    throw new TypeError(
      `The function "add" of the option "replayCache" returned ${describeValue(isNew)}. It must return true for a new key, false for a known one.`,
    );
  }
  if (!isNew) {
    throw createAuthenticationFault("The message was received before: its digest is already in the replay cache.");
  }
}

/** Returns the error for a call that is valid, but cannot be remembered. It becomes a fault with the status 503. */
function createBusyError(cause: RefusalCause): RestError {
  const headers = new Map([["Retry-After", "1"]]);
  const message = "The server cannot accept more calls of this user now. Try again later.";
  return new RestError({ code: "rest_busy", message, status: 503, headers, cause });
}

/** Returns the bytes of a nonce. An empty nonce is not valid, because it would make the digest depend on time only. */
function readNonce(text: string): Uint8Array | undefined {
  try {
    const bytes = decodeBase64(text);
    return bytes.length === 0 ? undefined : bytes;
  } catch {
    return undefined;
  }
}

/** Compares the hashes of two strings, so that the time does not depend on where the strings first differ. */
async function areEqual(left: string, right: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const [leftHash, rightHash] = await Promise.all(
    [left, right].map(async (text) => new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)))),
  );
  let difference = 0;
  for (let index = 0; index < 32; index += 1) {
    difference |= (leftHash?.[index] ?? 0) ^ (rightHash?.[index] ?? 1);
  }
  return difference === 0;
}

function listChildren({ content = [] }: AnyElement, name: string): readonly AnyElement[] {
  return content.filter((item): item is AnyElement => typeof item !== "string" && item.name === name);
}

/** Finds the only child with a name; undefined if there is none, or if there are several. */
function findChild(element: AnyElement, name: string): AnyElement | undefined {
  const matchingChildren = listChildren(element, name);
  return matchingChildren.length === 1 ? matchingChildren[0] : undefined;
}

function getText(element: AnyElement | undefined): string | undefined {
  return getUntrimmedText(element)?.trim();
}

function getUntrimmedText(element: AnyElement | undefined): string | undefined {
  const content = element?.content ?? [];
  return element === undefined || content.some((item) => typeof item !== "string") ? undefined : content.join("");
}

/** Reads an `xsd:dateTime` with a time zone. Returns milliseconds since 1970. */
function readInstant(element: AnyElement | undefined): number | undefined {
  return readInstantOfText(getText(element) ?? "");
}

function readInstantOfText(text: string): number | undefined {
  // The fraction may have any number of digits (XML Schema Part 2 §3.2.7.1), of which the first three are used.
  const [, time, fraction = "", zone] = instantPattern.exec(text) ?? [];
  const instant = time === undefined ? Number.NaN : Date.parse(`${time}${fraction.slice(0, 4)}${zone}`);
  return Number.isNaN(instant) ? undefined : instant;
}

const instantPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Returns the fault for a token that is not valid. The client receives the same text for each cause; the operator
 * learns the cause.
 */
function createAuthenticationFault(cause: string): SoapFault {
  const reason = "The security token could not be authenticated or authorized.";
  return createSecurityFault("FailedAuthentication", reason, { cause: new RefusalCause(cause) });
}

/** Creates a fault with a code of WS-Security (WSS SOAP Message Security 1.0 §12). */
function createSecurityFault(
  code: string,
  reason: string,
  {
    namespace = wsse,
    cause = new RefusalCause(reason),
  }: { readonly namespace?: string; readonly cause?: RefusalCause } = {},
): SoapFault {
  return new SoapFault({ code: "Client", wireCode: `{${namespace}}${code}`, reason, cause });
}
