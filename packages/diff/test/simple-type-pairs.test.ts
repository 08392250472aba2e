import { normalizeWhiteSpace, type SimpleType, type TextContext } from "@bothends/datatypes";
import { tryReadMember } from "@bothends/datatypes/union-members";
import { Random } from "@bothends/dynamic/random";
import { resolveRecord, resolveType } from "@bothends/runtime/codec";
import { expect, test } from "vitest";
import { type Change, diffContracts, type Level, type Side } from "../src/index.js";
import { drawMember, literals, simpleTypeText } from "./edits/random-simple-types.js";
import { wsdlOf } from "./pairs/pair.js";
import { worstOf } from "./proof/call-outcomes.js";
import { dynamicContractOf, sideOf } from "./proof/contracts.js";

// For every ordered pair of simple types, the consequences are those that readers of one type show when they read what
// writers of the other one send.

const restriction = (base: string, ...facets: readonly string[]) =>
  `<restriction base="${base}">${facets
    .map((facet) => /^(\w+)=(.*)$/s.exec(facet))
    .map((match) => `<${match?.[1]} value="${match?.[2]}"/>`)
    .join("")}</restriction>`;
const enumeration = (base: string, ...values: readonly string[]) =>
  restriction(base, ...values.map((value) => `enumeration=${value}`));
const inner = (text: string) => (text.startsWith("<") ? `<simpleType>${text}</simpleType>` : text);
const list = (item: string) => `<list>${inner(restriction(item))}</list>`;
const union = (...members: readonly string[]) =>
  `<union>${members.map((member) => inner(member.startsWith("<") ? member : restriction(member))).join("")}</union>`;
const restrictedList = (item: string, ...facets: readonly string[]) =>
  `<restriction>${inner(item)}${facets
    .map((facet) => /^(\w+)=(.*)$/s.exec(facet))
    .map((match) => `<${match?.[1]} value="${match?.[2]}"/>`)
    .join("")}</restriction>`;

/** Simple types by a short name: a built-in type, or the content of a simpleType. */
const types: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    "string token normalizedString NMTOKEN anyURI language boolean int unsignedByte long decimal double dateTime date time gYear duration hexBinary base64Binary QName"
      .split(" ")
      .map((name) => [name, restriction(name)]),
  ),
  E12: enumeration("string", "01", "1", "2"),
  EAB: enumeration("string", "A", "B"),
  EBC: enumeration("string", "B", "C"),
  Etf: enumeration("string", "true", "false"),
  Eint: enumeration("int", "1", "5"),
  Pnum: restriction("string", "pattern=[0-9]+"),
  Pupper: restriction("token", "pattern=[A-Z]{2}"),
  Pdate: restriction("date", "pattern=.*Z"),
  Pnodate: restriction("date", "pattern=[^Z]*"),
  Pint: restriction("int", "pattern=[0-9]{3}"),
  Len3: restriction("string", "length=3"),
  Max2: restriction("string", "maxLength=2"),
  R09: restriction("int", "minInclusive=0", "maxInclusive=9"),
  R10: restriction("integer", "minInclusive=10"),
  Dec2: restriction("decimal", "fractionDigits=2"),
  Dbound: restriction("decimal", "minInclusive=1.5", "maxExclusive=2.5"),
  Dday: restriction("date", "minInclusive=2026-01-02"),
  Fpos: restriction("double", "minExclusive=0"),
  Hex1: restriction("hexBinary", "length=1"),
  Lint: list("int"),
  Ltok: list("NMTOKEN"),
  L2: restrictedList(list("int"), "length=2"),
  Lstr: list("string"),
  Uis: union("int", "string"),
  Uib: union("int", "boolean"),
  Udab: union("date", enumeration("string", "A", "B")),
  Ulist: union(list("int"), "boolean"),
  Uenum: union(enumeration("string", "A"), enumeration("string", "B", "C")),
  Unest: union(union(enumeration("string", "A"), "int"), enumeration("string", "B")),
  Upat: restrictedList(union("int", "NMTOKEN"), "pattern=[0-9a]+"),
};

type Kind = "element" | "attribute";

