import { expect, test } from "vitest";
import { type Change, diffContracts, type Level } from "../src/index.js";
import { indexOf } from "./pairs/index-document.js";
import { element, restricted, sequence, wsdlOf } from "./pairs/pair.js";
import { worstOf } from "./proof/call-outcomes.js";
import { compileErrors } from "./proof/compile.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { agrees, type Observed, observedText } from "./proof/observed.js";
import { modulesIn } from "./proof/packages.js";
import { callSoap } from "./proof/soap-calls.js";
import { withoutVanishedNames } from "./proof/vanished-names.js";

// Compares each version of a type with each other version. The compiler shows whether a value of one version has the
// type of the other one, and calls show whether its readers accept the values.

type Versions = Readonly<Record<string, string>>;

const inGroup = (...members: readonly string[]) => `<sequence minOccurs="0">${members.join("")}</sequence>`;
const bounded = (max: number, min = 1) => element("a", `minOccurs="${min}" maxOccurs="${max}"`);
const attribute = (more: string) =>
  `<complexType name="T"><sequence>${element("key")}</sequence><attribute name="x" type="int" ${more}/></complexType>`;

/** Versions of the content of a type after its first member. */
const families: Readonly<Record<string, Versions>> = {
  groups: {
    "a?, b?": element("a?") + element("b?"),
    "(a, b?)?": inGroup(element("a"), element("b?")),
    "(a, b)?": inGroup(element("a"), element("b")),
    "a, b": element("a") + element("b"),
    "a?, b": element("a?") + element("b"),
  },
  "nested groups": {
    "(a, (b, c)?)?": inGroup(element("a"), inGroup(element("b"), element("c"))),
    "(a, b, c)?": inGroup(element("a"), element("b"), element("c")),
    "(a, b?, c?)?": inGroup(element("a"), element("b?"), element("c?")),
  },
  names: {
    "a, a?": element("a") + element("a?"),
    "a, a": element("a") + element("a"),
    "a 1..2": bounded(2),
    "a 2..2": bounded(2, 2),
    "a 1..3": bounded(3),
    "a+": element("a+"),
  },
};

/** Versions of an attribute. */
const attributes: Versions = {
  required: 'use="required"',
  optional: "",
  "default 1": 'default="1"',
  "default 2": 'default="2"',
};

const directions = [
  ["Put", "callers", "handlers", "oldClients", "newClients"],
  ["Get", "handlers", "callers", "newClients", "oldClients"],
] as const;

function listPairs<Version>(versions: Readonly<Record<string, Version>>) {
  const entries = Object.entries(versions);
  return entries.flatMap(([old, before]) =>
    entries.flatMap(([now, after]) => (old === now ? [] : [{ title: `${old} -> ${now}`, before, after }])),
  );
}

/** Compiles assignments of one version's values to the type of another version, in both directions. */
function findRefusals(
  pairs: readonly { readonly before: Sources; readonly after: Sources }[],
  importType: (name: string, folder: string) => string,
  member: string,
): (pair: number, use: "write" | "read") => boolean {
  const folders = new Map(
    [...new Set(pairs.flatMap(({ before, after }) => [before, after]))].map((each, index) => [each, `v${index}`]),
  );
  const files = new Map([...folders].flatMap(([sources, folder]) => [...modulesIn(folder, sources)].map(addContexts)));
  for (const [index, { before, after }] of pairs.entries()) {
    for (const [use, from, to] of [
      ["write", before, after],
      ["read", after, before],
    ] as const) {
      const imports = [importType("From", folders.get(from) ?? ""), importType("To", folders.get(to) ?? "")].join("\n");
      files.set(`${index}-${use}.ts`, `${imports}\ndeclare const v: From${member};\nexport const w: To${member} = v;`);
    }
  }
  const errors = compileErrors(files);
  return (pair, use) => errors.has(`${pair}-${use}.ts`);
}

/** Adds a type that contains the type of a thing in each context. */
function addContexts([path, text]: readonly [path: string, text: string]): readonly [path: string, text: string] {
  const contexts = text.includes("interface ThingContexts") ? "ThingContexts" : "Record<string, Thing>";
  return [path, path.endsWith("/answers.ts") ? `${text}\nexport type Contexts = ${contexts};\n` : text];
}

const importT = (name: string, folder: string) =>
  `import type { T as ${name} } from "./${folder}/contract/src/api/types.js";`;

