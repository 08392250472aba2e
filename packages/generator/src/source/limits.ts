import { schemaLimits, type XmlLimits } from "@bothends/xml";

/** How much the sources may be. 0 means zero; `--limit name=value` sets one. */
export interface SourceLimits extends XmlLimits {
  /** Of one file. */
  readonly fileBytes: number;
  /** Of all files together. */
  readonly inputBytes: number;
  readonly inputFiles: number;
  /** Files on one chain of imports, from the first on. */
  readonly imports: number;
}

const mebibyte = 1024 * 1024;

export const sourceLimits: SourceLimits = {
  ...schemaLimits,
  fileBytes: 16 * mebibyte,
  inputBytes: 64 * mebibyte,
  inputFiles: 256,
  imports: 32,
};
