import { element, type Pair, sequence, wsdlOf } from "./pair.js";

/** A schema of a namespace whose elements have the namespace. */
const schema = (namespace: string, text: string) =>
  `<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:o="urn:o" xmlns:p="urn:p" targetNamespace="${namespace}" elementFormDefault="qualified">${text}</schema>`;

const type = (name: string, ...members: readonly string[]) =>
  `<complexType name="${name}"><sequence>${members.join("")}</sequence></complexType>`;

const kept = type("Kept", element("k"));

/** `T` and other declarations in `urn:t`, and declarations in `urn:o` and `urn:p`. Both namespaces are always used. */
function stateOf(text: string, declarations: { readonly o?: string; readonly p?: string }) {
  const imports = ["o", "p"].map((name) => `<import namespace="urn:${name}" schemaLocation="${name}.xsd"/>`).join("");
  const members = ["o", "p"].map((name) => element(`${name}?:${name}:Kept`, `xmlns:${name}="urn:${name}"`)).join("");
  return {
    ...wsdlOf(`${imports}${text.replace("<sequence>", `<sequence>${members}`)}`),
    "o.xsd": schema("urn:o", `${kept}${declarations.o ?? ""}`),
    "p.xsd": schema("urn:p", `${kept}${declarations.p ?? ""}`),
  };
}

/** A pair whose type `A` moves from `urn:o` to `urn:p`. */
function movedType(
  members: readonly [before: readonly string[], after: readonly string[]],
  init: Partial<Pair> & { readonly title: string },
): Pair {
  const using = (name: string) => sequence(element(`x:${name}:A`, `xmlns:${name}="urn:${name}"`));
  const [before, after] = members;
  return {
    rule: "declaration-moved",
    old: stateOf(using("o"), { o: type("A", ...before) }),
    new: stateOf(using("p"), { p: type("A", ...after) }),
    ...init,
  };
}

/** A pair whose global declarations move from `urn:o` to `urn:p`. `using` refers to them with the prefix `x`. */
function movedReference(
  declarations: string,
  using: string,
  init: Partial<Pair> & { readonly title: string; readonly after?: string },
): Pair {
  const { after = using, ...rest } = init;
  const referTo = (text: string, name: string) => text.replace(/ref="x:/g, `xmlns:${name}="urn:${name}" ref="${name}:`);
  return {
    rule: "declaration-moved",
    old: stateOf(referTo(using, "o"), { o: declarations }),
    new: stateOf(referTo(after, "p"), { p: declarations }),
    ...rest,
  };
}

const price = '<element name="price" type="string"/>';
const priceOf = (attributes = "") => `<element ref="x:price" ${attributes}/>`;
const currency = '<attribute name="currency" type="string"/>';
const currencyOf = (use: string) =>
  `<complexType name="T"><sequence>${element("a")}</sequence><attribute ref="x:currency" use="${use}"/></complexType>`;

/** `T`, whose elements have the given form. Other elements have their namespace. */
const formOf = (form: string, ...members: readonly string[]) => ({
  ...wsdlOf('<include schemaLocation="c.xsd"/>'),
  "c.xsd": `<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t" elementFormDefault="${form}">${sequence(...members)}${type("U", element("b"), element("c"))}</schema>`,
});

/** A pair whose elements no longer have a namespace. */
function otherForm(title: string, ...members: readonly string[]): Pair {
  return {
    rule: "namespace-changed",
    title,
    old: formOf("qualified", ...members),
    new: formOf("unqualified", ...members),
  };
}

/** Pairs whose declarations move to another namespace. */
export const movedPairs: readonly Pair[] = [
  movedType(
    [
      [element("a"), element("b?")],
      [element("a"), element("b?")],
    ],
    { title: "a type" },
  ),
  movedType(
    [
      [element("a"), element("b?")],
      [element("a?"), element("b?")],
    ],
    { title: "a type of which a member became optional", also: ["member-became-optional"] },
  ),
  movedType([[element("a?")], [element("a?")]], { title: "a type without required members" }),
  movedType([[element("a?")], [element("a?:int")]], {
    title: "a type of which a member has another type",
    also: ["type-narrowed"],
  }),
  movedReference(
    price,
    `<complexType name="T"><sequence>${element("u:t:U")}${priceOf()}</sequence></complexType>${type("U", priceOf())}`,
    {
      title: "an element to which two types refer",
    },
  ),
  movedReference(price, sequence(priceOf()), { rule: "member-namespace-changed", title: "of one reference" }),
  movedReference(price, sequence(priceOf()), {
    rule: "member-namespace-changed",
    title: "of one reference, which is optional now",
    after: sequence(priceOf('minOccurs="0"')),
    also: ["member-became-optional"],
  }),
  movedReference(currency, currencyOf("optional"), {
    rule: "member-namespace-changed",
    title: "of an optional attribute",
  }),
  movedReference(currency, currencyOf("required"), {
    rule: "member-namespace-changed",
    title: "of a required attribute",
  }),
  movedReference(currency, currencyOf("optional"), {
    rule: "member-namespace-changed",
    title: "of an attribute that is required now",
    after: currencyOf("required"),
    also: ["member-became-required"],
  }),
  otherForm("only below an optional element", element("a?:t:U")),
  otherForm("below a required element", element("a:t:U")),
];