test.each(Object.entries(families))(
  "the consequences of changed occurrences are those that calls and the compiler show: %s",
  async (family, versions) => {
    const sources = Object.fromEntries(
      Object.entries(versions).map(([name, content]) => [name, wsdlOf(sequence(element("key"), content))]),
    );
    const pairs = listPairs(sources);
    const isRefused = findRefusals(pairs, importT, "");
    const problems: string[] = [];
    for (const [index, { title, before, after }] of pairs.entries()) {
      const [oldSide, newSide] = [sideOf(before), sideOf(after)];
      const { changes } = diffContracts(oldSide, newSide);
      for (const [operation, writers, readers, oldWriter, newWriter] of directions) {
        const found = changes.filter(({ operations }) => operations.includes(operation));
        const claim = (party: keyof Change["consequences"]) => worstOf(found, party);
        const report = (party: string, level: Level, shown: string) =>
          problems.push(`${title}, ${operation}, ${party}: ${level}, but ${shown}`);
        const observed = {
          oldClients: await callSoap(oldSide.contract, newSide.contract, { operation }),
          newClients: await callSoap(newSide.contract, oldSide.contract, { operation }),
        } satisfies Record<string, Observed>;
        for (const party of [oldWriter, newWriter]) {
          // Equal elements may have another form in code, which is not a loss.
          const counts = family === "names" ? { ...observed[party], losses: 0 } : observed[party];
          const mayPass = claim(party) === "tolerated" || (family === "names" && observed[party].losses > 0);
          if (!agrees(claim(party), counts, mayPass)) {
            report(party, claim(party), observedText(observed[party]));
          }
        }
        // A value that fits the old type may still be refused when it is sent.
        const isLate = family !== "names" && observed[oldWriter].errors > 0;
        const write = isRefused(index, "write") ? "breaks" : isLate ? "some" : "none";
        const read = isRefused(index, "read") ? "breaks" : "none";
        if (claim(writers) !== write) {
          report(writers, claim(writers), write);
        }
        if ((claim(readers) === "none") !== (read === "none")) {
          report(readers, claim(readers), read);
        }
      }
    }
    expect(problems).toEqual([]);
  },
  300_000,
);

test("the consequences of a changed attribute are those that calls show", async () => {
  const sources = Object.fromEntries(Object.entries(attributes).map(([name, more]) => [name, wsdlOf(attribute(more))]));
  const problems: string[] = [];
  for (const { title, before, after } of listPairs(sources)) {
    const [oldSide, newSide] = [sideOf(before), sideOf(after)];
    const { changes } = diffContracts(oldSide, newSide);
    for (const [operation] of directions) {
      const found = changes.filter(({ operations }) => operations.includes(operation));
      for (const [party, client, server] of [
        ["oldClients", oldSide, newSide],
        ["newClients", newSide, oldSide],
      ] as const) {
        const claim = worstOf(found, party);
        // A writer omits the attribute unless its version requires it.
        const isOldWriter = (operation === "Put") === (party === "oldClients");
        const [oldName = "", newName = ""] = title.split(" -> ");
        const isOmitted = (isOldWriter ? oldName : newName) !== "required";
        const value = { key: "k" };
        const values = isOmitted ? (operation === "Put" ? { inputs: [{ value }] } : { outputs: [value] }) : {};
        const observed = await callSoap(client.contract, server.contract, { operation, ...values });
        if (!agrees(claim, observed, false)) {
          problems.push(`${title}, ${operation}, ${party}: ${claim}, but ${observedText(observed)}`);
        }
        const ofDefault = worstOf(
          found.filter(({ rule }) => rule.startsWith("default-")),
          party,
        );
        if (!isOmitted && ofDefault !== "none") {
          problems.push(`${title}, ${operation}, ${party}: the default has no effect, not ${ofDefault}`);
        }
      }
    }
  }
  expect(problems).toEqual([]);
}, 300_000);

const inUnion = (types: string) =>
  sequence(`<element name="a"><simpleType><union memberTypes="${types}"/></simpleType></element>`);
const bytes = (...values: readonly number[]) => Uint8Array.from(values);
const someTexts = ["", "A", "ab", "abcd", "two words", "a:b", "0", "12"];
const someNames = ["n", "{urn:x}n", "ab", "abcd", "{urn:x}several-words"];
const twoBytes = [bytes(), bytes(0x01), bytes(0x12), bytes(0xab), bytes(0x20, 0x26)];
const threeBytes = [bytes(), bytes(0), bytes(1, 2, 3), bytes(0xd3, 0x5d, 0xb7), bytes(0xdb, 0x4d, 0xba)];
const someBytes = [...twoBytes, ...threeBytes, bytes(251, 239, 190, 255), bytes(0x69, 0xb7, 0x1d, 0x79, 0xf8, 0x21)];

