import type { HeaderLine } from "../types.js";
import type { IndexDocument } from "./index-document.js";

/** Addresses as the pages name them, relative to themselves, so that they hold behind a proxy that adds to the path. */
export interface BrowseLinks {
  /** This page without a route. */
  readonly overview: string;
  readonly routePage: (key: string) => string;
  /** What the path of a route follows, without its first slash. */
  readonly prefix: string;
  /** What a query follows. */
  readonly joiner: "?" | "&";
}

/** What the pages of one index are made from. */
export interface BrowsedIndex {
  readonly index: IndexDocument;
  readonly links: BrowseLinks;
  readonly robots: readonly HeaderLine[];
}
