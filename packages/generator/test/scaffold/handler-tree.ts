import type { HandlerChanges } from "../../src/scaffold/handler-changes.js";
import type { HandlerNode, HandlerTree } from "../../src/scaffold/handler-tree.js";

// A tree of handlers and changes, for the tests of merging.

export const operation = (key: string): HandlerNode => ({ kind: "operation", key });

/** The handlers of the SOAP interface `stock`. */
export function soapTree(...children: HandlerNode[]): HandlerTree {
  return {
    name: "stock",
    module: "stock",
    folder: "src/stock",
    prefix: [],
    type: "StockHandlers",
    routes: "stockRoutes",
    kind: "soap",
    root: { kind: "group", key: "", children },
  };
}

export const noChanges: HandlerChanges = {
  changes: [],
  moves: [],
  removedInterfaces: [],
  added: [],
  removed: [],
  split: [],
  removedTypes: [],
  services: [],
};

export const serverPackage = "@example/server";
