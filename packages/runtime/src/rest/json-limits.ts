// The code for REST answers that all clients load: the header names of WordPress, and the limits of JSON. The code that
// only some clients need is in `php-json.ts`.

/** The header with the nonce of a session in WordPress. */
export const nonceHeader = "X-WP-Nonce";
/** The header with the number of items in a collection. */
export const totalHeader = "X-WP-Total";
/** The header with the number of pages in a collection. */
export const pagesHeader = "X-WP-TotalPages";

/** Limits for a JSON body: its depth, the number of its object keys, and the number of its list items. */
export interface JsonLimits {
  readonly jsonDepth: number;
  readonly jsonKeys: number;
  readonly jsonItems: number;
}

/**
 * Matches every JSON text that may contain a name such as `__proto__`, an infinite number, or a lone surrogate. A `\u`
 * escape can hide one of these only if it encodes an ASCII character or a surrogate. An escaped backslash before a `u`
 * can look like such an escape. Other escapes do not match, because PHP escapes all characters above ASCII.
 */
export const possiblyForbiddenPattern =
  /__proto__|constructor|\\\\u|\\u00[0-7]|\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]|(?:^|[:,[\s])-?\d[\d.]*[eE]\+?\d{2}|(?<!\d)\d{300}/;

/**
 * Whether JSON is certainly within the limits. Counts in the text, because `JSON.parse` could create too large a value
 * before the limits are checked. List items and members share one count, so the result can be false for JSON that
 * reaches only half of a limit.
 */
export function isWithinLimits(text: string, { jsonDepth, jsonKeys, jsonItems }: JsonLimits): boolean {
  let depth = 0;
  let markCount = 0;
  for (let offset = 0; offset < text.length; offset += 1) {
    const code = text.charCodeAt(offset);
    if (code === 0x22) {
      offset = findStringEnd(text, offset);
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      markCount += 1;
      if (depth > jsonDepth) {
        return false;
      }
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1;
    } else if (code === 0x2c || code === 0x3a) {
      markCount += 1;
    }
  }
  return markCount <= Math.min(jsonKeys, jsonItems);
}

/** Returns the offset of the quotation mark that ends the string at `start`. */
export function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0) {
    let backslashCount = 0;
    while (text.charCodeAt(end - 1 - backslashCount) === 0x5c) {
      backslashCount += 1;
    }
    if (backslashCount % 2 === 0) {
      return end;
    }
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}
