import type { CodecOptions } from "../../codec/options.js";

type CodecClass<Codec> = new (options: CodecOptions) => Codec;

/** Codecs of one set of options, each made once, when a protocol asks for it: what none imports is not shipped. */
export class Codecs {
  readonly #options: CodecOptions;
  readonly #made = new Map<CodecClass<unknown>, unknown>();

  constructor(options: CodecOptions) {
    this.#options = options;
  }

  of<Codec>(codecClass: CodecClass<Codec>): Codec {
    const known = this.#made.get(codecClass);
    if (known instanceof codecClass) return known;
    const made = new codecClass(this.#options);
    this.#made.set(codecClass, made);
    return made;
  }
}
