/** An expanded name; `namespace` is "" for none. As a key of a map it is written in Clark notation: `{ns}local`, or `local` for none. */
export interface QName {
  readonly namespace: string;
  readonly local: string;
}
