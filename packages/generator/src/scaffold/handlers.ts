/** What a server must handle, as a tree that mirrors the handlers object its people write. */
export interface HandlerInterface {
  /** `vehicle`: the module of the server package, and the folder. */
  readonly module: string;
  /** `VehicleHandlers`, the type of the whole tree. */
  readonly type: string;
  /** `vehicleRoutes`, the function that takes it. */
  readonly routes: string;
  readonly kind: "soap" | "rest";
  readonly root: HandlerGroup;
}

export interface HandlerGroup {
  readonly kind: "group";
  readonly key: string;
  readonly children: readonly HandlerNode[];
}

export interface HandlerOperation {
  readonly kind: "operation";
  readonly key: string;
  /** What a new handler answers until somebody writes it: an expression that fits the type, or undefined for a thrown fault. */
  readonly answer: string | undefined;
  /** Changes when the operation's input or output does. */
  readonly signature: string;
}

export type HandlerNode = HandlerGroup | HandlerOperation;

/** Every operation of a tree with the keys that lead to it, in order. */
export function operationsOf(
  group: HandlerGroup,
  path: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly operation: HandlerOperation }[] {
  return group.children.flatMap((child) =>
    child.kind === "group"
      ? operationsOf(child, [...path, child.key])
      : [{ path: [...path, child.key], operation: child }],
  );
}
