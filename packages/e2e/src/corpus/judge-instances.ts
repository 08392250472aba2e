import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Contract } from "@bothends/generator";
import { Decoder, Encoder } from "@bothends/runtime/codec";
import { XmlReader } from "@bothends/xml";
import { type ElementBody, elementBodies, factsOf } from "./bodies.js";
import type { JobProblem, JobResult } from "./job.js";
import { makeConstrained } from "./make-value.js";
import { corpusMark, type OutsideSchema } from "./outside-schema.js";
import { Random } from "./random.js";

const perMessage = 3;
const declarations =
  ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';

export interface InstancePlace {
  /** The folder of the corpus. */
  readonly sources: string;
  /** A folder for the instances and their schema. */
  readonly output: string;
}

interface Instance {
  readonly body: ElementBody;
  readonly xml: string;
}

/** Makes random instances of every message, and reads each back; those that the original schema describes are validated by it. */
export function judgeInstances(
  contract: Contract,
  schema: OutsideSchema,
  place: InstancePlace,
): JobResult["instances"] {
  const random = new Random(1);
  const problems: JobProblem[] = [];
  const instances: Instance[] = [];
  const bodies = elementBodies(contract);
  for (const body of bodies) {
    for (let count = 0; count < perMessage; count += 1) {
      const made = makeInstance(body, random);
      if (typeof made === "string") instances.push({ body, xml: made });
      else if (made !== undefined) problems.push(made);
    }
  }
  const documents = instances.filter(
    ({ body: { body } }) => !body.rpc && !body.encoded && schema.namespaces.has(body.element.namespace),
  );
  const judged = documents.length === 0 ? { problems: [], judged: 0 } : validate(documents, schema, place);
  return {
    messages: bodies.length,
    made: instances.length,
    judged: judged.judged,
    problems: [...problems, ...judged.problems],
  };
}

/** The XML of a random value, once it is known to come back the same; undefined where none could be made. */
function makeInstance(found: ElementBody, random: Random): string | JobProblem | undefined {
  const { body, element, type } = found;
  const facts = factsOf(found);
  const encoded = body.encoded ? ("soap11" as const) : undefined;
  let xml = "";
  try {
    const made = makeConstrained(type, facts, random);
    if (made === undefined) return undefined;
    const encoder = new Encoder();
    xml = encoder.element(element, type, made.value, { ...facts, encoded, declarations });
    const reader = new XmlReader(xml);
    reader.next();
    const value = new Decoder({ strict: encoded === undefined }).element(reader, type, facts);
    const again = encoder.element(element, type, value, { ...facts, encoded, declarations });
    if (again === xml) return xml;
    return { kind: "instance.differs", text: `${element}: ${xml.slice(0, 2000)} came back as ${again.slice(0, 2000)}` };
  } catch (error) {
    const text = `${element}: ${error instanceof Error ? (error.stack ?? error.message).slice(0, 500) : String(error)} ${xml.slice(0, 2000)}`;
    return { kind: "instance.codec", text };
  }
}

function validate(instances: readonly Instance[], { files }: OutsideSchema, { sources, output }: InstancePlace) {
  mkdirSync(output, { recursive: true });
  const base = pathToFileURL(`${sources}/`).href;
  for (const [name, text] of files) writeFileSync(join(output, name), text.replaceAll(corpusMark, base));
  instances.forEach(({ xml }, index) => {
    writeFileSync(join(output, `${index}.xml`), xml);
  });
  const names = instances.map((_, index) => `${index}.xml`);
  const run = spawnSync("xmllint", ["--noout", "--nonet", "--schema", "driver.xsd", ...names], {
    cwd: output,
    encoding: "utf8",
    timeout: 20_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (process.env["CORPUS_KEEP_INSTANCES"] === undefined) rmSync(output, { recursive: true, force: true });
  if (run.status === null || /failed to compile/.test(run.stderr)) return { judged: 0, problems: [] };
  const problems = run.stderr.split("\n").flatMap((line): readonly JobProblem[] => {
    const [, index, text] = /^(\d+)\.xml:\d+: (.*error.*)$/.exec(line) ?? [];
    if (index === undefined || text === undefined) return [];
    return [{ kind: "instance.invalid", text: `${text} ${instances[Number(index)]?.xml.slice(0, 1500)}` }];
  });
  return { judged: instances.length, problems };
}
