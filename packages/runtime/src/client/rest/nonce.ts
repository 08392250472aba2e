import type { ClientAnswer, ClientRequest, Hooks } from "../hooks.js";

/** Where the nonce of a WordPress session comes from. */
export interface NonceOptions {
  /** The nonce that the page holds, if any. */
  readonly nonce?: string | undefined;
  /** A fresh one: the text of `admin-ajax.php?action=rest-nonce`, for one. */
  readonly refresh: () => string | Promise<string>;
}

/**
 * Hooks that send the nonce WordPress wants beside its login cookies, keep the newer one that an answer brings, and ask for a
 * fresh one, once a call, when the site says that it has expired.
 */
export function restNonce({ nonce, refresh }: NonceOptions): Hooks {
  let current = nonce;
  return {
    async before(request) {
      current ??= await refresh();
      return withNonce(request, current);
    },
    async again(answer, request) {
      if (answer.status !== 403 || errorCode(answer) !== "rest_cookie_invalid_nonce") return undefined;
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

/** The code of an error body, which is small. */
function errorCode({ body }: ClientAnswer): unknown {
  if (body.length > 65_536) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === "object" && value !== null && "code" in value ? value.code : undefined;
  } catch {
    return undefined;
  }
}
