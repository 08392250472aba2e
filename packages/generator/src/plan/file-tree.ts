/** Files as the generator makes them: paths relative to the root of the project, with `/`, and their text. */
export type FileTree = ReadonlyMap<string, string>;
