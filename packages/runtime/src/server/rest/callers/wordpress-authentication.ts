import { RefusalCause, RestError } from "../../../answer-errors.js";
import { BothendsError } from "../../../errors.js";
import { decodeBase64 } from "../../../http/bytes.js";
import { replaceUnreadable } from "../../../observe/incidents.js";
import { checkOptionsOf, requireAny } from "../../../option-checks.js";
import { functionType, type OptionTypes } from "../../../option-types.js";
import { nonceAdvice } from "../permission.js";
import type { NonceResult, RestContext, RestServerOptions } from "../service.js";

/**
 * Functions that identify the users of a site as WordPress does. If one of them is missing, its kind of authentication
 * is turned off.
 */
export interface WordpressUsers<User extends NonNullable<unknown>> {
  /**
   * Finds the user who has a login name or e-mail address and an application password. WordPress shows these passwords
   * in groups of four characters; the function receives them without the spaces. Return undefined or null if the user
   * is unknown or the password is wrong. Compare hashes, in constant time.
   */
  readonly applicationPassword?:
    | ((login: string, password: string) => User | undefined | null | Promise<User | undefined | null>)
    | undefined;
  /**
   * Finds the user of the session to which the cookies of a request belong. The values of the cookies are not decoded.
   * Return undefined or null if there is no session.
   */
  readonly session?:
    | ((cookies: ReadonlyMap<string, string>) => User | undefined | null | Promise<User | undefined | null>)
    | undefined;
  /**
   * Returns whether a nonce is valid for a user, with the same results as `verifyNonce`. The user is undefined for an
   * anonymous caller. Required if `session` is set.
   */
  readonly nonce?: ((nonce: string, user: User | undefined) => NonceResult | Promise<NonceResult>) | undefined;
}

/** The options of a REST server that `wordpressAuthentication` returns. */
export type WordpressAuthentication<User extends NonNullable<unknown>> = Required<
  Pick<RestServerOptions<User | undefined>, "authenticate" | "verifyNonce">
>;

const userTypes: OptionTypes<WordpressUsers<NonNullable<unknown>>> = {
  applicationPassword: functionType,
  session: functionType,
  nonce: functionType,
};

/**
 * Authenticates callers as WordPress does: programs with an application password (Basic), and pages with a session
 * cookie and a nonce (`X-WP-Nonce`, or `_wpnonce` in the query). Pass the result as options: `contentRoutes(handlers, {
 * ...wordpressAuthentication({ session, nonce }), authorize })`.
 *
 * The principal is the user, or undefined for an anonymous caller. As in WordPress, a cookie without a nonce is
 * ignored, an invalid nonce is refused with `rest_cookie_invalid_nonce` (403), and a wrong password is refused with
 * `incorrect_password` (401). Basic credentials take precedence over a cookie. `Authorization` headers of other schemes
 * are ignored.
 */
export function wordpressAuthentication<User extends NonNullable<unknown>>(
  users: WordpressUsers<User>,
): WordpressAuthentication<User> {
  checkOptionsOf("wordpressAuthentication", users, userTypes);
  requireAny("wordpressAuthentication", users, ["applicationPassword", "session"], "no caller is known");
  if (users.session !== undefined) {
    requireAny("wordpressAuthentication", users, ["nonce"], "no session is accepted");
  }
  const { applicationPassword, session, nonce: isValid = () => false } = nameFailures(users);

  async function findSessionUser(headers: ReadonlyMap<string, string>): Promise<User | undefined> {
    const header = headers.get("cookie");
    return header === undefined ? undefined : (await session?.(listCookiesIn(header))) || undefined;
  }

  async function findUser({ headers, nonce }: Pick<RestContext, "headers" | "nonce">): Promise<User | undefined> {
    const credentials = applicationPassword && findBasicCredentials(headers.get("authorization"));
    if (applicationPassword !== undefined && credentials !== undefined) {
      const user = await applicationPassword(credentials.login, credentials.password.replace(/\s/g, ""));
      // In JavaScript, the function could also return false.
      if (!user) {
        throw createWrongPasswordError(credentials.login);
      }
      return user;
    }
    if (nonce === undefined) {
      return undefined;
    }
    const user = await findSessionUser(headers);
    const result = await isValid(nonce, user);
    if (result !== true && result !== 1 && result !== 2) {
      throw createInvalidNonceError();
    }
    return user;
  }

  return {
    authenticate: findUser,
    // As in WordPress, a request with a password needs no nonce. A request to which a browser may have added the
    // password for a page of another site has already been refused.
    verifyNonce: async (nonce, headers) =>
      (applicationPassword !== undefined && findBasicCredentials(headers.get("authorization")) !== undefined) ||
      isValid(nonce, await findSessionUser(headers)),
  };
}

/** Returns the functions of a site. If one throws, the error names it, unless it is an error for the client. */
function nameFailures<User extends NonNullable<unknown>>(users: WordpressUsers<User>): WordpressUsers<User> {
  const name = <Parameters extends readonly unknown[], Result>(
    option: keyof WordpressUsers<User>,
    run: ((...parameters: Parameters) => Result | Promise<Result>) | undefined,
  ) =>
    run &&
    (async (...parameters: Parameters): Promise<Result> => {
      try {
        return await run(...parameters);
      } catch (error) {
        if (error instanceof BothendsError) {
          throw error;
        }
        const message = `The function "${option}" of wordpressAuthentication threw an exception.`;
        throw new Error(message, { cause: replaceUnreadable(error) });
      }
    });
  return {
    applicationPassword: name("applicationPassword", users.applicationPassword),
    session: name("session", users.session),
    nonce: name("nonce", users.nonce),
  };
}

function createWrongPasswordError(login: string): RestError {
  const message = "The provided password is an invalid application password.";
  const cause = new RefusalCause("The user is unknown, or the application password is wrong.", login);
  return new RestError({ code: "incorrect_password", message, status: 401, cause });
}

function createInvalidNonceError(): RestError {
  const cause = new RefusalCause(`The nonce was refused. ${nonceAdvice}`);
  return new RestError({ code: "rest_cookie_invalid_nonce", message: "Cookie check failed", status: 403, cause });
}

/**
 * Reads the credentials of Basic authentication, in UTF-8 (RFC 7617 §2). Returns undefined for another scheme and for
 * invalid credentials.
 */
function findBasicCredentials(
  header: string | undefined,
): { readonly login: string; readonly password: string } | undefined {
  const [, encodedCredentials] = /^Basic +([A-Za-z0-9+/]+=*) *$/i.exec(header ?? "") ?? [];
  if (encodedCredentials === undefined) {
    return undefined;
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(decodeBase64(encodedCredentials));
    const colon = text.indexOf(":");
    return colon < 1 ? undefined : { login: text.slice(0, colon), password: text.slice(colon + 1) };
  } catch {
    return undefined;
  }
}

/** Reads a `Cookie` header (RFC 6265 §4.2). If several cookies have the same name, the first is used. */
function listCookiesIn(header: string): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    if (name !== "" && !cookies.has(name)) {
      cookies.set(name, pair.slice(equals + 1).trim());
    }
  }
  return cookies;
}
