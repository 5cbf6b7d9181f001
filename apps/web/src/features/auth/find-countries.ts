import type { Country } from '@fairlot/contract'

/** Letters without their marks: who types "Cote" finds "Côte". */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

/**
 * The countries that a text means: by calling code when it begins with a digit or a plus, else by letters in the name or
 * by the two-letter code. Names that begin with the text come first.
 */
export function findCountries(areas: readonly Country[], text: string): readonly Country[] {
  const wanted = plain(text)
  const digits = /^\+?(\d+)$/.exec(wanted)?.[1]
  if (digits !== undefined) return areas.filter(({ callingCode }) => callingCode.startsWith(digits))
  const isFirst = ({ name, code }: Country) => plain(name).startsWith(wanted) || code.toLowerCase() === wanted
  const found = areas.filter((area) => isFirst(area) || plain(area.name).includes(wanted))
  return wanted === '' ? areas : [...found.filter(isFirst), ...found.filter((area) => !isFirst(area))]
}
