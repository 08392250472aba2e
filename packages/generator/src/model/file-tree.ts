/** The text of files by their paths, with `/`, relative to the folder that the tree is for. */
export type FileTree = ReadonlyMap<string, string>;
