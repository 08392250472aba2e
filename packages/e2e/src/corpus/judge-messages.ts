import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type DynamicSoapInterface, dynamicContract } from "@bothends/dynamic";
import { makeConstrained, Random } from "@bothends/dynamic/random";
import type { Body, Contract, ReadFile, WireName } from "@bothends/generator";
import type { IdentityDescriptor } from "@bothends/runtime";
import { Decoder, Encoder } from "@bothends/runtime/codec";
import * as xs from "@bothends/runtime/xs";
import { clark, DONE, decodeXml, XmlReader } from "@bothends/xml";
import type { DocumentCounts, Job, JobProblem, JobResult } from "./job.js";
import { corpusMark, type OutsideSchema } from "./source-schemas.js";

/** A body with exactly one element. */
export interface ElementBody {
  readonly body: Extract<Body, { readonly kind: "element" }>;
  /** In Clark notation. */
  readonly element: string;
  readonly type: ReturnType<DynamicSoapInterface["type"]>;
}

/** The constraints of an element declaration besides its type. */
export function constraintsOf({ body }: ElementBody) {
  return { nillable: body.nillable, default: body.default, fixed: body.fixed, identity: identityOf(body) };
}

function identityOf({ identity }: ElementBody["body"]): IdentityDescriptor | undefined {
  if (identity.length === 0) {
    return undefined;
  }
  const path = ({ anywhere, steps, attribute }: (typeof identity)[number]["selector"][number]) => ({
    steps,
    ...(anywhere ? { anywhere } : {}),
    ...(attribute === undefined ? {} : { attribute }),
  });
  const nameOf = ({ namespace, local }: WireName) => (namespace === "" ? local : clark(namespace, local));
  const constraints = identity.map(({ kind, name, selector, fields, refer }) => ({
    kind,
    name: nameOf(name),
    selector: selector.map(path),
    fields: fields.map((paths) => paths.map(path)),
    ...(refer === undefined ? {} : { refer: nameOf(refer) }),
  }));
  return { by: xs.identity, constraints };
}

/** The bodies with exactly one element in the inputs, outputs and faults of a contract, each element once. */
export function elementBodies(contract: Contract): readonly ElementBody[] {
  return dynamicContract(contract).interfaces.flatMap((soap) => {
    if (soap.kind !== "soap") {
      return [];
    }
    const operations = soap.interface.services.flatMap((service) => service.operations);
    const bodies = operations.flatMap(({ input, output, faults }): readonly Body[] => [
      input.body,
      ...(output === undefined ? [] : [output.body]),
      ...faults.map(({ element, type }) => ({ kind: "element", element, type, ...plain }) as const),
    ]);
    const found = new Map<string, ElementBody>();
    for (const body of bodies) {
      if (body.kind !== "element") {
        continue;
      }
      const element =
        body.element.namespace === "" ? body.element.local : clark(body.element.namespace, body.element.local);
      const key = `${body.rpc} ${body.encoded} ${element}`;
      if (!found.has(key)) {
        found.set(key, { body, element, type: soap.type(body.type) });
      }
    }
    return [...found.values()];
  });
}

const plain = { nillable: false, default: undefined, fixed: undefined, identity: [], rpc: false, encoded: false };

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

/** Creates random instances of every message and reads them back. The original schema validates those that it declares. */
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
      if (typeof made === "string") {
        instances.push({ body, xml: made });
      } else if (made !== undefined) {
        problems.push(made);
      }
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
    unmade: bodies.filter((body) => !instances.some((instance) => instance.body === body)).length,
    problems: [...problems, ...judged.problems],
  };
}

