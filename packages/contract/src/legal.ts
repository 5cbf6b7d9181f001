import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { legalQuery, legalText } from './wire/legal.ts'

/** The legal documents of a deployment; whoever registers agrees to the first two. */
export const LEGAL_DOCUMENTS = ['terms', 'riskDisclosure', 'privacy'] as const
export type LegalDocument = (typeof LEGAL_DOCUMENTS)[number]
export const CONSENT_DOCUMENTS = ['terms', 'riskDisclosure'] as const satisfies readonly LegalDocument[]

export type ShownLegalText = Inside<typeof legalText>

export const getLegalText = defineEndpoint({
  name: 'getLegalText',
  method: 'GET',
  path: '/api/default/legal_text',
  access: ACCESS.information,
  request: legalQuery,
  response: legalText,
  summary: 'A legal document in the version in force, or in any version there has been',
})
