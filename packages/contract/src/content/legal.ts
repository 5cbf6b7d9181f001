import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { legalQuery, legalText } from './content.wire.ts'

/** The legal documents of a deployment; registration requires consent to the first two. */
export const LEGAL_DOCUMENTS = ['terms', 'riskDisclosure', 'privacy'] as const
export type LegalDocument = (typeof LEGAL_DOCUMENTS)[number]
export const CONSENT_DOCUMENTS = ['terms', 'riskDisclosure'] as const satisfies readonly LegalDocument[]

export type ShownLegalText = Infer<typeof legalText>

export const getLegalText = defineEndpoint({
  name: 'getLegalText',
  method: 'GET',
  path: '/api/default/legal_text',
  access: ACCESS.information,
  request: legalQuery,
  response: legalText,
  summary: 'A legal document in the version in force, or in any version there has been',
})
