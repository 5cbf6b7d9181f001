const TRADE = '/trade'

/** The page of an instrument. */
export const tradePath = (code: string): string => `${TRADE}?code=${encodeURIComponent(code)}`

/** The instrument that the query of a link names, in the letters of the list; null where it names none of it. */
export function codeIn(search: string, codes: readonly string[]): string | null {
  const named = new URLSearchParams(search).get('code')?.toUpperCase()
  return codes.find((code) => code.toUpperCase() === named) ?? null
}