function schemaOf(kind: Kind, types: readonly (readonly [index: number, text: string])[]): string {
  const members = types.map(([index, text]) =>
    kind === "element"
      ? `<element name="e${index}"><simpleType>${text}</simpleType></element>`
      : `<attribute name="e${index}" use="required"><simpleType>${text}</simpleType></attribute>`,
  );
  return `<complexType name="T">${kind === "element" ? `<sequence>${members.join("")}</sequence>` : members.join("")}</complexType>`;
}

function datatypesOf({ contract }: Side): readonly SimpleType<unknown>[] {
  const [soap] = dynamicContractOf(contract).interfaces;
  const [described] = contract.interfaces;
  const record =
    described?.kind === "soap"
      ? described.types.find((type) => type.kind === "record" && type.fields.some(({ key }) => key === "e0"))
      : undefined;
  if (soap?.kind !== "soap" || record === undefined) {
    throw new Error("There is no type T.");
  }
  return Object.values(resolveRecord(soap.type({ kind: "named", id: record.id }) as never).fields).flatMap((field) => {
    const type = "type" in field ? resolveType(field.type as never) : undefined;
    return type?.kind === "simple" ? [type] : [];
  });
}

const pool = [
  ...new Set([
    ...literals,
    ..."A|B|C|D|ZZ|true|false|2|9|-1|01|02|05|001|002|005|200|300|3000000000|99999999999999999999|1.50|1.555|2.4|0.1|1e5|NaN|1 2|11 2|A B|a  b| a| 1| 1 | 01|1 |x:y|en|en-US|http://x|a b c|%zz|2026|0A|AbCd|Ab==|P1D|P12Y|_x|a/b|é|1,5|16777217|1e300|+1|+1.5|AB|1:2|:a|abcd-x|a%20b|12|0123|0002|3.14|12345|AAAA|BEEF|cafe|deadbeef|a1|--|-5|+5|0.25|2026-01-02Z|2026-01-02+02:00|-0044-03-15|2026-01-02T03:04:05|2026-01-02T03:04:05.5+02:00|03:04:05|03:04:05+01:00|2026Z|-0044|2026+02:00|-P1D|P1Y2M3DT4H5M6.5S|PT1.5S|-99999|9223372036854775807|999|000|0.12345678901234567891|-1.5|+9|AAA=|+/8=|1999-01-01|2.25|-INF|q|0001|-x|a-b|true false|1 5|2026-01-02 A|A:B|1e| A|A |B |AB |true |0a|ffff|0aff| 1.5|T1M=|10 1|P1DT".split(
      "|",
    ),
    "",
    "   ",
    "1 234",
    "a\tb",
    "a\rb",
  ]),
];

/** The namespaces of a message. Names without a prefix have no namespace where they are written. */
const sent: TextContext = { resolve: (prefix) => (prefix === "x" ? "urn:x" : undefined), prefixFor: () => "q1" };
const read: TextContext = {
  ...sent,
  resolve: (prefix) => (prefix === "q1" ? "urn:x" : prefix === "" ? "urn:t" : undefined),
};

/** What writers of a type send for the values of all texts. */
function textsOf(type: SimpleType<unknown>): readonly string[] {
  const values = pool.flatMap((text) => tryReadMember([type], text, sent) ?? []);
  return [...new Set(values.map(({ value }) => type.write(value, sent)))];
}

/** Reads what writers of one type send as readers of the other one do. */
function levelOf(
  texts: readonly string[],
  [writer, reader]: readonly (SimpleType<unknown> | undefined)[],
): Level | undefined {
  if (writer === undefined || reader === undefined || texts.length === 0) {
    return undefined;
  }
  const accepted = texts.filter((text) => tryReadMember([reader], text, read) !== undefined);
  // A list and its text are the same in messages.
  const shown = (type: SimpleType<unknown>, text: string) => {
    const value = type.read(normalizeWhiteSpace(text, type.whiteSpace), read);
    return Array.isArray(value) ? value.join(" ") : String(value);
  };
  if (accepted.length < texts.length) {
    return accepted.length === 0 ? "breaks" : "some";
  }
  return accepted.every((text) => shown(writer, text) === shown(reader, text)) ? "none" : "tolerated";
}

