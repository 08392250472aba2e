import { PatternError } from "@bothends/datatypes/pattern";
import { completePattern, createValueReader, findValueText } from "@bothends/generator";

/** The texts of integers. */
const integerPattern = "(?:0|-?[1-9][0-9]*)";
const byte = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
const group = "[0-9A-Fa-f]{1,4}";
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";

/**
 * Patterns of the texts with the formats that servers check: those of valid dates, and of most IP addresses with groups
 * that are left out.
 */
const formatPatterns: ReadonlyMap<unknown, string> = new Map([
  [
    "date-time",
    "[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))[Tt ](?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}(?:\\.[0-9]+)?(?:Z|[+-][0-9]{2}(?::[0-9]{2})?)?",
  ],
  ["email", `[A-Za-z0-9!#$%&'*+/=?^_\`{|}~.-]+@${label}(?:\\.${label})*\\.[A-Za-z0-9]+`],
  ["hex-color", "#(?:[0-9A-Fa-f]{3}){1,2}"],
  [
    "ip",
    `(?:${byte}\\.){3}${byte}|(?:${group}:){7}${group}|(?:${group}(?::${group}){0,2})?::(?:${group}(?::${group}){0,2})?`,
  ],
  ["uuid", "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"],
]);

/** The length from which addresses are valid: `a@b.ch`. */
const shortestAddress = 6;
/** The greatest length of a text whose format servers check. */
const longestFormatted = 1024;

/** Lists texts of a length, with those formats whose texts can have any length. */
export function listFormattedTexts(length: number): readonly string[] {
  const end = "@site.example";
  const time = "2026-01-31T10:20:30.";
  return length > longestFormatted
    ? []
    : [
        ...(length > end.length ? [end.padStart(length, "a")] : []),
        ...(length > time.length ? [time.padEnd(length, "1")] : []),
      ];
}

/** The maximum number of patterns whose combinations are tried. */
const maxPatterns = 4;
/** The maximum length of texts that are searched for because schemas limit the length. */
const maxLength = 40;

interface DistinguishingTexts {
  /** The patterns of schemas. */
  readonly patterns: readonly string[];
  /** The patterns of path variables. */
  readonly pathPatterns?: readonly string[];
  /** The formats of schemas, of which servers check some. */
  readonly formats?: readonly unknown[];
}

/**
 * Lists texts that represent all texts which some patterns and formats distinguish: for each combination of these, a
 * text that exactly these match, an integer, a text with a letter, a text of each length, and one that is at least as
 * long. Returns undefined if the patterns are too complex to compare.
 */
export function listPatternTexts(
  { patterns, pathPatterns = [], formats = [] }: DistinguishingTexts,
  lengths: readonly number[],
): readonly string[] | undefined {
  const ofFormats = formats.flatMap((format) => formatPatterns.get(format) ?? []);
  // Servers do not check patterns that they cannot match in linear time.
  const checkedPatterns = [...new Set([...patterns.map(completePattern), ...pathPatterns, ...ofFormats])].filter(
    isSupported,
  );
  if (checkedPatterns.length > maxPatterns) {
    return undefined;
  }
  const limits = [
    "[\\s\\S]*",
    integerPattern,
    "[\\s\\S]*[a-df-zA-DF-Z][\\s\\S]*",
    ...lengths
      .filter((length) => length <= maxLength)
      .flatMap((length) => [`[\\s\\S]{${length}}`, `[\\s\\S]{${length},}`]),
    ...(ofFormats.length > 0 ? [`[\\s\\S]{${shortestAddress},}`] : []),
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

/** Whether servers apply the schema of one of the patterns to a property that the schema does not list. */
export function matchesPattern(name: string, patterns: readonly string[]): boolean {
  const patternProperties = Object.fromEntries(patterns.map((pattern) => [pattern, {}]));
  const read = createValueReader("value", { type: "object", patternProperties, additionalProperties: false });
  return !("problem" in read({ [name]: "" }));
}
