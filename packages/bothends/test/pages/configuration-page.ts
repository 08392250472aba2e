import { readFileSync } from "node:fs";

/** A part of the JSON Schema of `bothends.json`. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** The reference of `bothends.json`, made from its JSON Schema. */
export function configurationPage(schemaFile: string): string {
  const root: Schema = JSON.parse(readFileSync(schemaFile, "utf8"));
  const rows: string[] = [];
  addRows(root, "", { root, rows, depth: 0 });
  return `# Reference of bothends.json

This page is made from the [JSON Schema](../packages/bothends/bothends.schema.json) of \`bothends.json\` (\`pnpm golden\`), with which editors check the file.
[Configuration](configuration.md) explains what the members are for.

${root.description}

| member | value | meaning |
|---|---|---|
${rows.join("\n")}
`;
}

interface Table {
  readonly root: Schema;
  readonly rows: string[];
  readonly depth: number;
}

const maxDepth = 8;

function addRows(schema: Schema, path: string, table: Table): void {
  if (table.depth > maxDepth) {
    return;
  }
  const below = { ...table, depth: table.depth + 1 };
  for (const variant of variantsOf(schema, table.root)) {
    for (const [name, property] of Object.entries(variant.properties ?? {})) {
      const member = path === "" ? name : `${path}.${name}`;
      const isRequired = variant.required?.includes(name) === true;
      addRow(property, { member, isRequired }, below);
    }
    const { additionalProperties } = variant;
    if (typeof additionalProperties === "object") {
      addRow(additionalProperties, { member: `${path}.<name>`, isRequired: false }, below);
    }
  }
}

function addRow(
  schema: Schema,
  { member, isRequired }: { readonly member: string; readonly isRequired: boolean },
  table: Table,
): void {
  const variants = variantsOf(schema, table.root);
  const description = schema.description ?? variants.find((each) => each.description !== undefined)?.description ?? "";
  const values = [...new Set(variants.map((each) => valueText(each, table.root)))].filter((text) => text !== "");
  const fallback = schema.default === undefined ? "" : ` Default: \`${JSON.stringify(schema.default)}\`.`;
  const row = `| \`${member}\`${isRequired ? " (required)" : ""} | ${inCell(values.join(" or "))} | ${inCell(description)}${fallback} |`;
  if (!table.rows.includes(row)) {
    table.rows.push(row);
  }
  addRows(schema, member, table);
}

function valueText(schema: Schema, root: Schema): string {
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  }
  if (schema.items !== undefined) {
    return `list of ${variantsOf(schema.items, root)
      .map((item) => valueText(item, root))
      .join(" or ")}`;
  }
  return schema.type ?? (schema.properties === undefined ? "" : "object");
}

/** Returns the alternatives of a schema, with references resolved. */
function variantsOf(schema: Schema, root: Schema): readonly Schema[] {
  if (schema.$ref !== undefined) {
    const target = root.definitions?.[schema.$ref.replace("#/definitions/", "")];
    return target === undefined ? [] : variantsOf(target, root);
  }
  const alternatives = schema.oneOf ?? schema.anyOf;
  return alternatives === undefined ? [schema] : alternatives.flatMap((each) => variantsOf(each, root));
}

function inCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");
}
