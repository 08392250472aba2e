import { PatternError } from "@bothends/datatypes/pattern";
import { completePattern, findValueText } from "@bothends/generator";

/** The texts of integers. */
const integerPattern = "(?:0|-?[1-9][0-9]*)";
/** The maximum number of patterns whose combinations are tried. */
const maxPatterns = 4;
/** The maximum length of texts that are searched for because schemas limit the length. */
const maxLength = 40;

/**
 * Lists texts that represent all texts which some patterns distinguish: for each combination of patterns, a text that
 * exactly these patterns match, an integer, a text with a letter, and a text of each length. `patterns` are patterns of
 * schemas, `pathPatterns` those of path variables. Returns undefined if the patterns are too complex to compare.
 */
export function listPatternTexts(
  { patterns, pathPatterns }: { readonly patterns: readonly string[]; readonly pathPatterns: readonly string[] },
  lengths: readonly number[],
): readonly string[] | undefined {
  // Servers do not check patterns that they cannot match in linear time.
  const checkedPatterns = [...new Set([...patterns.map(completePattern), ...pathPatterns])].filter(isSupported);
  if (checkedPatterns.length > maxPatterns) {
    return undefined;
  }
  const limits = [
    "[\\s\\S]*",
    integerPattern,
    "[\\s\\S]*[a-df-zA-DF-Z][\\s\\S]*",
    ...lengths.filter((length) => length <= maxLength).map((length) => `[\\s\\S]{${length}}`),
  ];
  const texts = new Set<string>();
  for (const { matching, notMatching } of listCombinations(checkedPatterns)) {
    for (const limit of limits) {
      const result = findValueText({ matching: [...matching, limit], notMatching });
      if (result.kind === "unknown") {
        return undefined;
      }
      if (result.kind === "found") {
        texts.add(result.text);
      }
    }
  }
  return [...texts];
}

function isSupported(pattern: string): boolean {
  try {
    findValueText({ matching: [pattern], notMatching: [] });
    return true;
  } catch (error) {
    if (error instanceof PatternError) {
      return false;
    }
    throw error;
  }
}

interface Combination {
  readonly matching: readonly string[];
  readonly notMatching: readonly string[];
}

function listCombinations(patterns: readonly string[]): readonly Combination[] {
  return patterns.reduce(
    (combinations: readonly Combination[], pattern) =>
      combinations.flatMap(({ matching, notMatching }) => [
        { matching: [...matching, pattern], notMatching },
        { matching, notMatching: [...notMatching, pattern] },
      ]),
    [{ matching: [], notMatching: [] }],
  );
}
