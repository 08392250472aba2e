export { DiskError } from "./disk-error.js";
export type { FileSystem } from "./file-system.js";
export type { FileTree } from "./file-tree.js";
export { type Output, outputOn, type System } from "./output.js";
export { inOutputRoot, outputRoot } from "./output-root.js";
export type { FileChange, TreePlan } from "./plan-tree.js";
export { isFolder, readFolder } from "./read-folder.js";
export { sourceReader } from "./read-source.js";
export { compareTree, type WriteOptions, type Written, writeTree } from "./write-tree.js";
