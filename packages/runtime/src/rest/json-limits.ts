// The code for REST answers that all clients load: the headers of WordPress, and the limits of JSON. Other functions for JSON are
// in `php-json.ts`.

/** The header with the nonce of a session in WordPress. */
export const nonceHeader = "X-WP-Nonce";
/** The header with the number of items in a collection. */
export const totalHeader = "X-WP-Total";
/** The header with the number of pages of a collection. */
export const pagesHeader = "X-WP-TotalPages";

/** The limits of a JSON body: its depth, and its numbers of object keys and list items. */
export interface JsonLimits {
  readonly jsonDepth: number;
  readonly jsonKeys: number;
  readonly jsonItems: number;
}

/**
 * Matches every JSON text whose value may contain a name such as `__proto__`, an infinite number, or a lone surrogate. PHP escapes
 * all characters above ASCII, so the pattern matches only escapes that could hide one of these: escapes after a backslash, of ASCII
 * characters, and of half a surrogate pair.
 */
export const mayBeForbidden =
  /__proto__|constructor|\\\\u|\\u00[0-7]|\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]|(?:^|[:,[\s])-?\d[\d.]*[eE]\+?\d{2}|(?<!\d)\d{300}/;

/**
 * Returns the limit that a JSON text exceeds; undefined if it exceeds none. Counts in the text, before `JSON.parse` could
 * create too large a value.
 */
export function exceededLimit(text: string, limits: JsonLimits): keyof JsonLimits | undefined {
  const openListFlags: boolean[] = [];
  let keyCount = 0;
  let itemCount = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    switch (code) {
      case 0x22:
        at = stringEnd(text, at);
        break;
      case 0x5b:
      case 0x7b:
        openListFlags.push(code === 0x5b);
        if (openListFlags.length > limits.jsonDepth) {
          return "jsonDepth";
        }
        if (code === 0x5b && !isEmptyList(text, at)) {
          itemCount += 1;
        }
        break;
      case 0x5d:
      case 0x7d:
        openListFlags.pop();
        break;
      case 0x3a:
        keyCount += 1;
        if (keyCount > limits.jsonKeys) {
          return "jsonKeys";
        }
        break;
      case 0x2c:
        if (openListFlags.at(-1) === true) {
          itemCount += 1;
        }
        break;
    }
    if (itemCount > limits.jsonItems) {
      return "jsonItems";
    }
  }
  return undefined;
}

const emptyList = /\[[ \t\n\r]*\]/y;

function isEmptyList(text: string, at: number): boolean {
  emptyList.lastIndex = at;
  return emptyList.test(text);
}

/** Returns the offset of the quote that ends the string at `start`. */
function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) {
      slashes += 1;
    }
    if (slashes % 2 === 0) {
      return end;
    }
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}
