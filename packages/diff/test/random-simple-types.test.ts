import { findProblem } from "@bothends/datatypes";
import { createTextValue, Random } from "@bothends/dynamic/random";
import { resolveRecord, resolveType } from "@bothends/runtime/codec";
import { expect, test } from "vitest";
import { type Change, diffContracts, type Level, levels, type Side } from "../src/index.js";
import {
  drawMember,
  editConstraint,
  editMember,
  literals,
  type RandomMember,
  typeText,
} from "./edits/random-simple-types.js";
import { wsdlOf } from "./pairs/pair.js";
import { worstOf } from "./proof/call-outcomes.js";
import { dynamicContractOf, sideOf } from "./proof/contracts.js";
import { findContradictions } from "./proof/contradictions.js";
import { type Observed, observedText, shown } from "./proof/observed.js";
import { callSoap } from "./proof/soap-calls.js";

// Further edits: 1026 removes a member type, and readers of the old union read the text `007` as an integer.
const [firstSeed, seedCount] = (process.env["DIFF_SIMPLE_TYPES"] ?? "1,40").split(",").map(Number) as [number, number];
const seeds = [...Array.from({ length: seedCount }, (_, index) => firstSeed + index), 1026];

function readSide(text: string): Side | undefined {
  try {
    return sideOf(wsdlOf(text));
  } catch {
    // The type is not valid: for example, a default that the type does not allow.
    return undefined;
  }
}

/** The values of the member `a`, as generated code has them. */
function valuesOf({ contract }: Side): readonly unknown[] {
  const [soap] = dynamicContractOf(contract).interfaces;
  const [described] = contract.interfaces;
  const id =
    described?.kind === "soap"
      ? described.types.find((type) => type.kind === "record" && type.fields.some(({ key }) => key === "a"))?.id
      : undefined;
  if (soap?.kind !== "soap" || id === undefined) {
    throw new Error("There is no type T.");
  }
  const { a } = resolveRecord(soap.type({ kind: "named", id }) as never).fields;
  const type = a === undefined || !("type" in a) ? undefined : resolveType(a.type as never);
  if (a === undefined || type?.kind !== "simple") {
    throw new Error("The member has no simple type.");
  }
  const values = literals
    .filter((text) => findProblem(type, text) === undefined)
    .map((text) => createTextValue(type, text));
  const fixed = "fixed" in a && a.fixed !== undefined ? createTextValue(type, String(a.fixed)) : undefined;
  // Clients refuse to send an empty text that is read as a default.
  const isSent = (value: unknown) =>
    !("default" in a && a.default !== undefined) || !['""', "[]"].includes(shown(value));
  return values.filter((value) => isSent(value) && (fixed === undefined || shown(value) === shown(fixed)));
}

function levelOf({ total, errors, losses }: Observed): Level {
  return errors === total ? "breaks" : errors > 0 ? "some" : losses > 0 ? "tolerated" : "none";
}

interface Edit {
  readonly seed: number;
  readonly texts: readonly [string, string];
  readonly members: readonly [RandomMember, RandomMember];
  readonly sides: readonly [Side, Side];
}

function createEdit(seed: number): Edit | undefined {
  const random = new Random(seed * 7919);
  const drawn = drawMember(random);
  const before = random.drawBoolean(25) ? editConstraint(drawn, random, literals) : drawn;
  const after =
    before !== drawn || random.drawBoolean(15) ? editConstraint(before, random, literals) : editMember(before, random);
  const texts = [typeText(before), typeText(after)] as const;
  const [oldSide, newSide] = texts.map(readSide);
  return oldSide === undefined || newSide === undefined
    ? undefined
    : { seed, texts, members: [before, after], sides: [oldSide, newSide] };
}

async function observe(client: Side, server: Side, operation: "Put" | "Get", isRequired: boolean) {
  const values = valuesOf(operation === "Put" ? client : server);
  const whole = [...values.map((a) => ({ a })), ...(isRequired ? [] : [{}])];
  if (values.length === 0) {
    return undefined;
  }
  const lists = [client, server].map((side) => valuesOf(side).some(Array.isArray));
  const observed = await callSoap(client.contract, server.contract, {
    operation,
    samples: 0,
    ...(operation === "Put"
      ? { inputs: whole.map((value) => ({ value })) }
      : { inputs: whole.map(() => ({})), outputs: whole }),
  });
  const withValue =
    isRequired || observed.errors === observed.total ? observed : { ...observed, total: observed.total - 1 };
  // A list and its text have the same form in messages, although the values in code differ.
  const isSameText = lists[0] !== lists[1];
  return { level: levelOf(observed), levelWithValue: levelOf(withValue), isSameText, text: observedText(observed) };
}

async function findProblems(edit: Edit, changes: readonly Change[]): Promise<string[]> {
  const { members, sides } = edit;
  const problems: string[] = [];
  for (const operation of ["Put", "Get"] as const) {
    const found = changes.filter(({ operations }) => operations.includes(operation));
    for (const party of ["oldClients", "newClients"] as const) {
      const isOldClient = party === "oldClients";
      const [client, server] = isOldClient ? sides : ([sides[1], sides[0]] as const);
      const isOldWriter = isOldClient === (operation === "Put");
      const observed = await observe(client, server, operation, members[isOldWriter ? 0 : 1].isRequired);
      const claim = worstOf(found, party);
      // Generated peers may be more tolerant than others, and the diff does not compare patterns.
      const mayPass = found.some(
        (each) =>
          each.consequences[party] === claim &&
          (each.undecided !== undefined ||
            (claim === "tolerated" && (each.strictPeers !== undefined || each.rule.startsWith("default-")))),
      );
      const agrees =
        observed === undefined ||
        observed.level === claim ||
        (observed.isSameText && claim === "none" && observed.level === "tolerated") ||
        // Generated peers write booleans only as words; others may write them as numbers.
        (claim === "some" && observed.level === "breaks" && edit.texts.join().includes("boolean")) ||
        (claim === "breaks" && observed.levelWithValue === "breaks") ||
        (mayPass && levels.indexOf(observed.level) < levels.indexOf(claim));
      problems.push(...(agrees ? [] : [`${operation} ${party}: ${claim}, but ${observed?.text}`]));
    }
  }
  return problems;
}

test("the consequences of random edits of simple types are those that calls show", async () => {
  const problems: string[] = [];
  let checked = 0;
  for (const seed of seeds) {
    const edit = createEdit(seed);
    if (edit !== undefined) {
      const { changes } = diffContracts(edit.sides[0], edit.sides[1]);
      const found = await findProblems(edit, changes).catch((error: unknown) => {
        // Random values, which a call also needs, do not cover every type.
        expect(String(error)).toMatch(/No value was found|between equal sides/);
        return undefined;
      });
      if (found === undefined) {
        continue;
      }
      checked += 1;
      found.push(...changes.flatMap(findContradictions));
      if (found.length > 0) {
        const described = changes.map(
          ({ message, direction, consequences: c }) =>
            `    ${direction} ${message} [${[c.oldClients, c.newClients, c.callers, c.handlers].join(" ")}]`,
        );
        problems.push(
          [
            `${seed}`,
            ...edit.texts.map((text) => `  ${text}`),
            ...described,
            ...found.map((each) => `  ! ${each}`),
          ].join("\n"),
        );
      }
    }
  }
  expect(problems.join("\n")).toBe("");
  expect(checked).toBeGreaterThan(seedCount / 2);
}, 600_000);
