export type { FileTree } from "../model/index.js";
export { assertNotInterrupted, type Recovery } from "./apply-changes.js";
export {
  createSourceReader,
  DiskError,
  type FileSystem,
  findCommonFolder,
  findSourceRoot,
  isFile,
  isFolder,
  listEntries,
  readFolder,
  readText,
  withDiskErrors,
} from "./file-system.js";
export { createOutput, findOutputRoot, type Output, runInOutputRoot, type System } from "./output.js";
export { type FileChange, manifestName, type TreePlan } from "./plan-tree.js";
export {
  compareTree,
  finishInterrupted,
  isLocked,
  readExisting,
  type WriteOptions,
  type Written,
  writeBeside,
  writeTree,
} from "./write-files.js";
