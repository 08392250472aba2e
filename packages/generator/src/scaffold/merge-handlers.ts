import { posix } from "node:path";
import type { Node, Project, SourceFile } from "ts-morph";
import { HandlerAdditions } from "./edit/add-handlers.js";
import { isUnwritten, listSyntaxProblems, withLineEndsOf } from "./edit/edit-members.js";
import { listRemovedNameNotes } from "./edit/imported-names.js";
import { checkMove, listRequestedMoves } from "./edit/move-handlers.js";
import { listOldNamesNotes } from "./edit/rename-handlers.js";
import { HandlerRenames } from "./edit/request-renames.js";
import { findHandlersObject, findObjectAt, getHandlerFolder, listServiceTrees } from "./find/find-handlers.js";
import { isSamePath } from "./find/handler-types.js";
import { type HandlerObject, hasUnknownMembers, isDeleted, readMember } from "./find/read-members.js";
import { findExtensible, requiresMember } from "./find/required-members.js";
import { createServerProject, findSourceFolder } from "./find/server-project.js";
import { findHandlerModule, findMissingOption, findUnreadHandlers } from "./find/unread-code.js";
import type { HandlerChanges } from "./handler-changes.js";
import { getHandlersConstantName, getNodeFolder, isJavaScript } from "./handler-files.js";
import {
  type AbsentList,
  addAbsent,
  formatNoGroupNote,
  listChangedHandlers,
  listChangesBelow,
  listIncompleteNotes,
  listOperationChanges,
  listRemovedKeys,
} from "./handler-notes.js";
import { type HandlerGroup, type HandlerNode, type HandlerTree, type LocatedNode, listPaths } from "./handler-tree.js";
import type {
  AbsentHandlers,
  ChangedHandler,
  MergeInputs,
  MergeResult,
  RemovedHandler,
  UnmovedHandler,
} from "./merge-report.js";
import { existedBefore, listEarlierAdditions, listRemovedHandlers } from "./removed-handlers.js";
import {
  findOnlyService,
  formatOnlyServiceNote,
  formatRenamedCodeNote,
  listRemovedInterfaceNotes,
  listRemovedServiceNotes,
  listUnservedNotes,
} from "./service-notes.js";
import { listOpenOperations, listUnreadNotes, selectOpenOperations, type UnreadHandlers } from "./unread-notes.js";

/** Adds the handlers of new operations to a server that the user has edited, and moves those of renamed operations. */
export function mergeHandlers(
  existingFiles: ReadonlyMap<string, string>,
  newInterfaces: readonly HandlerTree[],
  inputs: MergeInputs,
): MergeResult {
  const project = createServerProject(existingFiles);
  const sourceFolder = findSourceFolder([...existingFiles.keys()]);
  const problems = listSyntaxProblems(project, sourceFolder);
  const interfaces = newInterfaces.map((tree) => ({
    ...tree,
    folder: posix.join(sourceFolder, posix.basename(tree.folder)),
    removedKeys: listRemovedKeys(tree, inputs.changes),
  }));
  const merge = new Merge(project, existingFiles, { ...inputs, trees: interfaces });
  if (problems.length > 0) {
    return { ...merge.result(), problems };
  }
  for (const tree of interfaces) {
    merge.mergeInterface(tree);
  }
  merge.reportMerged();
  merge.noteServices(interfaces);
  return merge.result();
}

class Merge {
  readonly #project: Project;
  readonly #existingFiles: ReadonlyMap<string, string>;
  readonly #inputs: MergeInputs;
  /** The absolute path of each file before the merge. */
  readonly #oldPaths: ReadonlyMap<SourceFile, string>;
  readonly #candidates: string[] = [];
  readonly #unmoved: UnmovedHandler[] = [];
  readonly #removed: RemovedHandler[] = [];
  readonly #changedHandlers: ChangedHandler[] = [];
  readonly #notes: string[] = [];
  /** The reports of the merged interfaces, which contain positions. */
  readonly #reports: (() => void)[] = [];
  readonly #absent: AbsentList = [];
  readonly #additions: HandlerAdditions;
  readonly #renames: HandlerRenames;
  #hasOpenNotes = false;
  /** The added and removed operations that handlers which were not read may not fit yet. */
  readonly #unread: ReturnType<typeof listOpenOperations>[] = [];
  readonly #unmergedInterfaces = new Set<string>();

