type FirstData = { readonly language: string; readonly instruments: unknown; readonly categories: unknown }

/** What the server has put into the page beside the first rows: answers of calls, as on the wire. Null where there is none. */
export const firstData: FirstData | null = read()

function read(): FirstData | null {
  if (typeof document === 'undefined') return null
  const text = document.getElementById('first-data')?.textContent
  return text ? (JSON.parse(text) as FirstData) : null
}
