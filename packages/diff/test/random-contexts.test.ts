import { Random } from "@bothends/dynamic/random";
import { checkAnswers } from "@bothends/runtime/client";
import { expect, test } from "vitest";
import { type Change, diffContracts } from "../src/index.js";
import type { Schema } from "./edits/random-arguments.js";
import { addProperty, createAnswer, drawObject, editContexts, listSent, words } from "./edits/random-contexts.js";
import { indexOf } from "./pairs/index-document.js";
import { worstOf } from "./proof/call-outcomes.js";
import { compileErrors } from "./proof/compile.js";
import { type Sources, sideOf } from "./proof/contracts.js";
import { answerSchemasOf, generatedFrom } from "./proof/packages.js";
import { withoutVanishedNames } from "./proof/vanished-names.js";

// Edits the contexts of an answer's properties at random. For each context, compares the consequences with the members
// that a server sends, with the type that a client of the other version has for this context, with the answers that a
// client of the other version refuses if it checks them, and with answers in the code of handlers.

const [firstSeed, seedCount] = (process.env["DIFF_CONTEXTS"] ?? "1,60").split(",").map(Number) as [number, number];
const seeds = Array.from({ length: seedCount }, (_, index) => firstSeed + index);

const route = "/shop/v1/things/(?P<id>[\\d]+)";

interface ContextEdit {
  readonly schemas: readonly [Schema, Schema];
  readonly requested: readonly string[];
  readonly sources: readonly [Sources, Sources];
  readonly changes: readonly Change[];
}

type SchemaEdit = (schema: Schema, random: Random) => Schema;

function createEdit(seed: number, edit: SchemaEdit): ContextEdit {
  const random = new Random(seed * 3571);
  const before = drawObject(random);
  const once = edit(before, random);
  const after = edit === editContexts && random.drawBoolean(25) ? editContexts(once, random) : once;
  const requested = random.drawBoolean(70) ? words : words.filter((word) => word !== "embed");
  const context = { type: "string", enum: requested, default: random.pick(requested) ?? "view" };
  const args = { id: { type: "integer" }, context };
  const [oldSources, newSources] = [before, after].map((schema) =>
    indexOf(
      { [route]: { args } },
      { [route]: { $schema: "http://json-schema.org/draft-04/schema#", title: "thing", ...schema } },
    ),
  ) as [Sources, Sources];
  const { changes } = diffContracts(sideOf(oldSources), sideOf(newSources));
  return { schemas: [before, after], requested, sources: [oldSources, newSources], changes };
}

/** The generated types of the answer by context: `Contexts["view"]`. */
function typesOf(sources: Sources): string {
  const [, text = ""] = [...generatedFrom(sources)].find(([path]) => path.endsWith("/answers.ts")) ?? [];
  const contexts = text.includes("interface ThingContexts") ? "ThingContexts" : "Record<string, Thing>";
  return `${text}\nexport type Contexts = ${contexts};\n`;
}

test.each([
  { title: "edits of contexts", edit: editContexts, isSent: true },
  // Types say which added members are optional, although servers send them.
  { title: "added members", edit: addProperty, isSent: false },
])(
  "the consequences of random $title are those that servers and the types of clients show",
  ({ edit, isSent }) => {
    const edits = seeds.map((seed) => createEdit(seed, edit));
    const files = new Map<string, string>();
    const imports =
      'import type { Contexts as Old } from "./old.js";\nimport type { Contexts as New } from "./new.js";\n';
    for (const [index, { schemas, sources, requested }] of edits.entries()) {
      files.set(`${index}/old.ts`, typesOf(sources[0]));
      files.set(`${index}/new.ts`, typesOf(sources[1]));
      for (const word of requested) {
        const declare = (from: string, to: string) =>
          `${imports}export type Both = [Old, New]; declare const v: ${from}["${word}"]; export const w: ${to}["${word}"] = v;`;
        files.set(`${index}/oldClients-${word}.ts`, declare("New", "Old"));
        files.set(`${index}/newClients-${word}.ts`, declare("Old", "New"));
        // Without optional members, code shows which members became required.
        for (const [number, path] of [undefined, ...listSent(schemas[0], word)].entries()) {
          const answer = JSON.stringify(createAnswer(schemas[0], word, path));
          const write = (type: string) =>
            `${imports}export type Both = [Old, New]; export const v: ${type}["${word}"] = ${answer};`;
          files.set(`${index}/handlers-${word}-${number}.ts`, write("New"));
          files.set(`${index}/same-${word}-${number}.ts`, write("Old"));
        }
      }
    }
    const errors = compileErrors(files);
    const problems: string[] = [];
    for (const [index, { schemas, sources, requested, changes }] of edits.entries()) {
      const codeErrors = requested.flatMap((word) =>
        [undefined, ...listSent(schemas[0], word)].flatMap((_, number) =>
          errors.has(`${index}/same-${word}-${number}.ts`)
            ? []
            : (errors.get(`${index}/handlers-${word}-${number}.ts`) ?? []),
        ),
      );
      const handlers = worstOf(withoutVanishedNames(changes), "handlers");
      if (codeErrors.length > 0 !== (handlers !== "none")) {
        const shown = changes.map(({ message, consequences: c }) => `    ${message} [${c.handlers}]`);
        const lines = [...schemas.map((schema) => JSON.stringify(schema)), `${requested}`, ...shown];
        problems.push([...lines, `  ! handlers: ${handlers}, ${codeErrors.join("; ")}`].join("\n"));
      }
      for (const [party, client, server] of [
        ["oldClients", 0, 1],
        ["newClients", 1, 0],
      ] as const) {
        const listOnlySentBy = (side: 0 | 1, word: string) => {
          const others = listSent(schemas[side === 0 ? 1 : 0], word);
          return listSent(schemas[side], word).filter((path) => !others.includes(path));
        };
        // A property without contexts is optional in the types, but servers always send it.
        const isMissing = requested.some(
          (word) => errors.has(`${index}/${party}-${word}.ts`) || (isSent && listOnlySentBy(client, word).length > 0),
        );
        const check = checkAnswers(answerSchemasOf(sources[client]));
        const isRefused = requested.some(
          (word) =>
            check({ operation: "shop.things.get", body: createAnswer(schemas[server], word), partial: false }) !==
            undefined,
        );
        const isLost = requested.some((word) => listOnlySentBy(server, word).length > 0);
        const want = isMissing || isRefused ? "some" : isLost ? "tolerated" : "none";
        const claim = worstOf(changes, party);
        // The presence of a property changes in the types if it gets or loses its list of contexts.
        const [oldCount, newCount] = schemas.map((schema) => JSON.stringify(schema).split('"context"').length);
        const isOnlyInTypes = oldCount !== newCount && want === "none" && claim === "tolerated";
        if (claim !== want && !isOnlyInTypes) {
          const shown = changes.map(
            ({ message, consequences: c }) => `    ${message} [${[c.oldClients, c.newClients].join(" ")}]`,
          );
          const reason = requested.flatMap((word) => errors.get(`${index}/${party}-${word}.ts`) ?? []).join("; ");
          problems.push(
            [
              ...schemas.map((schema) => JSON.stringify(schema)),
              `${requested}`,
              ...shown,
              `  ! ${party}: ${claim}, not ${want} ${reason}`,
            ].join("\n"),
          );
        }
      }
    }
    expect(problems.join("\n")).toBe("");
  },
  300_000,
);
