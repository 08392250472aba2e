import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createDynamicContract, type DynamicSoapInterface } from "@bothends/dynamic";
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
  /** The element's name in Clark notation: `{urn:shop}Order`. */
  readonly element: string;
  readonly type: ReturnType<DynamicSoapInterface["type"]>;
}

/** Returns the constraints of an element declaration, such as `nillable` and `fixed`, without its type. */
export function selectConstraints({ body }: ElementBody) {
  return { nillable: body.nillable, default: body.default, fixed: body.fixed, identity: findIdentity(body) };
}

function findIdentity({ identity }: ElementBody["body"]): IdentityDescriptor | undefined {
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

/**
 * Lists the bodies with exactly one element in the inputs, outputs and faults of a contract. Each element is listed
 * once.
 */
export function listElementBodies(contract: Contract): readonly ElementBody[] {
  return createDynamicContract(contract).interfaces.flatMap((soap) => {
    if (soap.kind !== "soap") {
      return [];
    }
    const operations = soap.interface.services.flatMap((service) => service.operations);
    const bodies = operations.flatMap(({ input, output, faults }): readonly Body[] => [
      input.body,
      ...(output === undefined ? [] : [output.body]),
      ...faults.map(({ element, type }) => ({ kind: "element", element, type, ...noConstraints }) as const),
    ]);
    const bodiesByElement = new Map<string, ElementBody>();
    for (const body of bodies) {
      if (body.kind !== "element") {
        continue;
      }
      const element =
        body.element.namespace === "" ? body.element.local : clark(body.element.namespace, body.element.local);
      const key = `${body.rpc} ${body.encoded} ${element}`;
      if (!bodiesByElement.has(key)) {
        bodiesByElement.set(key, { body, element, type: soap.type(body.type) });
      }
    }
    return [...bodiesByElement.values()];
  });
}

const noConstraints = {
  nillable: false,
  default: undefined,
  fixed: undefined,
  identity: [],
  rpc: false,
  encoded: false,
};

const instancesPerMessage = 3;
const declarations =
  ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';

/** The folders from which schemas are read, and into which instances are written. */
export interface InstanceFolders {
  /** The folder of the corpus. */
  readonly sources: string;
  /** A folder for the instances and their schema. */
  readonly output: string;
}

interface Instance {
  readonly body: ElementBody;
  readonly xml: string;
}

/**
 * Creates random instances of every message and decodes them. xmllint validates those that the original schema
 * declares.
 */
export function judgeInstances(
  contract: Contract,
  schema: OutsideSchema,
  place: InstanceFolders,
): JobResult["instances"] {
  const random = new Random(1);
  const problems: JobProblem[] = [];
  const instances: Instance[] = [];
  const bodies = listElementBodies(contract);
  for (const body of bodies) {
    for (let count = 0; count < instancesPerMessage; count += 1) {
      const instance = makeInstance(body, random);
      if (typeof instance === "string") {
        instances.push({ body, xml: instance });
      } else if (instance !== undefined) {
        problems.push(instance);
      }
    }
  }
  const documents = instances.filter(
    ({ body: { body } }) => !body.rpc && !body.encoded && schema.namespaces.has(body.element.namespace),
  );
  const validation = documents.length === 0 ? { problems: [], judged: 0 } : validate(documents, schema, place);
  return {
    messages: bodies.length,
    madeCount: instances.length,
    judgedCount: validation.judged,
    unmadeCount: bodies.filter((body) => !instances.some((instance) => instance.body === body)).length,
    problems: [...problems, ...validation.problems],
  };
}

/**
 * Encodes a random value as XML, decodes it, and encodes it again. Returns the XML, or a problem; undefined if no
 * random value was found.
 */
function makeInstance(elementBody: ElementBody, random: Random): string | JobProblem | undefined {
  const { body, element, type } = elementBody;
  const constraints = selectConstraints(elementBody);
  const declaredTypes = body.encoded ? xs.soapEncoding.declaredTypes.soap11 : undefined;
  let xml = "";
  try {
    const randomValue = makeConstrained(type, constraints, random);
    if (randomValue === undefined) {
      return undefined;
    }
    const encoder = new Encoder();
    xml = encoder.encode(element, type, randomValue.value, { ...constraints, declaredTypes, declarations });
    const reader = new XmlReader(xml);
    reader.next();
    const value = new Decoder({ strict: declaredTypes === undefined ? xs.inOrder : undefined }).decode(
      reader,
      type,
      constraints,
    );
    const reencoded = encoder.encode(element, type, value, { ...constraints, declaredTypes, declarations });
    if (reencoded === xml) {
      return xml;
    }
    return {
      kind: "instance.differs",
      text: `${element}: ${xml.slice(0, 2000)} was encoded again as ${reencoded.slice(0, 2000)}`,
    };
  } catch (error) {
    const text = `${element}: ${error instanceof Error ? (error.stack ?? error.message).slice(0, 500) : String(error)} ${xml.slice(0, 2000)}`;
    return { kind: "instance.codec", text };
  }
}

function validate(instances: readonly Instance[], { files }: OutsideSchema, { sources, output }: InstanceFolders) {
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
  // With `lenient`, undeclared elements may have any type, so the schema cannot validate them.
  const undeclaredProblems = problems.filter(({ text }) => text.includes("No matching global declaration available"));
  return {
    judged: instances.length - undeclaredProblems.length,
    problems: problems.filter((problem) => !undeclaredProblems.includes(problem)),
  };
}

/** Decodes the documents of a test strictly. Valid documents must be accepted, and invalid ones refused. */
export function judgeDocuments({ documents }: Job, contract: Contract, read: ReadFile): DocumentCounts {
  const bodies = new Map(listElementBodies(contract).map((body) => [body.element, body]));
  // The contract of a test has a message for each element that the schemas declare.
  const declaredElements = {
    complete: true,
    find(name: string) {
      const body = bodies.get(name);
      return body && { type: body.type, ...selectConstraints(body) };
    },
  };
  const decoder = new Decoder({ strict: xs.inOrder, identity: true, declared: declaredElements });
  const counts = { valid: { right: 0, all: 0 }, invalid: { right: 0, all: 0 } };
  const problems: JobProblem[] = [];
  for (const { path, isValid } of documents) {
    const refusal = findRefusal(path, { bodies, decoder, read });
    const count = counts[isValid ? "valid" : "invalid"];
    count.all += 1;
    if ((refusal === undefined) === isValid) {
      count.right += 1;
    } else if (isValid) {
      problems.push({ kind: "document.refused", text: `${path}: ${refusal}` });
    } else {
      problems.push({ kind: "document.accepted", text: path });
    }
  }
  return { ...counts, problems };
}

function findRefusal(
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
    const elementBody = bodies.get(name);
    if (elementBody === undefined) {
      return `No schema declares the element ${name}.`;
    }
    decoder.decode(reader, elementBody.type, selectConstraints(elementBody));
    while (reader.next() !== DONE) {}
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
