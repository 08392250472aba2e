import { callScript } from "./call.js";
import { codeScript, curlScript } from "./code.js";
import { searchPart, tabsPart } from "./navigation.js";
import { operationPart } from "./operation.js";
import { routePart } from "./route.js";

/** A script of several parts, whose names are not global. */
function scriptOf(...parts: readonly string[]): string {
  return `(() => {\n"use strict";${parts.join("")}})();\n`;
}

/** The script of a page with a list. */
export const searchScript: string = scriptOf(searchPart, "startSearch();\n");

/** The script of the page of a SOAP operation. */
export const operationScript: string = scriptOf(
  codeScript,
  curlScript,
  callScript,
  searchPart,
  tabsPart,
  operationPart,
);

/** The script of the page of a route. */
export const routeScript: string = scriptOf(codeScript, curlScript, callScript, searchPart, tabsPart, routePart);
