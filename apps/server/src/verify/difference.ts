const exactly = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

const inWords = (value: unknown): string => JSON.stringify(value, exactly) ?? 'missing'

/** Where two values first differ, as words; null where they do not. Numbers and bigints of one value are the same. */
export function firstDifference(found: unknown, expected: unknown, name: string): string | null {
  if (isBranch(found) && isBranch(expected)) {
    for (const key of new Set([...Object.keys(found), ...Object.keys(expected)])) {
      const difference = firstDifference(found[key], expected[key], `${name} ${key}`.trim())
      if (difference !== null) return difference
    }
    return null
  }
  if (inWords(found) === inWords(expected) || String(found) === String(expected)) return null
  return `${name} is ${inWords(found)}, it should be ${inWords(expected)}`
}

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
