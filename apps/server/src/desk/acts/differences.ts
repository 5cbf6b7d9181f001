import type { DeskChange } from '@fairlot/contract/desk'

/** What differs between two pieces of JSON, one line for each value, called by the way to it, such as `fee.rate`. */
export function differencesOf(before: string | null, after: string | null): DeskChange[] {
  const [old, young] = [flat(before), flat(after)]
  const fields = [...new Set([...old.keys(), ...young.keys()])]
  return fields
    .map((field) => ({ field, before: old.get(field) ?? null, after: young.get(field) ?? null }))
    .filter((change) => change.before !== change.after)
}

function flat(json: string | null): Map<string, string> {
  const values = new Map<string, string>()
  const add = (value: unknown, path: string) => {
    if (value === null || value === undefined) return
    if (typeof value !== 'object' || isPlainList(value)) values.set(path, wordOf(value))
    else for (const [name, inner] of Object.entries(value)) add(inner, path === '' ? name : `${path}.${name}`)
  }
  add(json === null ? null : (JSON.parse(json) as unknown), '')
  return values
}

/** Of single values, which are read best in one line. */
const isPlainList = (value: object): boolean =>
  Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null)

function wordOf(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map(wordOf).join(', ') : JSON.stringify(value)
}
