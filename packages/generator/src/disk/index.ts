export type { FileTree } from "../model/index.js";
export {
  commonFolder,
  DiskError,
  type FileSystem,
  isFile,
  isFolder,
  listEntries,
  readFolder,
  readText,
  sourceReader,
  sourceRoot,
  withDiskErrors,
} from "./file-system.js";
export { createOutput, type Output, outputRoot, runInOutputRoot, type System } from "./output.js";
export { type FileChange, manifestName, type TreePlan } from "./plan-tree.js";
export {
  compareTree,
  finishInterrupted,
  readExisting,
  type WriteOptions,
  type Written,
  writeBeside,
  writeTree,
} from "./write-files.js";
