import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CountryCode, MetadataJson } from 'libphonenumber-js/max'

const load = createRequire(import.meta.url)

/*
 * Packages that few servers use, each loaded by the first who calls. Loading holds the loop once: 26 ms of processor time for
 * sanitize-html, 19 for the phone numbers, 5 or less for the others.
 */

/** Cleans HTML that operators or feeds have written. */
export const sanitizer = () => load('sanitize-html') as typeof import('sanitize-html')

/** Reads and writes XML. */
export const xml = () => load('fast-xml-parser') as typeof import('fast-xml-parser')

/** Reads phone numbers. */
export const phones = () => load('libphonenumber-js/max') as typeof import('libphonenumber-js/max')

/** Writes CSV. */
export const csv = () => load('csv-stringify/sync') as typeof import('csv-stringify/sync')

/** Writes ZIP archives. */
export const zip = () => load('yazl') as typeof import('yazl')

/** The calling code of every country, by its code: of the phone numbers' own data, which is too large to be kept for this. */
export function callingCodes(): ReadonlyMap<CountryCode, string> {
  const file = readFileSync(load.resolve('libphonenumber-js/metadata.min.json'), 'utf8')
  const { countries } = JSON.parse(file) as MetadataJson
  return new Map(
    Object.entries(countries).map(([code, [callingCode]]) => [code as CountryCode, callingCode as string]),
  )
}
