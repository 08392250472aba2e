/** A text or value outside a simple type; the codec adds the path and turns it into a DecodeError or EncodeError. */
export class LexicalError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "LexicalError";
  }
}
