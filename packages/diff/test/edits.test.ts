import { describe, expect, test } from "vitest";
import { type Change, diffContracts, type Level, levels, rules, type Side } from "../src/index.js";
import { edits } from "./edits/edits.js";
import { furtherEdits } from "./edits/further-edits.js";
import { singleCauseEdits } from "./edits/single-cause-edits.js";
import { edited, projects } from "./edits/sources.js";
import { sideOf } from "./proof/contracts.js";
import { findContradictions } from "./proof/contradictions.js";
import { agrees, type Observed, observedText } from "./proof/observed.js";
import { callRest } from "./proof/rest-calls.js";
import { callSoap } from "./proof/soap-calls.js";
import { withoutVanishedNames } from "./proof/vanished-names.js";

const letters = { none: "N", tolerated: "T", some: "S", breaks: "B" } as const;

function line({ rule, direction, subject, consequences }: Change): string {
  const { oldClients, newClients, callers, handlers } = consequences;
  const verdict = [oldClients, newClients, callers, handlers].map((level) => letters[level]).join(" ");
  return `${rule}${direction === undefined ? "" : ` (${direction})`} ${subject}: ${verdict}`;
}

describe.each([...edits, ...furtherEdits, ...singleCauseEdits])(
  "the effects of an edit: $title ($project)",
  ({ project, replacements, want, notCalled = [] }) => {
    const sources = edited(project, replacements);
    const sides = () => [sideOf(projects[project]), sideOf(sources)] as const;
    let knownChanges: readonly Change[] | undefined;
    const findChanges = () => (knownChanges ??= diffContracts(...sides()).changes);

    test("is named with its consequences", () => {
      expect(findChanges().map(line)).toEqual(want);
      expect(findChanges().flatMap(findContradictions)).toEqual([]);
    });

    test("the opposite edit gives the opposite changes", () => {
      const [oldSide, newSide] = sides();
      // A name that appears in generated code is not a change, but its removal is one.
      const ids = (changes: readonly Change[], idOf: (id: string) => string) =>
        withoutVanishedNames(changes)
          .map(({ rule, direction = "calls" }) => `${idOf(rule)} (${direction})`)
          .sort();
      const { changes: opposites } = diffContracts(newSide, oldSide);
      expect(ids(opposites, (id) => id)).toEqual(ids(findChanges(), mirrorOf));
      expect(opposites.flatMap(findContradictions)).toEqual([]);
    });

    test("calls between the old and the new end confirm the consequences", async () => {
      const [oldSide, newSide] = sides();
      const changes = findChanges().filter(({ rule }) => !notCalled.includes(rule));
      const problems = [
        ...(await callProblems("oldClients", { client: oldSide, server: newSide, changes })),
        ...(await callProblems("newClients", { client: newSide, server: oldSide, changes })),
      ];
      expect(problems).toEqual([]);
    });
  },
);

function mirrorOf(id: string): string {
  return rules.find((rule) => rule.id === id)?.oppositeRule ?? id;
}

interface Calls {
  readonly client: Side;
  readonly server: Side;
  readonly changes: readonly Change[];
}

/** Calls the first operation of each interface that the changes affect. */
async function callProblems(
  party: "oldClients" | "newClients",
  { client, server, changes }: Calls,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const each of client.contract.interfaces) {
    const found = changes.filter((change) => change.interface === each.name);
    const judge = (operation: string, observed: Observed) => {
      const reaching = found.filter(({ operations }) => operations.length === 0 || operations.includes(operation));
      const indexes = reaching.map(({ consequences }) => levels.indexOf(consequences[party]));
      const claim: Level = levels[Math.max(0, ...indexes)] ?? "none";
      const mayPass = reaching.some(
        (change) =>
          change.consequences[party] === claim &&
          (change.strictPeers ?? change.undecided ?? onlySome(change)) !== undefined,
      );
      // If a value is refused, every call that contains the value fails.
      const isContained = claim === "breaks" && observed.errors > 0;
      if (!isContained && !agrees(claim, observed, mayPass)) {
        problems.push(`${operation}, ${party}: ${claim}, but ${observedText(observed)}`);
      }
    };
    const reached = [...new Set(found.flatMap(({ operations }) => operations))];
    if (each.kind === "rest") {
      const endpoints = each.endpoints.filter(({ operation }) => reached.slice(0, 1).includes(operation.join(".")));
      const routes = new Set(endpoints.map(({ route }) => route));
      const outcomes =
        routes.size === 0 ? [] : await callRest(client.contract, server.contract, { routes, samples: 6 });
      for (const { operation, observed } of outcomes) {
        judge(operation, observed);
      }
      continue;
    }
    const operations = each.services.flatMap((service) => service.operations.map(({ uniqueName }) => uniqueName));
    const called = reached.length > 0 ? operations.filter((name) => reached.includes(name)) : operations;
    for (const operation of found.length === 0 ? [] : called.slice(0, 1)) {
      judge(operation, await callSoap(client.contract, server.contract, { operation, samples: 8 }));
    }
  }
  return problems;
}

/** Finds consequences that depend on values or choices that random calls seldom make. */
function onlySome({ consequences }: Change): string | undefined {
  return Object.values(consequences).includes("some") ? "some values" : undefined;
}
