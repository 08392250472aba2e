import { createScanner } from "jsonc-parser";
import type { Diagnostics } from "../../source/diagnostics.js";
import { limitHelp, type SourceLimits } from "../../source/limits.js";
import type { SourceText } from "../../source/span.js";

/** How large a JSON source may be. */
export type JsonLimits = Pick<SourceLimits, "jsonDepth" | "jsonKeys" | "jsonItems">;

// The scanner's token kinds; jsonc-parser declares them as a const enum, which separate compilation cannot import.
const openBrace = 1;
const closeBrace = 2;
const openBracket = 3;
const closeBracket = 4;
const comma = 5;
const colon = 6;
const endOfFile = 17;

const codes = { jsonDepth: "IDX008", jsonKeys: "LIM007", jsonItems: "LIM008" } as const;

/** Counts depth, keys and list items on the tokens alone, before anything is built; false once a limit is passed. */
export function withinJsonLimits(source: SourceText, limits: JsonLimits, diagnostics: Diagnostics): boolean {
  const scanner = createScanner(source.text, true);
  const inList: boolean[] = [];
  let keys = 0;
  let items = 0;
  for (let token = scanner.scan(); token !== endOfFile; token = scanner.scan()) {
    if (token === openBrace || token === openBracket) {
      inList.push(token === openBracket);
      if (token === openBracket) items += 1;
    } else if (token === closeBrace || token === closeBracket) inList.pop();
    else if (token === colon) keys += 1;
    else if (token === comma && inList.at(-1) === true) items += 1;

    const passed = passedLimit({ jsonDepth: inList.length, jsonKeys: keys, jsonItems: items }, limits);
    if (passed === undefined) continue;
    const start = scanner.getTokenOffset();
    diagnostics.error(
      codes[passed],
      { source, start, end: start + scanner.getTokenLength() },
      { message: `The JSON passes the limit ${passed}, which is ${limits[passed]}.`, help: limitHelp(passed, limits) },
    );
    return false;
  }
  return true;
}

function passedLimit(counts: JsonLimits, limits: JsonLimits): keyof JsonLimits | undefined {
  return (["jsonDepth", "jsonKeys", "jsonItems"] as const).find((name) => counts[name] > limits[name]);
}
