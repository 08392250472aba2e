import { END, TEXT } from "@bothends/xml";
import type { DecodeRun } from "./decode-run.js";
import type { DecodeArray } from "./decode-table.js";
import { within } from "./misfit.js";
import { refusePartialArray, refuseSparseItem } from "./soap-encoding.js";

const itemDeclaration = { nillable: true, min: 0, array: true, default: undefined, fixed: undefined };

/** Reads the array at START; ends at its END. The names of the items say nothing (SOAP 1.1 §5.4.2). */
export function readArray(run: DecodeRun, { item }: DecodeArray): unknown[] {
  const { reader } = run;
  run.checkDepth();
  refusePartialArray(reader);
  const typed = item();
  const items: unknown[] = [];
  for (let event = reader.next(); event !== END; event = reader.next()) {
    if (event === TEXT) {
      run.strayText();
      continue;
    }
    const { localName } = reader;
    try {
      refuseSparseItem(reader);
      items.push(run.value(typed, itemDeclaration));
    } catch (error) {
      throw within(error, `${localName}[${items.length + 1}]`);
    }
  }
  return items;
}
