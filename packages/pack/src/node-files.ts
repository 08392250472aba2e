import { type Entry, getEntryName, listEntries, type SourceManifest } from "./manifest.js";
import { type JoinedFile, joinPatterns, type Published, runtime } from "./published.js";

/**
 * The files of the runtime for the condition `node`, in `dist/node`. Node takes about a millisecond for each file and
 * each import, so entries that programs use together are one file, which exports the names of all of them:
 *
 * | program | files |
 * |---|---|
 * | REST client | `base`, `core`, `rest-client` |
 * | SOAP client | `base`, `core`, `message`, `soap-client` |
 * | REST server | `base`, `routes`, `listening`, `rest-server` |
 * | SOAP server | `base`, `message`, `decoder`, `listening`, `soap-server` |
 *
 * A program loads `kinds` if its descriptors import `./xs`. Bundlers for browsers use the files of `published.ts`, from
 * which they leave out more code. An entry that is not listed has a separate file.
 *
 * A module is in the first file whose pattern matches its path.
 */
const files: readonly JoinedFile[] = [
  {
    name: "base",
    entries: [".", "./segment-names"],
    modules: joinPatterns(
      /^(?:xml\/src\/(?:nearest-name|limits|error)|datatypes\/src\/lexical-error)\./,
      /^runtime\/src\/(?:errors|answer-errors|value-problems|option-checks|option-types|keyed-hash|index|descriptor\/operation)\./,
      /^runtime\/src\/(?:http\/(?:body-collector|body-parts|bytes|(?:json|compression)-mistakes|media-type|pem)|protocol\/http\/form-encoding)\./,
      /^runtime\/src\/observe\/(?:events|redact|json-tokens|safe-hooks)\./,
      /^runtime\/src\/rest\/(?:route-paths|segment-names|json-limits|php-json|check-answers)\./,
    ),
  },
  {
    name: "core",
    entries: ["./client/fetch"],
    modules: /^runtime\/src\/client\/(?!index\.|hooks\.|soap\/|rest\/|streams\/|transports\/(?:ntlm|node-tunnel|web-))/,
  },
  {
    name: "rest-client",
    entries: ["./rest-client", "./client/batch"],
    modules: /^runtime\/src\/client\/(?:hooks\.|rest\/)/,
  },
  {
    name: "routes",
    entries: ["./route-syntax"],
    modules: /^(?:datatypes\/src\/pattern\/(?!example-text\.)|runtime\/src\/rest\/(?:route-syntax|path-pattern))/,
  },
  {
    name: "listening",
    entries: ["./server/node", "./observe"],
    modules: joinPatterns(
      /^runtime\/src\/(?:observe\/|server-limits\.|thrown-values\.|is-promise\.)/,
      /^runtime\/src\/server\/(?!rest\/|soap\/|index\.|shared-exports\.|adapters\/(?:web-fetch|fastify|express|lambda)\.)/,
      /^runtime\/src\/http\//,
    ),
  },
  {
    name: "rest-server",
    entries: ["./rest-server", "./rest", "./argument-defaults"],
    modules: /^runtime\/src\/(?:server\/)?rest\//,
  },
  {
    name: "decoder",
    entries: ["./codec"],
    modules: joinPatterns(
      /^xml\/src\/(?:reader\/|(?:reader|expected-name|long-text|decode|tree|escape)\.)/,
      /^runtime\/src\/codec\/(?:decode|encode|tolerant-reader|start-tag|schema-mismatch|element-attributes|index|kinds\/any)/,
      /^runtime\/src\/protocol\/soap\/(?:addressing|attachments|encoding|fault|read-envelope|related)\./,
      /^runtime\/src\/protocol\/(?:soap\/client\/(?:features|request-writer)|http\/parameters|missing-nodes)\./,
      /^runtime\/src\/client\/soap\/find-target\./,
    ),
  },
  {
    name: "kinds",
    entries: ["./xs"],
    modules:
      /^(?:datatypes\/src\/pattern-facet\.|runtime\/src\/(?:codec\/kinds\/|xs\.|protocol\/soap\/client\/extensions\.))/,
  },
  {
    name: "soap-server",
    entries: ["./soap-server"],
    modules: /^runtime\/src\/(?:server\/soap\/|protocol\/(?:.+\/)?(?:server|conventions))/,
  },
  {
    name: "soap-client",
    entries: ["./soap-client", "./call", "./soap11", "./soap12", "./http-get", "./http-post"],
    modules:
      /^runtime\/src\/(?:client\/(?:soap\/(?!interface-settings|find-target))|codec\/quick\/|protocol\/[^/]+\/client\.)/,
  },
  {
    name: "message",
    entries: ["./xs/basic"],
    modules: joinPatterns(
      /^(?:xml|datatypes)\/src\/(?!pattern\/example-text\.)/,
      /^runtime\/src\/(?:codec|protocol)\//,
      /^runtime\/src\/(?:client\/soap\/interface-settings|xs-basic|wire-names)\./,
    ),
  },
];

/** The runtime with the files for Node, which need no declarations: those of the published entries apply. */
export const runtimeForNode: Published = { ...runtime, sharedFiles: files, sharedFolder: "", condition: "node" };

/** Returns the entries of the files for Node: one for each file with several entries, and one for each other entry. */
export function listNodeEntries(manifest: SourceManifest): readonly Entry[] {
  const getSource = (path: string): string => {
    const conditions = manifest.exports[path];
    if (conditions === undefined) {
      throw new Error(`The runtime has no entry ${path}, which node-files.ts lists.`);
    }
    return conditions["@bothends/source"];
  };
  const otherEntries = listEntries({ ...manifest, imports: {} }).filter(
    ({ name }) => findJoinedFile(name) === undefined,
  );
  return [
    ...files.map(({ name, entries }) => ({ name, sources: entries.map(getSource), types: [] })),
    ...otherEntries.map(({ name, sources }) => ({ name, sources, types: [] })),
  ];
}

/** Returns the path of an entry's file for Node. */
export function getNodeFile(path: string): string {
  const name = getEntryName(path);
  return `./dist/node/${findJoinedFile(name)?.name ?? name}.js`;
}

function findJoinedFile(entry: string): JoinedFile | undefined {
  return files.find(({ entries }) => entries.some((path) => getEntryName(path) === entry));
}