/** Content models of the type with one member, and values of the member. */
const simpleTypes: Readonly<Record<string, readonly [model: string, values: readonly unknown[]]>> = {
  string: [sequence(element("a")), [...someTexts, " x  y "]],
  token: [sequence(element("a:token")), someTexts],
  anyURI: [sequence(element("a:anyURI")), ["", "A", "ab", "abcd", "a:b", "12"]],
  NMTOKENS: [sequence(element("a:NMTOKENS")), [["A"], ["ab"], ["abcd"], ["a:b", "12"]]],
  "int or string": [inUnion("int string"), [12, 0, "", "ab", "abcd", "two words"]],
  QName: [sequence(element("a:QName")), someNames],
  hexBinary: [sequence(element("a:hexBinary")), someBytes],
  base64Binary: [sequence(element("a:base64Binary")), someBytes],
  "string of 5": [restricted("string", "maxLength=5"), ["", "A", "ab", "abcd", "a b", "12"]],
  "hexBinary of 2": [restricted("hexBinary", "maxLength=2"), twoBytes],
  "base64Binary of 3": [restricted("base64Binary", "maxLength=3"), threeBytes],
  "string from 4": [restricted("string", "minLength=4"), ["abcd", "abcde", "two words", "12345678"]],
  "01 or 12": [restricted("string", "enumeration=01", "enumeration=12"), ["01", "12"]],
  NCName: [sequence(element("a:NCName")), ["A", "ab", "abcd", "x"]],
  gYear: [sequence(element("a:gYear")), ["2026", "0123", "2026Z"]],
  unsignedByte: [sequence(element("a:unsignedByte")), [0, 12, 123, 255]],
};

test("the consequences of other simple types are those that calls show, also for bytes and names", async () => {
  const versions = Object.fromEntries(
    Object.entries(simpleTypes).map(([name, [types, values]]) => [name, { side: sideOf(wsdlOf(types)), values }]),
  );
  const problems: string[] = [];
  const pairs = listPairs(versions).filter(({ title }) => /Binary|QName/.test(title));
  for (const { title, before, after } of pairs) {
    const { changes } = diffContracts(before.side, after.side);
    for (const [party, client, server] of [
      ["oldClients", before, after],
      ["newClients", after, before],
    ] as const) {
      const claim = worstOf(
        changes.filter(({ direction }) => direction === "input"),
        party,
      );
      const inputs = client.values.map((a) => ({ value: { a } }));
      const call = { operation: "Put", samples: 0, inputs };
      const { total, errors, losses } = await callSoap(client.side.contract, server.side.contract, call);
      const shown = errors === total ? "breaks" : errors > 0 ? "some" : losses > 0 ? "tolerated" : "none";
      if (claim !== shown) {
        problems.push(`${title}, ${party}: ${claim}, but ${errors} errors and ${losses} losses in ${total} calls`);
      }
    }
  }
  expect(problems).toEqual([]);
}, 300_000);

const listed: Readonly<Record<string, { readonly type: unknown; readonly enum?: readonly unknown[] }>> = {
  string: { type: "string" },
  "string or null": { type: ["string", "null"] },
  "a or b": { type: "string", enum: ["a", "b"] },
  a: { type: "string", enum: ["a"] },
  "a or b or null": { type: ["string", "null"], enum: ["a", "b", null] },
  "a or c or null": { type: ["string", "null"], enum: ["a", "c", null] },
  "a or false": { type: ["string", "boolean"], enum: ["a", false] },
  "1 or 2": { type: "integer", enum: [1, 2] },
  boolean: { type: "boolean" },
};

/** Code that uses a value of one kind. */
const uses = ["v.trim()", "v.toFixed()", "v === true"];

