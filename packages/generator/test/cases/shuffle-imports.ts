const reference = /^[ \t]*<(?:\w+:)?(?:import|include)\b[^>]*\/>[ \t]*\n/gm;

/** Reverses adjacent imports and includes in XML documents; undefined if there are none. */
export function shuffleImports(input: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, Uint8Array> | undefined {
  let changed = false;
  const shuffled = new Map<string, Uint8Array>();
  for (const [path, bytes] of input) {
    const text = new TextDecoder().decode(bytes);
    const other = /\.(?:wsdl|xsd)$/.test(path) ? reverseRuns(text) : text;
    changed ||= other !== text;
    shuffled.set(path, new TextEncoder().encode(other));
  }
  return changed ? shuffled : undefined;
}

function reverseRuns(text: string): string {
  const runs = new RegExp(`(?:${reference.source}){2,}`, "gm");
  return text.replaceAll(runs, (run) =>
    [...run.matchAll(reference)]
      .map(([line]) => line)
      .reverse()
      .join(""),
  );
}
