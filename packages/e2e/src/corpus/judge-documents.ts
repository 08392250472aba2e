import type { Contract, ReadFile } from "@bothends/generator";
import { Decoder } from "@bothends/runtime/codec";
import { clark, DONE, decodeXml, XmlReader } from "@bothends/xml";
import { type ElementBody, elementBodies, factsOf } from "./bodies.js";
import type { DocumentCounts, Job, JobProblem } from "./job.js";

/** Decodes the documents of a test strictly: valid ones must be read, invalid ones refused. */
export function judgeDocuments({ documents }: Job, contract: Contract, read: ReadFile): DocumentCounts {
  const bodies = new Map(elementBodies(contract).map((body) => [body.element, body]));
  const counts = { valid: { right: 0, all: 0 }, invalid: { right: 0, all: 0 } };
  const problems: JobProblem[] = [];
  for (const { path, valid } of documents) {
    const refusal = refusalOf(path, bodies, read);
    const count = counts[valid ? "valid" : "invalid"];
    count.all += 1;
    if ((refusal === undefined) === valid) count.right += 1;
    else if (valid) problems.push({ kind: "document.refused", text: `${path}: ${refusal}` });
    else problems.push({ kind: "document.accepted", text: path });
  }
  return { ...counts, problems };
}

function refusalOf(path: string, bodies: ReadonlyMap<string, ElementBody>, read: ReadFile): string | undefined {
  const file = read(path);
  if (file.kind === "problem") return file.message;
  try {
    const reader = new XmlReader(decodeXml(file.bytes));
    reader.next();
    const name = reader.namespace === "" ? reader.localName : clark(reader.namespace, reader.localName);
    const found = bodies.get(name);
    if (found === undefined) return `No schema declares the element ${name}.`;
    new Decoder({ strict: true }).element(reader, found.type, factsOf(found));
    while (reader.next() !== DONE);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
