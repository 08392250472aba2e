import { type Contract, getPosition, type SourceText, type Span } from "@bothends/generator";

/**
 * The version of the snapshot format. It must change when a member of the contract is renamed, because older snapshots
 * would be misread.
 */
const format = 5;

/**
 * Writes a contract as JSON. A position is written as file, line and column, and the texts of the sources are left out.
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
    return { $place: [index, line, column] };
  });
  return `{"format":${format},"paths":${JSON.stringify([...paths.keys()])},"contract":${text}}`;
}

function isSpan(value: unknown): value is Span {
  return typeof value === "object" && value !== null && "source" in value && "start" in value && "end" in value;
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
    const texts = listTextsWithPositions(names.map(String), contract);
    const revivedContract: unknown = reviveSpans(contract, texts);
    return isContract(revivedContract) ? revivedContract : undefined;
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

/**
 * A replacement for a source whose text the snapshot lacks: a text of spaces that contains all saved positions, with
 * the offset of each line.
 */
interface PositionedText {
  readonly source: SourceText;
  readonly lineStarts: readonly number[];
}

/**
 * Creates a replacement text for each source, because spans are offsets in a text. It contains the lines and columns of
 * the snapshot's positions.
 */
function listTextsWithPositions(paths: readonly string[], contract: unknown): readonly PositionedText[] {
  const lineWidths = paths.map((): number[] => []);
  visitPositions(contract, ([fileIndex, line, column]) => {
    const lines = lineWidths[fileIndex];
    if (lines !== undefined) {
      lines[line - 1] = Math.max(lines[line - 1] ?? 0, column);
    }
  });
  return paths.map((path, fileIndex) => {
    const lines = Array.from(lineWidths[fileIndex] ?? [], (width) => " ".repeat(width ?? 0));
    const lineStarts: number[] = [];
    let start = 0;
    for (const line of lines) {
      lineStarts.push(start);
      start += line.length + 1;
    }
    return { source: { path, text: lines.join("\n") }, lineStarts };
  });
}

function visitPositions(value: unknown, report: (position: SnapshotPosition) => void): void {
  const position = readPosition(value);
  if (position !== undefined) {
    report(position);
  } else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) {
      visitPositions(member, report);
    }
  }
}

function reviveSpans(value: unknown, texts: readonly PositionedText[]): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const position = readPosition(value);
  if (position !== undefined) {
    const [fileIndex, line, column] = position;
    const positionedText = texts[fileIndex];
    const start = (positionedText?.lineStarts[line - 1] ?? 0) + column - 1;
    return { source: positionedText?.source ?? { path: "", text: "" }, start, end: start };
  }
  if (Array.isArray(value)) {
    return value.map((item) => reviveSpans(item, texts));
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, reviveSpans(member, texts)]));
}
