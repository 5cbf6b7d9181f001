/** Where a list begins: after no row. */
export const FIRST_PAGE: number | null = null

type Page = { readonly total: number }

/**
 * The last row loaded of a list, after which its next page is asked for; undefined once all are loaded. By row and not by number:
 * rows that come or go meanwhile would shift the pages.
 */
export function rowsAfter<One extends Page>(
  pages: readonly One[],
  rowsOf: (page: One) => readonly { readonly id: number }[],
): number | undefined {
  const rows = pages.flatMap(rowsOf)
  return rows.length < (pages.at(-1)?.total ?? 0) ? rows.at(-1)?.id : undefined
}