test("code that uses the values of an enumeration is affected as the compiler shows", () => {
  const route = "/shop/v1/things";
  const sources = Object.fromEntries(
    Object.entries(listed).map(([name, q]) => [
      name,
      indexOf(
        { [route]: { methods: ["POST"], args: { q: { ...q, required: true } } } },
        { [route]: { title: "thing", type: "object", properties: { q }, required: ["q"] } },
      ),
    ]),
  );
  const enumerations = new Map(Object.entries(listed).map(([name, { enum: values }]) => [sources[name], values]));
  const pairs = listPairs(sources);
  const valuesOf = (each: Sources) => enumerations.get(each)?.filter((value) => value !== null);
  const importThing = (name: string, folder: string) =>
    `import type { Thing as ${name} } from "./${folder}/contract/src/api/answers.js";`;
  const isRefused = findRefusals(pairs, importThing, '["q"]');
  const names = Object.keys(sources);
  const modules = Object.values(sources).flatMap((each, index) => [...modulesIn(`v${index}`, each)]);
  const programs = names.flatMap((_, index) =>
    uses.map((use, number) => {
      const declared = `${importThing("Type", `v${index}`)}\ndeclare const v: Type["q"];`;
      return [`${index}-${number}.ts`, `${declared}\nexport const used = ${use};`] as const;
    }),
  );
  const errors = compileErrors(new Map([...modules, ...programs]));
  const compiles = (each: Sources, number: number) =>
    !errors.has(`${Object.values(sources).indexOf(each)}-${number}.ts`);
  const problems: string[] = [];
  for (const [index, { title, before, after }] of pairs.entries()) {
    const { changes } = diffContracts(sideOf(before), sideOf(after));
    const isUnusable = uses.some((_, number) => compiles(before, number) && !compiles(after, number));
    for (const [direction, writers, readers] of [
      ["input", "callers", "handlers"],
      ["output", "handlers", "callers"],
    ] as const) {
      const found = changes.filter((change) => change.direction === direction);
      const [write, read] = [worstOf(found, writers), worstOf(found, readers)];
      // Code that lists the old values, such as a `switch`, does not handle the new ones. Null is no value of a list.
      const [oldValues, newValues] = [valuesOf(before), valuesOf(after)];
      const isListed = oldValues !== undefined && newValues?.every((value) => oldValues.includes(value)) !== true;
      if (isRefused(index, "write") ? write === "none" : write !== (isListed ? "some" : "none")) {
        problems.push(`${title}, ${writers}: ${write}`);
      }
      if (isUnusable ? read !== "breaks" : isRefused(index, "read") && read === "none") {
        problems.push(`${title}, ${readers}: ${read}`);
      }
    }
  }
  expect(problems).toEqual([]);
}, 300_000);

const contexts = ["view", "edit", "embed"];
const parts: Readonly<Record<string, object>> = {
  "in edit": { raw: { type: "string", context: ["edit"] }, shown: { type: "string", context: contexts } },
  "in all": { raw: { type: "string", context: contexts }, shown: { type: "string", context: contexts } },
  "in view and edit": { raw: { type: "string", context: ["view", "edit"] }, shown: { type: "string" } },
};
/** Schemas of a thing with a part, which has a name or is written where it is used. */
const things: Readonly<Record<string, Sources>> = Object.fromEntries(
  Object.entries(parts).flatMap(([name, properties]) =>
    (["named", "inline"] as const).flatMap((form) =>
      ["part", "parts"].map((member) => {
        const schema = { type: "object", properties };
        const used = form === "named" ? { $ref: "#/$defs/part" } : schema;
        const value = member === "part" ? used : { type: "array", items: used };
        const at = { type: "string", context: contexts };
        const thing = { type: "object", properties: { [member]: { ...value, context: contexts }, at } };
        const context = { type: "string", enum: contexts, default: "view" };
        const packages = Object.fromEntries(
          ["contract", "client", "server"].map((each) => [each, { path: each, name: `api-${each}` }]),
        );
        const responses = { "shop.things.list": "objects.json#/$defs/thing" };
        return [
          `${member} ${form} ${name}`,
          {
            ...indexOf({ "/shop/v1/things": { args: { context } } }),
            "objects.json": JSON.stringify({ $defs: { thing, part: schema } }, null, 1),
            "bothends.json": JSON.stringify({ packages, interfaces: { api: { index: "index.json", responses } } }),
          },
        ] as const;
      }),
    ),
  ),
);

test("the types of answers differ as the compiler shows if a member's type gets a name or loses it", () => {
  const pairs = listPairs(things).filter(({ title }) => {
    const [before = "", after = ""] = title.split(" -> ");
    const [[oldMember, oldForm, ...oldPart], [newMember, newForm, ...newPart]] = [before.split(" "), after.split(" ")];
    return oldMember === newMember && oldForm !== newForm && oldPart.join() === newPart.join();
  });
  expect(pairs.length).toBe(12);
  const problems: string[] = [];
  const importContexts = (name: string, folder: string) =>
    `import type { Contexts as ${name} } from "./${folder}/contract/src/api/answers.js";`;
  const refusals = ["view", "edit"].map((context) => findRefusals(pairs, importContexts, `["${context}"]`));
  for (const [index, { title, before, after }] of pairs.entries()) {
    // Names that vanish break only code that imports them.
    const changes = withoutVanishedNames(diffContracts(sideOf(before), sideOf(after)).changes);
    const [write, read] = (["write", "read"] as const).map((use) => refusals.some((each) => each(index, use)));
    if (write && worstOf(changes, "handlers") !== "breaks") {
      problems.push(`${title}, handlers: ${worstOf(changes, "handlers")}`);
    }
    if (read && worstOf(changes, "callers") !== "breaks") {
      problems.push(`${title}, callers: ${worstOf(changes, "callers")}`);
    }
  }
  expect(problems).toEqual([]);
}, 300_000);
