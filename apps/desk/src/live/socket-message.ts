/** What the server tells a page of the desk. */
export type DeskMessage =
  | { readonly type: 'loggedIn' }
  | { readonly type: 'changed'; readonly topics: readonly string[] }
  | { readonly type: 'viewing'; readonly caseKey: string; readonly operators: readonly string[] }

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** A frame of the socket; null for one that is none of ours. */
export function readDeskMessage(data: unknown): DeskMessage | null {
  try {
    const { type, topics, caseKey, operators } = JSON.parse(String(data)) as Record<string, unknown>
    if (type === 'loggedIn') return { type }
    if (type === 'changed' && isTexts(topics)) return { type, topics }
    if (type !== 'viewing' || typeof caseKey !== 'string' || !isTexts(operators)) return null
    return { type, caseKey, operators }
  } catch {
    return null
  }
}
