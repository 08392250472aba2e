import type { ClientAnswer, ClientRequest, Hooks } from "../hooks.js";

/** The source of the nonces of a WordPress session. */
export interface NonceOptions {
  /** The nonce in the page, if it has one. */
  readonly nonce?: string | undefined;
  /** Returns a new nonce, for example the text of `admin-ajax.php?action=rest-nonce`. */
  readonly refresh: () => string | Promise<string>;
}

/**
 * Hooks that send the nonce that WordPress requires with its login cookies, and replace it with the newer one in an answer.
 * When the site reports that a nonce has expired, the call is repeated once with a new one.
 */
export function restNonce({ nonce, refresh }: NonceOptions): Hooks {
  let current = nonce;
  return {
    async before(request) {
      current ??= await refresh();
      return withNonce(request, current);
    },
    async again(answer, request) {
      if (answer.status !== 403 || errorCode(answer) !== "rest_cookie_invalid_nonce") {
        return undefined;
      }
      current = await refresh();
      return withNonce(request, current);
    },
    after(answer) {
      current = answer.headers.get("x-wp-nonce") ?? current;
    },
  };
}

function withNonce(request: ClientRequest, nonce: string): ClientRequest {
  return { ...request, headers: { ...request.headers, "X-WP-Nonce": nonce } };
}

/** The code in an error body; long bodies are not read. */
function errorCode({ body }: ClientAnswer): unknown {
  if (body.length > 65_536) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === "object" && value !== null && "code" in value ? value.code : undefined;
  } catch {
    return undefined;
  }
}
