/** As many syntax errors as help, one for each place: the parser tells of what is missing there in several ways. */
export function firstErrors<E extends { readonly offset: number }>(errors: readonly E[]): readonly E[] {
  const places = new Set<number>();
  return errors.filter(({ offset }) => places.size < places.add(offset).size).slice(0, 20);
}
