/** The encodings in which servers write answers (RFC 9110 §8.4.1). */
export type AnswerEncoding = "gzip" | "br";

/**
 * The encoding for an answer, by an `Accept-Encoding` header (RFC 9110 §12.5.3): of the supported ones that with the highest
 * weight, of equal ones the first. Undefined if the header is absent or accepts none.
 */
export function answerEncoding(
  header: string | undefined,
  supported: readonly AnswerEncoding[],
): AnswerEncoding | undefined {
  if (header === undefined) {
    return undefined;
  }
  // By far the most frequent headers accept gzip without a weight.
  const weights = header.includes(";") || header.includes("*") ? weightsOf(header) : plainWeights(header);
  let chosen: AnswerEncoding | undefined;
  let highest = 0;
  for (const encoding of supported) {
    const weight = weights.get(encoding) ?? weights.get("*") ?? 0;
    if (weight > highest) {
      chosen = encoding;
      highest = weight;
    }
  }
  return chosen;
}

function plainWeights(header: string): ReadonlyMap<string, number> {
  return new Map(header.split(",").map((item) => [codingOf(item), 1]));
}

function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.split(",")) {
    const [coding = "", ...parameters] = item.split(";");
    const weight = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)?.[1]).find(Boolean);
    weights.set(codingOf(coding), weight === undefined ? 1 : Number(weight));
  }
  return weights;
}

function codingOf(text: string): string {
  const coding = text.trim().toLowerCase();
  return coding === "x-gzip" ? "gzip" : coding;
}
