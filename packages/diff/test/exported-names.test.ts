import { listExportedNames } from "@bothends/generator";
import { expect, test } from "vitest";
import { encodedPairs } from "./pairs/encoded.js";
import { headerFaultPairs } from "./pairs/header-faults.js";
import { memberPairs } from "./pairs/members.js";
import { operationPairs } from "./pairs/operations.js";
import { restPairs } from "./pairs/rest.js";
import { typePairs } from "./pairs/types.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { generatedFrom } from "./proof/packages.js";

const pairs = [...memberPairs, ...typePairs, ...encodedPairs, ...operationPairs, ...headerFaultPairs, ...restPairs];
const states: readonly Sources[] = [...new Set(pairs.flatMap(({ old, new: new_ }) => [old, new_]))];

const entries = { client: "client/src/[^/]+/index", operations: "client/src/[^/]+/operations", server: "server/src/[^/]+/index" };

type Entry = keyof typeof entries;

/** The names that an entry of the generated packages exports, except those of the runtime. */
function exportedBy(entry: Entry, sources: Sources): ReadonlySet<string> {
  const texts = [...generatedFrom(sources)].filter(([path]) => new RegExp(`(^|/)${entries[entry]}\\.ts$`).test(path));
  return new Set(
    texts.flatMap(([, text]) => [
      ...[...text.matchAll(/^export (?:type )?\{([^}]*)\} from "(?!@bothends\/runtime)/gm)].flatMap(([, names = ""]) =>
        names.split(",").map((name) => name.trim()),
      ),
      ...[...text.matchAll(/^export (?:class|interface|function|const|type) (\w+)/gm)].map(([, name = ""]) => name),
    ]).filter((name) => name !== ""),
  );
}

test("the names of a plan are those that the generated packages export", () => {
  const problems = states.flatMap((sources, index) => {
    const names = (sideOf(sources).plan?.interfaces ?? []).flatMap(listExportedNames);
    return (Object.keys(entries) as Entry[]).flatMap((entry) => {
      const listed = new Set(names.filter((each) => each.entries.includes(entry)).map(({ name }) => name));
      const exported = exportedBy(entry, sources);
      return [
        ...[...listed].filter((name) => !exported.has(name)).map((name) => `${index} ${entry}: ${name} is not exported`),
        ...[...exported].filter((name) => !listed.has(name)).map((name) => `${index} ${entry}: ${name} is not listed`),
      ];
    });
  });
  expect(problems).toEqual([]);
}, 300_000);
