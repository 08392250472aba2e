export type { FileTree } from "../model/index.js";
export { DiskError, type FileSystem } from "./file-system.js";
export { inOutputRoot, type Output, outputOn, outputRoot, type System } from "./output.js";
export { type FileChange, manifestName, type TreePlan } from "./plan-tree.js";
export {
  commonFolder,
  entriesOf,
  isFile,
  isFolder,
  readFolder,
  readText,
  sourceReader,
  sourceRoot,
} from "./read-files.js";
export {
  compareTree,
  readExisting,
  type WriteOptions,
  type Written,
  writeBeside,
  writeTree,
} from "./write-files.js";
