import type { Literal } from "./lit.js";
import type { CodeSymbol } from "./symbol.js";

/** What a generated file consists of. Declarations are data: emitters make them, `print` lays them out. */
export type Declaration =
  | InterfaceDeclaration
  | AliasDeclaration
  | ConstantDeclaration
  | ClassDeclaration
  | FunctionDeclaration
  | ReexportDeclaration;

interface Documented {
  /** Any text, for people; printed through `comment()`. */
  readonly documentation?: string | undefined;
}

interface Named extends Documented {
  readonly name: string;
}

export interface InterfaceDeclaration extends Named {
  readonly kind: "interface";
  readonly extends: readonly TypeNode[];
  readonly members: readonly MemberNode[];
}

export interface AliasDeclaration extends Named {
  readonly kind: "alias";
  readonly type: TypeNode;
}

export interface ConstantDeclaration extends Named {
  readonly kind: "constant";
  /** `const`: the value's own literal type. */
  readonly type: TypeNode | "const";
  readonly value: Expression;
}

export interface ClassDeclaration extends Named {
  readonly kind: "class";
  readonly typeParameters: readonly TypeParameter[];
  readonly extends?: TypeNode | undefined;
  readonly members: readonly ClassMember[];
}

export interface FunctionDeclaration extends Named {
  readonly kind: "function";
  readonly parameters: readonly Parameter[];
  readonly returns: TypeNode;
  readonly body: readonly Statement[];
}

/** `export { … } from "…"`, one statement per module, types apart from values. */
export interface ReexportDeclaration {
  readonly kind: "reexport";
  readonly symbols: readonly CodeSymbol[];
}

export interface TypeParameter {
  readonly name: string;
  readonly extends: TypeNode;
  readonly default?: TypeNode;
}

export interface Parameter {
  readonly name: string;
  readonly type: TypeNode;
  readonly optional?: true;
  readonly default?: Expression;
}

export type MemberNode = PropertyNode | MethodNode | IndexNode;
export interface PropertyNode extends Named {
  readonly kind: "property";
  readonly type: TypeNode;
  readonly optional?: boolean;
  readonly readonly?: boolean;
}
export interface MethodNode extends Named {
  readonly kind: "method";
  readonly optional?: boolean;
  readonly typeParameters?: readonly TypeParameter[];
  readonly parameters: readonly Parameter[];
  readonly returns: TypeNode;
}

/** `readonly [name: string]: T`. */
export interface IndexNode extends Documented {
  readonly kind: "index";
  readonly type: TypeNode;
}

export type ClassMember =
  | (Named & { readonly kind: "private"; readonly type: TypeNode })
  | (Named & { readonly kind: "field"; readonly type?: TypeNode; readonly value?: Expression })
  | { readonly kind: "constructor"; readonly parameters: readonly Parameter[]; readonly body: readonly Statement[] }
  | (MethodNode & { readonly body: readonly Statement[] });

export type Keyword =
  | "string"
  | "number"
  | "bigint"
  | "boolean"
  | "unknown"
  | "void"
  | "null"
  | "undefined"
  | "never"
  | "object"
  | "Uint8Array"
  | "Date"
  | "Promise"
  | "Partial";

export type TypeNode =
  | { readonly kind: "keyword"; readonly name: Keyword; readonly arguments?: readonly TypeNode[] }
  | { readonly kind: "symbol"; readonly symbol: CodeSymbol; readonly arguments?: readonly TypeNode[] }
  /** A type parameter in scope. */
  | { readonly kind: "parameter"; readonly name: string }
  | { readonly kind: "literal"; readonly value: Literal }
  /** `readonly T[]`. */
  | { readonly kind: "array"; readonly item: TypeNode }
  | { readonly kind: "union"; readonly members: readonly TypeNode[] }
  | { readonly kind: "intersection"; readonly members: readonly TypeNode[] }
  | { readonly kind: "object"; readonly members: readonly MemberNode[] }
  /** `(typeof values)[number]`. */
  | { readonly kind: "valuesOf"; readonly symbol: CodeSymbol };

export type Expression =
  | { readonly kind: "literal"; readonly value: Literal }
  | { readonly kind: "symbol"; readonly symbol: CodeSymbol }
  /** A parameter in scope. */
  | { readonly kind: "local"; readonly name: string }
  /** `this.#name`. */
  | { readonly kind: "private"; readonly name: string }
  | { readonly kind: "object"; readonly entries: readonly ObjectEntry[] }
  | { readonly kind: "array"; readonly items: readonly Expression[] }
  /** `() => value`. */
  | { readonly kind: "lazy"; readonly value: Expression }
  | {
      readonly kind: "arrow";
      readonly typeParameters?: readonly TypeParameter[];
      readonly parameters: readonly Parameter[];
      readonly returns: TypeNode;
      readonly value: Expression;
    }
  | { readonly kind: "call"; readonly callee: Expression; readonly arguments: readonly Expression[] }
  | { readonly kind: "new"; readonly callee: Expression; readonly arguments: readonly Expression[] }
  | { readonly kind: "member"; readonly of: Expression; readonly name: string };

export interface ObjectEntry extends Documented {
  readonly key: string;
  readonly value: Expression;
}

export type Statement =
  | { readonly kind: "return"; readonly value: Expression }
  /** `this.name = value`; `#name` for a private member. */
  | { readonly kind: "assign"; readonly name: string; readonly private?: true; readonly value: Expression };
