import { codePointName } from "./characters.js";
import { XmlError, type XmlErrorCode } from "./error.js";
import type { XmlLimits } from "./limits.js";
import { positionOf } from "./position.js";

/** The error for what is wrong at an offset of a text. */
export function refusal(
  text: string,
  offset: number,
  message: string,
  code: XmlErrorCode = "xml.not-well-formed",
): XmlError {
  return new XmlError(code, message, { offset, ...positionOf(text, offset) });
}

/** The error for a limit that the text passes at an offset; it names the option that raises it. */
export function limitRefusal(text: string, offset: number, limits: XmlLimits, name: keyof XmlLimits): XmlError {
  const value = limits[name];
  return new XmlError(
    `limit.${name}`,
    `The document passes the limit ${name} = ${value}; the option limits.${name} sets it.`,
    {
      offset,
      ...positionOf(text, offset),
      limit: { name, value },
    },
  );
}

/** The error for a character that XML 1.0 §2.2 forbids. */
export function characterRefusal(text: string, offset: number): XmlError {
  return refusal(text, offset, `XML forbids the character ${codePointName(text, offset)}.`, "xml.character");
}
