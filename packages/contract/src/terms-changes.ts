import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { listOf, nothing } from './field.ts'
import { termsChange } from './wire/terms-change.ts'

/** A change of terms that traders are shown before it holds. */
export type TermsChange = Inside<typeof termsChange>

export const listTermsChanges = defineEndpoint({
  name: 'listTermsChanges',
  method: 'GET',
  path: '/v1/api/forex/terms_changes',
  access: ACCESS.market,
  request: nothing,
  response: listOf(termsChange),
  summary: 'Changes of terms that are announced and not in force yet, the next one first',
})
