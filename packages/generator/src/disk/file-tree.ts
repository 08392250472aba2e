/** Files to be: their text by their path relative to the output root, with `/`. */
export type FileTree = ReadonlyMap<string, string>;
