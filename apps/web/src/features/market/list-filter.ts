/** What the search looks at. */
export type Searchable = { id: number; code: string; showCode: string; name: string; categoryId: number }

/** Category 0 stands for all. */
export const ALL = 0
/** The reader's own list, among the categories. */
export const MINE = -1

export type ListFilter = { readonly text: string; readonly categoryId: number }

export const EVERYTHING: ListFilter = { text: '', categoryId: ALL }

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLocaleLowerCase()
    .replace(/[\s/·]+/g, '')

/**
 * The instruments of a category whose code or one of whose names holds the text. Case, accents, spaces and slashes
 * make no difference: "eur usd", "EURUSD" and "Eur/Usd" are the same. The order stays.
 */
export function filterInstruments<Row extends Searchable>(
  rows: readonly Row[],
  { categoryId, text }: ListFilter,
  localName: (row: Row) => string,
  watched: ReadonlySet<number>,
): readonly Row[] {
  const wanted = plain(text)
  const isIn = (row: Row) =>
    categoryId === ALL || (categoryId === MINE ? watched.has(row.id) : row.categoryId === categoryId)
  return rows.filter(
    (row) =>
      isIn(row) &&
      (wanted === '' ||
        [row.code, row.showCode, row.name, localName(row)].some((each) => plain(each).includes(wanted))),
  )
}
