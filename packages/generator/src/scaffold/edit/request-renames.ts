import type { Project, SourceFile } from "ts-morph";
import { findObjectWith, listServiceTrees, locateHandlers } from "../find/find-handlers.js";
import { isSamePath } from "../find/handler-types.js";
import { listUnusedRenameNotes } from "../handler-notes.js";
import { findNode, type HandlerTree, type LocatedNode } from "../handler-tree.js";
import type { MergeInputs, MergeReport } from "../merge-report.js";
import { formatTakenNote, isUnwritten, removeUnimplemented } from "./edit-members.js";
import { renameMessageTypes, renameServiceType } from "./imported-names.js";
import { checkMove, moveNode } from "./move-handlers.js";
import type { MemberMove } from "./rename-handlers.js";

/** The renames that the user requests with `--rename`. */
export class HandlerRenames {
  readonly #project: Project;
  readonly #inputs: MergeInputs;
  readonly #notes: string[];
  /** The requested renames without a handler and a new operation: the new path of each old path. */
  readonly #unused: Map<string, string>;
  /** The old paths of the requested renames that were not made. */
  readonly #missed: Set<string>;
  /** The missed renames that an earlier run probably made: the user has written a handler for the new path. */
  readonly #probablyMade = new Set<string>();
  readonly made: MergeReport["renamed"][number][] = [];
  readonly moves: MemberMove[] = [];

  constructor(project: Project, inputs: MergeInputs, notes: string[]) {
    this.#project = project;
    this.#inputs = inputs;
    this.#notes = notes;
    this.#unused = new Map(inputs.renames);
    this.#missed = new Set(inputs.renames?.keys());
  }

  get #files(): readonly SourceFile[] {
    return this.#project.getSourceFiles();
  }

  /** Makes the moves that the user requests, if they are possible. The report lists the others. */
  makeRequested(tree: HandlerTree): void {
    for (const [oldName, newName] of this.#inputs.renames ?? []) {
      const target = findNode(tree, newName);
      const oldPath = target && this.#findPath(tree, oldName.split("."), target.path);
      if (target !== undefined && oldPath !== undefined) {
        this.#unused.delete(oldName);
        if (this.#rename({ tree, oldPath, newPath: target.path }, target)) {
          this.#missed.delete(oldName);
        }
      }
    }
  }

  /** Returns the path of a handler, which may leave out its service if each service has an object of its own. */
  #findPath(tree: HandlerTree, path: readonly string[], newPath: readonly string[]): readonly string[] | undefined {
    const hasHandler = (oldPath: readonly string[]) =>
      !isSamePath(oldPath, newPath) && findObjectWith(this.#files, tree, oldPath) !== undefined;
    const [oldPath, ...others] = [[], ...listServiceTrees(tree).map(({ root }) => [root.key])]
      .map((start) => [...start, ...path])
      .filter(hasHandler);
    return others.length === 0 ? oldPath : undefined;
  }

  /** Moves a handler to a renamed operation: the member, its file, constant and type. Returns whether it moved. */
  #rename(move: MemberMove, { node }: LocatedNode): boolean {
    const { tree, oldPath, newPath } = move;
    const [oldName, newName] = [oldPath.join("."), newPath.join(".")];
    const { serverPackage } = this.#inputs;
    const check = checkMove(this.#project, move, { node, serverPackage });
    if (check.kind !== "possible") {
      this.#notes.push(...(check.kind === "taken" ? [formatTakenNote(oldName, newName, node)] : []));
      return false;
    }
    const located = locateHandlers(this.#files, tree, newPath);
    removeUnimplemented(this.#project, located.tree, { path: located.path, node, serverPackage });
    const movedNode = moveNode(this.#project, move, node);
    if (movedNode === undefined) {
      this.#notes.push(`${oldName} was not moved to ${newName}, because one of their groups is not an object literal.`);
      return false;
    }
    this.made.push({ from: oldName, to: newName, ...movedNode });
    this.moves.push(move);
    renameMessageTypes(this.#files, move, this.#inputs);
    this.#notes.push(...renameServiceType(this.#files, { tree, oldName, node }, this.#inputs));
    return true;
  }

  /** Returns a note for each rename whose handler or new operation does not exist. */
  listNotes(trees: readonly HandlerTree[]): readonly string[] {
    for (const [oldName, newName] of this.#unused) {
      const isMadeNow = this.made.some(({ to }) => to === newName);
      if (!isMadeNow && trees.some((tree) => this.#hasWritten(tree, newName))) {
        this.#probablyMade.add(oldName);
      }
    }
    return listUnusedRenameNotes(trees, this.#files, this.#unused);
  }

  /** Whether the user has written the handler of an operation. */
  #hasWritten(tree: HandlerTree, name: string): boolean {
    const target = findNode(tree, name);
    if (target === undefined) {
      return false;
    }
    const located = locateHandlers(this.#files, tree, target.path);
    const { serverPackage } = this.#inputs;
    return !isUnwritten(this.#project, located.tree, { path: located.path, node: target.node, serverPackage });
  }

  /**
   * Returns the old paths of the renames that were not made. `hasRemoved` is true if the server has handlers of removed
   * operations. If it has none, nothing is left to rename for a command that is repeated.
   */
  listMissed({ hasRemoved }: { readonly hasRemoved: boolean }): readonly string[] {
    return [...this.#missed].filter((oldName) => hasRemoved || !this.#probablyMade.has(oldName));
  }
}
