import { type Contract, getPosition, type Span } from "@bothends/generator";

/**
 * The version of the snapshot format. It must change when a member of the contract is renamed, because older snapshots
 * would be misread.
 */
const format = 5;

/**
 * Writes a contract as JSON. A position is written as file, line and column, and the sources themselves are left out.
 */
export function writeSnapshot(contract: Contract): string {
  const paths = new Map<string, number>();
  const text = JSON.stringify(contract, (_key, value: unknown) => {
    if (!isSpan(value)) {
      return value;
    }
    const { path } = value.source;
    const index = paths.get(path) ?? paths.size;
    paths.set(path, index);
    const { line, column } = getPosition(value.source, value.start);
    return { $place: [index, line, column], parts: value.parts };
  });
  return `{"format":${format},"paths":${JSON.stringify([...paths.keys()])},"contract":${text}}`;
}

/** Whether a part of a contract is a span. A JSON value from an index may have members of the same names. */
function isSpan(value: unknown): value is Span {
  const isCandidate =
    typeof value === "object" && value !== null && "source" in value && "start" in value && "end" in value;
  return isCandidate && typeof getMember(value.source, "text") === "string";
}

/** Reads a contract from a snapshot; undefined if the snapshot is damaged or was written in another format. */
export function readSnapshot(text: string): Contract | undefined {
  try {
    const snapshot: unknown = JSON.parse(text);
    if (getMember(snapshot, "format") !== format) {
      return undefined;
    }
    const names = getMember(snapshot, "paths");
    const contract = getMember(snapshot, "contract");
    if (!Array.isArray(names) || !isContract(contract)) {
      return undefined;
    }
    reviveSpans(contract, names.map(String));
    return contract;
  } catch {
    return undefined;
  }
}

function getMember(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function isContract(value: unknown): value is Contract {
  return Array.isArray(getMember(value, "interfaces"));
}

type SnapshotPosition = readonly [file: number, line: number, column: number];

function readPosition(value: unknown): SnapshotPosition | undefined {
  const numbers = getMember(value, "$place");
  return Array.isArray(numbers) ? [Number(numbers[0]), Number(numbers[1]), Number(numbers[2])] : undefined;
}

type MovableSpan = { -readonly [Name in keyof Span]: Span[Name] };

/** Stands in for a source, because a snapshot contains no source text. `setOffsets` sets the text and the offsets. */
interface RevivedSource {
  readonly source: { readonly path: string; text: string };
  readonly spans: { readonly span: MovableSpan; readonly line: number; readonly column: number }[];
  /** The greatest column that a span has in each line. */
  readonly lineWidths: number[];
}

/**
 * Replaces the positions in a contract that was parsed from JSON by spans. A span is an offset in a source, so each
 * source gets spaces as its text, in which every line is long enough for the positions.
 */
function reviveSpans(contract: Contract, paths: readonly string[]): void {
  const sources = paths.map((path): RevivedSource => ({ source: { path, text: "" }, spans: [], lineWidths: [] }));
  // Changes the contract in place, because copying it would take most of the time.
  const reviveMembers = (value: object): void => {
    for (const name of Object.keys(value)) {
      const member: unknown = Reflect.get(value, name);
      if (typeof member !== "object" || member === null) {
        continue;
      }
      const position = readPosition(member);
      if (position === undefined) {
        reviveMembers(member);
      } else {
        const span = createSpan(position, sources);
        Reflect.set(value, name, span);
        const parts = getMember(member, "parts");
        if (typeof parts === "object" && parts !== null) {
          reviveMembers(parts);
          Reflect.set(span, "parts", parts);
        }
      }
    }
  };
  reviveMembers(contract);
  for (const revivedSource of sources) {
    setOffsets(revivedSource);
  }
}

function createSpan([fileIndex, line, column]: SnapshotPosition, sources: readonly RevivedSource[]): MovableSpan {
  const revivedSource = sources[fileIndex];
  if (revivedSource === undefined) {
    return { source: { path: "", text: "" }, start: 0, end: 0 };
  }
  const { source, spans, lineWidths } = revivedSource;
  const span = { source, start: 0, end: 0 };
  spans.push({ span, line, column });
  lineWidths[line - 1] = Math.max(lineWidths[line - 1] ?? 0, column);
  return span;
}

/**
 * Gives a source a text of spaces, because a snapshot has none, and the spans offsets in this text that lead to the
 * recorded lines and columns.
 */
function setOffsets({ source, spans, lineWidths }: RevivedSource): void {
  const lines = Array.from(lineWidths, (width) => " ".repeat(width ?? 0));
  source.text = lines.join("\n");
  const lineStarts: number[] = [];
  let lineStart = 0;
  for (const line of lines) {
    lineStarts.push(lineStart);
    lineStart += line.length + 1;
  }
  for (const { span, line, column } of spans) {
    span.start = (lineStarts[line - 1] ?? 0) + column - 1;
    span.end = span.start;
  }
}
