import { XmlError } from "@bothends/xml";
import type { Code } from "./catalogue/index.js";
import type { Diagnostics } from "./diagnostics.js";
import type { SourceText, Span } from "./span.js";

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
  diagnostics.error(codes.get(problem.code) ?? "XML001", spanOfProblem(problem, source), {
    message:
      problem.limit === undefined
        ? sentence(problem.message)
        : `Over the limit ${problem.limit.name}, which is ${problem.limit.value}.`,
    help: problem.limit && `--limit ${problem.limit.name}=<number> sets another.`,
  });
}

/** The document has a document type declaration: nothing in it was read, and nothing of it is. */
export function isDoctype(problem: unknown): problem is XmlError {
  return problem instanceof XmlError && problem.code === "xml.dtd";
}

/** Reports that a document was not read, and what stands in for it. */
export function reportReplaced(
  problem: XmlError,
  { source, standIn }: { readonly source: SourceText; readonly standIn: string },
  diagnostics: Diagnostics,
): void {
  diagnostics.warning("XML019", spanOfProblem(problem, source), {
    message: `The document has a document type declaration, and is not read; ${standIn} stands in for it.`,
    help: "Remove the declaration, and the document itself is read.",
  });
}

function spanOfProblem(problem: XmlError, source: SourceText): Span {
  const start = Math.min(problem.offset, source.text.length);
  return { source, start, end: Math.min(start + 1, source.text.length) };
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
