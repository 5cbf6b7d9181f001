import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CountryCode, MetadataJson } from 'libphonenumber-js/max'

const load = createRequire(import.meta.url)

/*
 * Packages that few servers use, each loaded by its first call. Loading blocks the event loop once: 26 ms of processor time for
 * sanitize-html, 19 ms for phone numbers, 5 ms or less for the others.
 */

/**
 * Verifies passkeys. The largest of these packages: 160 ms of processor time and 17 MB, once, for the certificates of
 * makers, which we do not check.
 */
export const passkeyVerifier = () => load('@simplewebauthn/server') as typeof import('@simplewebauthn/server')

/** Reads the parts of passkeys. */
export const passkeyParts = () =>
  load('@simplewebauthn/server/helpers') as typeof import('@simplewebauthn/server/helpers')

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

/** Encrypts and signs web pushes. */
export const webPush = () => load('web-push') as typeof import('web-push')

/** The calling code of every country by its code, read from the package's data, which is too large to keep in memory for this. */
export function callingCodes(): ReadonlyMap<CountryCode, string> {
  const file = readFileSync(load.resolve('libphonenumber-js/metadata.min.json'), 'utf8')
  const { countries } = JSON.parse(file) as MetadataJson
  return new Map(
    Object.entries(countries).map(([code, [callingCode]]) => [code as CountryCode, callingCode as string]),
  )
}
