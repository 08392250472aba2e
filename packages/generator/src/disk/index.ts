export type { FileTree } from "../model/index.js";
export { DiskError, type FileSystem } from "./file-system.js";
export { type Output, outputOn, type System } from "./output.js";
export { inOutputRoot, outputRoot } from "./output-paths.js";
export { type FileChange, manifestName, type TreePlan } from "./plan-tree.js";
export { entriesOf, isFile, isFolder, readFolder, readText, sourceReader } from "./read-files.js";
export { commonFolder, sourceRoot } from "./source-root.js";
export {
  compareTree,
  readExisting,
  type WriteOptions,
  type Written,
  writeBeside,
  writeTree,
} from "./write-files.js";
