import { CONSENT_DOCUMENTS, type LanguageCode } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import { inForce, textFor, versionsOf } from './legal-versions.ts'

/** What whoever registers agrees to, as it stands at the moment. */
export type Consent = {
  /** Of all documents together: the version of the one that changed last. */
  version(): Promise<string>
  documents(language: LanguageCode): Promise<ConsentTexts>
}
type ConsentTexts = {
  readonly version: string
  readonly terms: string
  readonly riskDisclosure: string
}

/** `now`: real time, epoch ms. Throws where there is no version of a document: a start writes the first ones. */
export function createConsent(queries: Queries, now: () => number): Consent {
  const current = async () => {
    const versions = await versionsOf(queries, CONSENT_DOCUMENTS)
    const at = now()
    const [latest] = versions.filter(({ effective_at }) => Number(effective_at) <= at)
    const [terms, risk] = CONSENT_DOCUMENTS.map((document) => inForce(versions, document, at))
    if (!latest || !terms || !risk) throw new Error('there are no legal texts to agree to')
    return { version: latest.version, terms, risk }
  }
  return {
    version: async () => (await current()).version,
    documents: async (language) => {
      const { version, terms, risk } = await current()
      return {
        version,
        terms: await textFor(queries, terms, language),
        riskDisclosure: await textFor(queries, risk, language),
      }
    },
  }
}
