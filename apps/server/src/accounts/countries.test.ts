import { LANGUAGE_CODES, tagOf } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { createCountries } from './countries.ts'

const settings = { mainArea: 'HK', blockedAreas: [] }

test.each(LANGUAGE_CODES)(
  'countries in %s have names of the language, in its alphabet’s order',
  (language) => {
    const [first, main, ...others] = createCountries(settings).list(language)
    expect(main?.code).toBe('HK')
    const names = [first, ...others].map((country) => country?.name ?? '')
    expect(names).toEqual(names.toSorted(new Intl.Collator(tagOf(language)).compare))
  },
)

test('letters with marks stand beside those without, not after Z', () => {
  const placeOf = (name: string) =>
    createCountries(settings)
      .list('de')
      .findIndex((country) => country.name === name)
  expect(placeOf('Ägypten')).toBeGreaterThan(placeOf('Afghanistan'))
  expect(placeOf('Ägypten')).toBeLessThan(placeOf('Albanien'))
})
