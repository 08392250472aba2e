import { XmlError } from "@bothends/xml";
import type { Code } from "./catalogue/index.js";
import type { Diagnostics } from "./diagnostics.js";
import type { SourceText } from "./span.js";

const codes: ReadonlyMap<string, Code> = new Map<string, Code>([
  ["xml.dtd", "XML002"],
  ["xml.encoding", "XML003"],
  ["limit.depth", "XML010"],
  ["limit.attributes", "XML011"],
  ["limit.namespaces", "XML012"],
  ["limit.attributeChars", "XML013"],
  ["limit.children", "XML014"],
  ["limit.nodes", "XML015"],
  ["limit.textChars", "XML016"],
  ["limit.name", "XML017"],
  ["limit.comments", "XML018"],
]);

/** Reports what the XML reader threw, at its place. Anything else than an `XmlError` is a mistake of ours and thrown on. */
export function reportXmlProblem(problem: unknown, source: SourceText, diagnostics: Diagnostics): void {
  if (!(problem instanceof XmlError)) throw problem;
  const start = Math.min(problem.offset, source.text.length);
  const span = { source, start, end: Math.min(start + 1, source.text.length) };
  diagnostics.error(codes.get(problem.code) ?? "XML001", span, {
    message:
      problem.limit === undefined
        ? sentence(problem.message)
        : `Over the limit ${problem.limit.name}, which is ${problem.limit.value}.`,
    help: problem.limit && `--limit ${problem.limit.name}=<number> sets another.`,
  });
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
