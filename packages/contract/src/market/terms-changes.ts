import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { listOf, nothing } from '../protocol/field.ts'
import { termsChange, termsVersionPage, termsVersionsQuery } from './terms.wire.ts'

/** A change of terms, of payment methods or of the ranking's method, shown to traders. */
export type TermsChange = Infer<typeof termsChange>

export const listTermsChanges = defineEndpoint({
  name: 'listTermsChanges',
  method: 'GET',
  path: '/v1/api/forex/terms_changes',
  access: ACCESS.market,
  request: nothing,
  response: listOf(termsChange),
  summary:
    'Changes of terms, of payments and of the ranking that are announced, the next one first; then those that held at once or were withdrawn within the last day',
})

export type TermsVersionPage = Infer<typeof termsVersionPage>
/** A change of terms with all its values: announced, in force, past, or withdrawn. */
export type TermsVersion = TermsVersionPage['versions'][number]

/** Rows per page. */
export const TERMS_VERSION_ROWS = 20

export const listTermsVersions = defineEndpoint({
  name: 'listTermsVersions',
  method: 'GET',
  path: '/v1/api/forex/terms_versions',
  access: ACCESS.market,
  request: termsVersionsQuery,
  response: termsVersionPage,
  summary:
    'Every version of the terms of an instrument and of the trading settings, past and announced, the newest first; with `version` those in force at it',
})