  constructor(
    project: Project,
    existingFiles: ReadonlyMap<string, string>,
    inputs: MergeInputs & { readonly trees: readonly HandlerTree[] },
  ) {
    this.#project = project;
    this.#existingFiles = existingFiles;
    this.#inputs = inputs;
    this.#oldPaths = new Map(this.#files.map((file) => [file, file.getFilePath()]));
    this.#additions = new HandlerAdditions(project, { ...inputs, notes: this.#notes });
    this.#renames = new HandlerRenames(project, inputs, this.#notes);
  }

  /** The text of a file of the server, whose line ends new files get. */
  get #neighbourText(): string {
    const [path] = this.#oldPaths.values();
    return this.#existingFiles.get(path?.slice(1) ?? "") ?? "";
  }

  get #files(): readonly SourceFile[] {
    return this.#project.getSourceFiles();
  }

  /** Merges an interface, or a service of `whole` whose handlers are an object of their own. */
  mergeInterface(planned: HandlerTree, whole = planned): void {
    if (this.#isBeforeRename(planned)) {
      return;
    }
    const root = findHandlersObject(this.#files, planned);
    if (root === undefined) {
      this.#mergeWithoutObject(planned);
      return;
    }
    const tree = { ...planned, folder: getHandlerFolder(this.#files, planned.folder, root) };
    this.#renames.makeRequested(tree);
    this.#mergeGroup(tree, [], tree.root);
    this.#reports.push(() => this.#reportInterface(tree, whole));
  }

  #reportInterface(tree: HandlerTree, whole: HandlerTree): void {
    const { changes, serverPackage } = this.#inputs;
    const root = findHandlersObject(this.#files, tree);
    if (root !== undefined) {
      this.#changedHandlers.push(...listChangedHandlers(tree, root, changes));
    }
    this.#reportRemoved(tree, changes, whole);
    const isFree = ({ path, node }: LocatedNode) => isUnwritten(this.#project, tree, { path, node, serverPackage });
    this.#candidates.push(...listEarlierAdditions(tree, changes, isFree));
  }

  /**
   * Reports what the user must check or remove, after all interfaces are merged: added handlers and imports move other
   * code, also that of other interfaces in the same file, so that earlier positions would be wrong.
   */
  reportMerged(): void {
    for (const report of this.#reports.splice(0)) {
      report();
    }
  }

  /** Reports an interface or a service with other names in code, if the user's code still imports the old names. */
  #isBeforeRename({ name, prefix: [service] }: HandlerTree): boolean {
    const { changes, serverPackage, operationPackages = [], formatDisplayPath } = this.#inputs;
    const packages = [serverPackage, ...operationPackages];
    const notes = (changes?.renamedCode ?? [])
      .filter((rename) => rename.interface === name && rename.service === service)
      .flatMap((rename) => formatRenamedCodeNote(rename, this.#files, { packages, formatDisplayPath }) ?? []);
    if (notes.length > 0) {
      this.#notes.push(...notes);
      this.#unmergedInterfaces.add(name);
    }
    return notes.length > 0;
  }

  /** Reports the handlers of removed operations, and of moved operations whose handlers have not moved. */
  #reportRemoved(tree: HandlerTree, changes: HandlerChanges | undefined, whole = tree): void {
    const { renames, serverPackage } = this.#inputs;
    const { removed, unmoved } = listRemovedHandlers(tree, this.#files, {
      changes,
      whole,
      moves: [...(changes?.moves ?? []), ...listRequestedMoves(whole, renames)],
      checkMove: (move, node) => checkMove(this.#project, move, { node, serverPackage }),
    });
    this.#removed.push(...removed);
    this.#unmoved.push(...unmoved);
  }

  /** Merges the handlers of an interface without an object for all of them. Each service may have its own object. */
  #mergeWithoutObject(tree: HandlerTree): void {
    if (findUnreadHandlers(this.#files, tree) !== undefined) {
      this.#reports.push(() => this.#reportUnread(tree));
    } else if (!this.#reportOnlyService(tree) && !this.#mergeServices(tree) && !this.#additions.addInterface(tree)) {
      this.#notes.push(
        `The server has no object of the type ${tree.type}. Write \`const ${getHandlersConstantName(tree)}: ${tree.type} = {…}\`, and run scaffold again.`,
      );
    }
  }

  #reportUnread(tree: HandlerTree): void {
    const handlers = findUnreadHandlers(this.#files, tree);
    if (handlers !== undefined) {
      const { changes } = this.#inputs;
      this.#changedHandlers.push(...listChangedHandlers(tree, handlers, changes));
      const operations = changes && listOperationChanges(tree, changes);
      if (!this.#noteUnread({ tree, path: [], code: handlers, operations })) {
        addAbsent(this.#absent, handlers, "unread", tree.prefix.join(".") || tree.name);
      }
    }
  }

  /** Reports handlers that were not read. Returns false if no added or removed operation concerns them. */
  #noteUnread(unread: UnreadHandlers): boolean {
    const open = selectOpenOperations(this.#files, unread, this.#inputs.changes);
    const notes = listUnreadNotes(unread, this.#files, { ...this.#inputs, open });
    this.#unread.push(listOpenOperations(open, unread.tree));
    this.#notes.push(...notes);
    return notes.length > 0;
  }

  /** Reports tasks for the user if an interface now has only one service. Returns false for any other interface. */
  #reportOnlyService(tree: HandlerTree): boolean {
    const onlyService = findOnlyService(tree, this.#files, this.#inputs.changes);
    if (onlyService === undefined) {
      return false;
    }
    this.#renames.makeRequested(onlyService.oldTree);
    this.#reports.push(() => {
      this.#notes.push(formatOnlyServiceNote(tree, this.#files, { ...this.#inputs, ...onlyService }));
      this.#reportRemoved(onlyService.oldTree, onlyService.changes);
    });
    this.#hasOpenNotes = true;
    return true;
  }

  /** Merges services whose handlers are separate objects. Returns false if there is no such service. */
  #mergeServices(tree: HandlerTree): boolean {
    const services = listServiceTrees(tree);
    const files = this.#files;
    const hasHandlers = (service: HandlerTree) =>
      (findHandlersObject(files, service) ?? findUnreadHandlers(files, service)) !== undefined;
    const renamedServices = services.filter((service) => !hasHandlers(service) && this.#isBeforeRename(service));
    if (renamedServices.length === 0 && !services.some(hasHandlers)) {
      return false;
    }
    const existingServices = services.filter(hasHandlers);
    for (const service of services) {
      if (!existingServices.includes(service) && !renamedServices.includes(service)) {
        this.#additions.addInterface({ ...service, folder: getNodeFolder(tree, service.prefix) });
      }
    }
    this.#renames.makeRequested(tree);
    for (const service of existingServices) {
      this.mergeInterface(service, tree);
    }
    return true;
  }

  /** Reports the handlers of services and interfaces that no longer exist, and those that no code serves yet. */
  noteServices(trees: readonly HandlerTree[]): void {
    const additionNotes = this.#additions.listNotes();
    this.#notes.push(...additionNotes.values());
    const mergedTrees = trees.filter(({ name }) => !this.#unmergedInterfaces.has(name));
    for (const tree of mergedTrees) {
      if (findHandlersObject(this.#files, tree) !== undefined) {
        this.#reportOnlyService(tree);
        this.reportMerged();
      }
      const handlers = { removed: this.#removed, unmoved: this.#unmoved };
      const serviceNotes = listRemovedServiceNotes(tree, this.#files, { ...this.#inputs, ...handlers });
      const nameNotes = listRemovedNameNotes(tree, this.#files, {
        ...this.#inputs,
        moves: this.#renames.moves,
        otherNotes: [...this.#notes, ...serviceNotes],
      });
      const notes = [...serviceNotes, ...nameNotes];
      this.#hasOpenNotes ||= notes.length > 0;
      this.#notes.push(...notes);
    }
    // The note about an only service already says how its routes are made.
    const servedTrees = mergedTrees.filter(
      (tree) => findOnlyService(tree, this.#files, this.#inputs.changes) === undefined,
    );
    const incompleteInputs = {
      ...this.#inputs,
      newPaths: this.#removed.map(({ newPath }) => newPath),
      namedPositions: new Set(additionNotes.keys()),
    };
    this.#notes.push(...mergedTrees.flatMap((tree) => listIncompleteNotes(tree, this.#files, incompleteInputs)));
    const { newTrees } = this.#additions;
    this.#notes.push(...listUnservedNotes(servedTrees, this.#files, { ...this.#inputs, newTrees }));
    this.#notes.push(...this.#renames.listNotes(trees));
    const { notes, isOpen } = listRemovedInterfaceNotes(trees, this.#files, this.#inputs);
    this.#hasOpenNotes ||= isOpen;
    this.#notes.push(...notes);
  }

  result(): MergeResult {
    const files = new Map<string, string>();
    const movedFrom = new Map<string, string>();
    for (const file of this.#files) {
      const path = file.getFilePath().slice(1);
      const oldText = this.#existingFiles.get(path);
      const text = withLineEndsOf(oldText ?? this.#neighbourText, file.getFullText());
      if (oldText !== text) {
        files.set(path, text);
      }
      const oldPath = this.#oldPaths.get(file)?.slice(1) ?? path;
      if (oldPath !== path) {
        movedFrom.set(path, oldPath);
      }
    }
    const movedPaths = [...this.#oldPaths.values()]
      .filter((path) => this.#project.getSourceFile(path) === undefined)
      .map((path) => path.slice(1));
    const { added } = this.#additions;
    const newOperations = added.filter(({ tree, path }) => !existedBefore(tree, path, this.#inputs.changes));
    const notRenamed = this.#renames.listMissed({ hasRemoved: this.#removed.length + this.#unmoved.length > 0 });
    const report = {
      added: added.map(({ path }) => path),
      candidates: [...new Set([...newOperations.map(({ path }) => path), ...this.#candidates])],
      renamed: this.#renames.made,
      ...(notRenamed.length === 0 ? {} : { notRenamed }),
      ...(this.#unmoved.length === 0 ? {} : { unmoved: this.#unmoved }),
      removed: this.#removed,
      changed: this.#changedHandlers,
      ...(this.#absent.length === 0 ? {} : { absent: this.#absent }),
      ...(this.#files.every((file) => isJavaScript(file.getFilePath())) ? { isJavaScript: true as const } : {}),
      notes: [
        ...this.#notes,
        ...this.#renames.moves.flatMap((move) => listOldNamesNotes(this.#files, move, this.#inputs.formatDisplayPath)),
      ],
    };
    const isOpen = this.#removed.length > 0 || this.#unmoved.length > 0 || this.#hasOpenNotes;
    const isIncomplete = this.#unmergedInterfaces.size > 0;
    const unread = {
      added: this.#unread.flatMap((open) => open.added),
      removed: this.#unread.flatMap((open) => open.removed),
    };
    return { files, movedPaths, movedFrom, report, isOpen, unread, isIncomplete, problems: [] };
  }

  #mergeGroup(tree: HandlerTree, path: readonly string[], group: HandlerGroup): void {
    let object = findObjectAt(this.#files, tree, path);
    for (const child of group.children) {
      // The object is searched for again only if an edit has invalidated it, because the search takes longer in a large
      // server.
      object = object?.wasForgotten() ? findObjectAt(this.#files, tree, path) : object;
      if (object === undefined) {
        return;
      }
      const member = readMember(object, child.key);
      const childPath = [...path, child.key];
      if (member.kind === "missing") {
        if (hasUnknownMembers(object)) {
          this.#noteAbsent(tree, childPath, "unknown");
        } else {
          this.#addMember(tree, { path: childPath, node: child, group: object });
        }
      } else if (child.kind === "group" && member.kind === "object") {
        this.#mergeGroup(tree, childPath, child);
      } else if (member.kind === "unread" && isDeleted(member.file, this.#existingFiles)) {
        this.#additions.restore(tree, { path: childPath, node: child, deleted: member });
      } else if (child.kind === "operation" && member.kind === "object") {
        this.#noteMember(tree, childPath, (code) => {
          this.#notes.push(formatNoGroupNote(childPath, code, this.#inputs));
        });
      } else if (child.kind === "group" && member.kind !== "object") {
        this.#noteUnreadMember(tree, childPath, child);
      }
    }
    this.#noteUnreadChanges(tree, path, group);
  }

  /** Reports added and removed operations whose handlers may be in code that is not read, such as a spread call. */
  #noteUnreadChanges(tree: HandlerTree, path: readonly string[], group: HandlerGroup): void {
    const { changes } = this.#inputs;
    const object = changes === undefined ? undefined : findObjectAt(this.#files, tree, path);
    if (changes === undefined || object === undefined || !hasUnknownMembers(object)) {
      return;
    }
    const keys = new Set(group.children.map(({ key }) => key));
    const isUnread = (operation: string) => {
      const [steps, key] = [operation.split(".").slice(0, path.length), operation.split(".")[path.length]];
      return isSamePath(steps, path) && key !== undefined && readMember(object, key).kind === "missing";
    };
    const all = listOperationChanges(tree, changes);
    const added = all.added.filter(isUnread);
    const removed = all.removed.filter(
      (operation) => isUnread(operation) && !keys.has(operation.split(".")[path.length] ?? ""),
    );
    this.#reports.push(() => {
      const code = added.length + removed.length === 0 ? undefined : findObjectAt(this.#files, tree, path);
      if (code !== undefined) {
        this.#noteUnread({ tree, path, code, operations: { added, removed } });
      }
    });
  }

  /** Adds a handler or a group to the object whose type requires it. Reports an operation that no type requires. */
  #addMember(tree: HandlerTree, { path, node, group }: LocatedNode & { readonly group: HandlerObject }): void {
    const key = path.at(-1) ?? "";
    const location = { tree, path: path.slice(0, -1) };
    const option = requiresMember(group, key, location) ? undefined : findMissingOption(this.#files, tree);
    const object = option === undefined ? findExtensible(group, key, location) : undefined;
    if (object !== undefined) {
      this.#additions.add(tree, { path, node, object });
    } else if (option === undefined) {
      this.#noteAbsent(tree, path, "not required");
    } else {
      this.#reports.push(() => {
        addAbsent(this.#absent, findMissingOption(this.#files, tree) ?? option, "left out", path.join("."));
      });
    }
  }

  /** Reports code that is not read, but that may contain handlers at a path. */
  #noteUnreadMember(tree: HandlerTree, path: readonly string[], node: HandlerNode): void {
    const { changes } = this.#inputs;
    const operations = changes && listChangesBelow(tree, path, { node, changes });
    this.#noteMember(tree, path, (code) => {
      const module = findHandlerModule(code);
      // The exports of a file are known, so that each operation without a handler is known, also if it is not new.
      const { removed = [] } = operations ?? {};
      const known = module === undefined ? operations : { added: listPaths(path, node), removed };
      if (!this.#noteUnread({ tree, path, code, operations: known }) && module === undefined) {
        addAbsent(this.#absent, code, "unread", path.join("."));
      }
    });
  }

  /** Reports handlers that were not found. */
  #noteAbsent(tree: HandlerTree, path: readonly string[], reason: AbsentHandlers["reason"]): void {
    this.#noteMember(tree, path, (code) => addAbsent(this.#absent, code, reason, path.join(".")));
  }

  /** Reports the code at a path when all interfaces are merged. */
  #noteMember(tree: HandlerTree, path: readonly string[], report: (code: Node) => void): void {
    this.#reports.push(() => {
      const object = findObjectAt(this.#files, tree, path.slice(0, -1));
      const member = object && readMember(object, path.at(-1) ?? "");
      const code = member?.kind === "missing" ? object : member?.kind === "object" ? member.object : member?.node;
      if (code !== undefined) {
        report(code);
      }
    });
  }
}
