import type { Config, PackageConfig } from "../../model/config.js";
import type { JsonNode } from "../../source/json.js";
import type { Span } from "../../source/span.js";
import { readPath } from "./paths.js";
import type { ConfigText, Shape } from "./shape.js";

type Packages = Config["packages"];

interface Placed {
  readonly path: string;
  readonly name: string;
  readonly pathSpan: Span;
  readonly nameSpan: Span;
}

/** The folders and names of the three generated packages, or of one that holds all; undefined where one of them is missing or wrong. */
export function readPackages(
  shape: Shape,
  node: JsonNode | undefined,
  { folder }: { readonly folder: string },
): Packages | undefined {
  const names = ["contract", "client", "server"];
  if (node === undefined) {
    return undefined;
  }
  if (node.kind === "object" && (node.members.has("path") || node.members.has("name"))) {
    const one = readPackage(shape, node, folder);
    return one && { contract: partOf(one, "contract"), client: partOf(one, "client"), server: partOf(one, "server") };
  }
  const members = shape.object(node, '"packages"', names);
  const [contract, client, server] = names.map((name) => {
    const member = shape.required(members, name, { span: node.span, what: '"packages"' });
    return member === undefined ? undefined : readPackage(shape, member, folder);
  });
  if (contract === undefined || client === undefined || server === undefined) {
    return undefined;
  }
  checkCollisions(shape, [contract, client, server]);
  return { contract: bare(contract), client: bare(client), server: bare(server) };
}

function bare({ path, name }: Placed): PackageConfig {
  return { path, name, part: undefined };
}

function partOf({ path, name }: Placed, part: PackageConfig["part"]): PackageConfig {
  return { path, name, part };
}

function readPackage(shape: Shape, node: JsonNode, folder: string): Placed | undefined {
  const of = { span: node.span, what: "a package" };
  const members = shape.object(node, of.what, ["path", "name"]);
  const path = shape.text(shape.required(members, "path", of), '"path"');
  const name = shape.text(shape.required(members, "name", of), '"name"');
  const resolved = path === undefined ? undefined : readPath(shape, path, folder);
  if (path === undefined || name === undefined || resolved === undefined || !isPackageName(shape, name)) {
    return undefined;
  }
  return { path: resolved, name: name.text, pathSpan: path.span, nameSpan: name.span };
}

function isPackageName(shape: Shape, { text, span }: ConfigText): boolean {
  if (
    text.length <= 214 &&
    /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/.test(text) &&
    text !== "node_modules"
  ) {
    return true;
  }
  shape.diagnostics.error("CFG007", span, { message: `"${text}" is not a name that npm accepts.` });
  return false;
}

// A folder inside another package's folder would belong to two manifests.
function checkCollisions(shape: Shape, packages: readonly Placed[]): void {
  packages.forEach((each, index) => {
    for (const other of packages.slice(0, index)) {
      if (contains(other.path, each.path) || contains(each.path, other.path)) {
        const message = `The folders "${other.path}" and "${each.path}" of two packages overlap.`;
        shape.diagnostics.error("CFG009", each.pathSpan, { message });
      }
      if (other.name === each.name) {
        shape.diagnostics.error("CFG009", each.nameSpan, { message: `Two packages have the name "${each.name}".` });
      }
    }
  });
}

function contains(folder: string, path: string): boolean {
  return `${path.toLowerCase()}/`.startsWith(`${folder.toLowerCase()}/`);
}