/** Whether third-party writers, which send other forms of values, may show a claim. */
const isOfOthers = (claim: Level, changes: readonly Change[]) =>
  claim === "tolerated" &&
  changes.some(({ strictPeers, rule }) => strictPeers !== undefined || rule.startsWith("pattern-"));

interface Options {
  readonly kind: Kind;
  /** Whether the pool may lack texts that show a claim. */
  readonly isSample?: boolean;
}

/**
 * Lists the types that a type is compared with. A difference has the effects of two ordered pairs, so each pair is
 * compared in one order, which alternates.
 */
function listOthers(texts: readonly string[], oldIndex: number): readonly (readonly [index: number, text: string])[] {
  return [...texts.entries()].filter(
    ([index]) => index === oldIndex || oldIndex < index === ((oldIndex + index) % 2 === 0),
  );
}

/** Compares all pairs of types, and returns the claims that readers do not show. */
function findProblems(texts: readonly string[], { kind, isSample = false }: Options): readonly string[] {
  const datatypes = datatypesOf(sideOf(wsdlOf(schemaOf(kind, [...texts.entries()]))));
  const sentTexts = datatypes.map(textsOf);
  return texts.flatMap((oldText, oldIndex) => {
    const others = listOthers(texts, oldIndex);
    const [oldSide, newSide] = [others.map(([index]) => [index, oldText] as const), others].map((members) =>
      sideOf(wsdlOf(schemaOf(kind, members))),
    ) as [Side, Side];
    const { changes } = diffContracts(oldSide, newSide);
    return others.flatMap(([newIndex, newText]) => {
      const found = changes.filter(({ subject }) => subject === `T.e${newIndex}`);
      const [inputs, outputs] = ["input", "output"].map((wanted) =>
        found.filter(({ direction }) => direction === wanted),
      ) as [Change[], Change[]];
      return [
        { party: "oldClients", ofAnswers: "newClients", indices: [oldIndex, newIndex] } as const,
        { party: "newClients", ofAnswers: "oldClients", indices: [newIndex, oldIndex] } as const,
      ].flatMap(({ party, ofAnswers, indices }) => {
        const [claim, claimOfAnswers] = [worstOf(inputs, party), worstOf(outputs, ofAnswers)];
        const [writer, reader] = indices.map((index) => datatypes[index]);
        const level = levelOf(sentTexts[indices[0]] ?? [], [writer, reader]);
        const isUnknown = isSample && (inputs.some(({ undecided }) => undecided !== undefined) || claim === "some");
        const isRight =
          level === undefined || level === claim || isUnknown || (level === "none" && isOfOthers(claim, inputs));
        return isRight && claim === claimOfAnswers
          ? []
          : [
              `${oldText} → ${newText}, ${party}: ${claim}, ${claimOfAnswers} in answers, but ${level}: ${inputs.map(({ message }) => message)}`,
            ];
      });
    });
  });
}

test("the consequences of every ordered pair of simple types", () => {
  expect(findProblems(Object.values(types), { kind: "element" }).join("\n")).toBe("");
}, 300_000);

test("the consequences of pairs of simple types of attributes", () => {
  const some = Object.values(types).filter((_, index) => index % 6 === 1);
  expect(findProblems(some, { kind: "attribute" }).join("\n")).toBe("");
}, 300_000);

const [firstSeed, seedCount] = (process.env["DIFF_TYPE_PAIRS"] ?? "1,2").split(",").map(Number) as [number, number];

test("the consequences of pairs of random simple types", () => {
  const problems = Array.from({ length: seedCount }, (_, index) => {
    const random = new Random((firstSeed + index) * 7919);
    const texts = Array.from({ length: 12 }, () => simpleTypeText(drawMember(random).type));
    return findProblems([...new Set(texts.map((text) => text.replace(/^<simpleType>|<\/simpleType>$/g, "")))], {
      kind: "element",
      isSample: true,
    });
  });
  expect(problems.flat().join("\n")).toBe("");
}, 300_000);