/** The XML of a random value that survives decoding and encoding; undefined if no such value is found. */
function makeInstance(found: ElementBody, random: Random): string | JobProblem | undefined {
  const { body, element, type } = found;
  const constraints = constraintsOf(found);
  const declaredTypes = body.encoded ? xs.soapEncoding.declaredTypes.soap11 : undefined;
  let xml = "";
  try {
    const made = makeConstrained(type, constraints, random);
    if (made === undefined) {
      return undefined;
    }
    const encoder = new Encoder();
    xml = encoder.element(element, type, made.value, { ...constraints, declaredTypes, declarations });
    const reader = new XmlReader(xml);
    reader.next();
    const value = new Decoder({ strict: declaredTypes === undefined ? xs.inOrder : undefined }).element(
      reader,
      type,
      constraints,
    );
    const reencoded = encoder.element(element, type, value, { ...constraints, declaredTypes, declarations });
    if (reencoded === xml) {
      return xml;
    }
    return {
      kind: "instance.differs",
      text: `${element}: ${xml.slice(0, 2000)} came back as ${reencoded.slice(0, 2000)}`,
    };
  } catch (error) {
    const text = `${element}: ${error instanceof Error ? (error.stack ?? error.message).slice(0, 500) : String(error)} ${xml.slice(0, 2000)}`;
    return { kind: "instance.codec", text };
  }
}

function validate(instances: readonly Instance[], { files }: OutsideSchema, { sources, output }: InstancePlace) {
  mkdirSync(output, { recursive: true });
  const base = pathToFileURL(`${sources}/`).href;
  for (const [name, text] of files) {
    writeFileSync(join(output, name), text.replaceAll(corpusMark, base));
  }
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
  if (process.env["CORPUS_KEEP_INSTANCES"] === undefined) {
    rmSync(output, { recursive: true, force: true });
  }
  if (run.status === null || /failed to compile/.test(run.stderr)) {
    return { judged: 0, problems: [] };
  }
  const problems = run.stderr.split("\n").flatMap((line): readonly JobProblem[] => {
    const [, index, text] = /^(\d+)\.xml:\d+: (.*error.*)$/.exec(line) ?? [];
    if (index === undefined || text === undefined) {
      return [];
    }
    return [{ kind: "instance.invalid", text: `${text} ${instances[Number(index)]?.xml.slice(0, 1500)}` }];
  });
  // In lenient mode, undeclared elements have any type, so no schema can judge them.
  const undeclared = problems.filter(({ text }) => text.includes("No matching global declaration available"));
  return {
    judged: instances.length - undeclared.length,
    problems: problems.filter((problem) => !undeclared.includes(problem)),
  };
}

/** Decodes the documents of a test strictly: valid ones must be accepted, invalid ones refused. */
export function judgeDocuments({ documents }: Job, contract: Contract, read: ReadFile): DocumentCounts {
  const bodies = new Map(elementBodies(contract).map((body) => [body.element, body]));
  // The messages of a test have all elements that its schemas declare.
  const declared = {
    complete: true,
    find(name: string) {
      const body = bodies.get(name);
      return body && { type: body.type, ...constraintsOf(body) };
    },
  };
  const decoder = new Decoder({ strict: xs.inOrder, identity: true, declared });
  const counts = { valid: { right: 0, all: 0 }, invalid: { right: 0, all: 0 } };
  const problems: JobProblem[] = [];
  for (const { path, valid } of documents) {
    const refusal = refusalOf(path, { bodies, decoder, read });
    const count = counts[valid ? "valid" : "invalid"];
    count.all += 1;
    if ((refusal === undefined) === valid) {
      count.right += 1;
    } else if (valid) {
      problems.push({ kind: "document.refused", text: `${path}: ${refusal}` });
    } else {
      problems.push({ kind: "document.accepted", text: path });
    }
  }
  return { ...counts, problems };
}

function refusalOf(
  path: string,
  {
    bodies,
    decoder,
    read,
  }: { readonly bodies: ReadonlyMap<string, ElementBody>; readonly decoder: Decoder; readonly read: ReadFile },
): string | undefined {
  const file = read(path);
  if (file.kind === "problem") {
    return file.message;
  }
  try {
    const reader = new XmlReader(decodeXml(file.bytes));
    reader.next();
    const name = reader.namespace === "" ? reader.localName : clark(reader.namespace, reader.localName);
    const found = bodies.get(name);
    if (found === undefined) {
      return `No schema declares the element ${name}.`;
    }
    decoder.element(reader, found.type, constraintsOf(found));
    while (reader.next() !== DONE) {}
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
