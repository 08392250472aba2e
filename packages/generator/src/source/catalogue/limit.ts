import type { CatalogueEntry } from "./entry.js";

/** Codes LIMnnn, limits that several kinds of sources share, and those of what is written: stable once released. */
export const limitCatalogue = {
  LIM001: {
    kind: "limit.patternChars",
    cause: "A pattern or a route is longer than it may be.",
    fix: "Shorten it, or raise the limit with --limit patternChars=<number>.",
  },
  LIM002: {
    kind: "limit.patternStates",
    cause: "A pattern's automaton has more states than it may have: counted parts are written out.",
    fix: "Lower the counts, or raise the limit with --limit patternStates=<number>.",
  },
  LIM003: {
    kind: "limit.pathChars",
    cause: "The path of a generated file is longer than it may be.",
    fix: "Use shorter folders or names, or raise the limit with --limit pathChars=<number>.",
  },
  LIM004: {
    kind: "limit.pathSegment",
    cause: "A folder or file that is generated has a longer name than it may have.",
    fix: "Use a shorter name, or raise the limit with --limit pathSegment=<number>.",
  },
  LIM005: {
    kind: "limit.outputFiles",
    cause: "More files come of the sources than may be written.",
    fix: "Generate from fewer documents, or raise the limit with --limit outputFiles=<number>.",
  },
  LIM006: {
    kind: "limit.outputBytes",
    cause: "The files that come of the sources are larger together than may be written.",
    fix: "Generate from fewer documents, or raise the limit with --limit outputBytes=<number>.",
  },
  LIM007: {
    kind: "limit.jsonKeys",
    cause: "The objects of a JSON document have more members than they may have.",
    fix: "Generate from fewer routes, or raise the limit with --limit jsonKeys=<number>.",
  },
  LIM008: {
    kind: "limit.jsonItems",
    cause: "The lists of a JSON document have more items than they may have.",
    fix: "Generate from fewer routes, or raise the limit with --limit jsonItems=<number>.",
  },
} as const satisfies Record<`LIM${string}`, CatalogueEntry>;
