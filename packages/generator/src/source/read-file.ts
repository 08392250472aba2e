/** Gives the bytes of a source, by its path relative to the root with `/`. Injected: the generator itself touches no disk. */
export type ReadFile = (path: string) => FileRead;

export type FileRead =
  | { readonly kind: "file"; readonly bytes: Uint8Array }
  /** `missing`; `outside` the root once links are followed; `irregular`: a folder, device or pipe; `large`: over the limit. */
  | {
      readonly kind: "problem";
      readonly problem: "missing" | "outside" | "irregular" | "large" | "unreadable";
      readonly message: string;
    };
