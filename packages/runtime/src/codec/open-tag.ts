import { escapeAttribute } from "@bothends/xml";
import type { Tag } from "./encode-table.js";
import { clarkOf, type WireName } from "./names.js";
import type { Prefixes } from "./prefixes.js";

/** A start tag that is still open for its `>`. */
export interface OpenedTag {
  readonly start: string;
  readonly close: string;
  /** No default namespace is in scope inside. */
  readonly noDefault: boolean;
}

/** What stands in a start tag beside its name. */
export interface TagContent {
  /** Attributes, already written, so that all prefixes they need are known. */
  readonly attributes: string;
  readonly typeName: WireName | undefined;
}

/** Opens an element that needs more than its prepared tag: attributes, `xsi:type`, declarations for what its values name. */
export function openTag(prefixes: Prefixes, tag: Tag, { attributes, typeName }: TagContent): OpenedTag {
  const { namespace, local } = tag.name;
  const type = typeName === undefined ? "" : ` xsi:type="${typeText(prefixes, tag, typeName)}"`;
  if (!prefixes.used) return { start: tag.start + type + attributes + tag.scope, close: tag.close, noDefault: false };
  const { declarations, noDefault } = prefixes.take();
  if (!noDefault || namespace === "") {
    return { start: tag.start + type + attributes + declarations + tag.scope, close: tag.close, noDefault };
  }
  const bound = `${declarations} xmlns:e="${escapeAttribute(namespace)}" xmlns=""`;
  const start = `<e:${local}${tag.start.slice(local.length + 1)}${type}${attributes}${bound}`;
  return { start, close: `</e:${local}>`, noDefault };
}

/** Without a prefix where the default namespace will do. */
function typeText(prefixes: Prefixes, tag: Tag, typeName: WireName): string {
  if (typeName.namespace === tag.name.namespace && !prefixes.noDefault) return typeName.local;
  return prefixes.qname(clarkOf(typeName));
}
