/**
 * Whether a value is a `Uint8Array`, also one of another realm: in a test environment such as jsdom, those of Node are
 * no instances of the global `Uint8Array`.
 */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || Object.prototype.toString.call(value) === "[object Uint8Array]";
}

/** Returns the pieces one after another, as one array. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

/** Encodes bytes as Base64. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  // In pieces, because a function cannot have an argument for each byte of a large array.
  for (let offset = 0; offset < bytes.length; offset += 8_192) {
    text += String.fromCharCode(...bytes.subarray(offset, offset + 8_192));
  }
  return btoa(text);
}

/** Decodes Base64. Throws for text that is not Base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
