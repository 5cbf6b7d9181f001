import { CONSENT_DOCUMENTS, getLegalText, type LanguageCode, type LegalDocument } from '@fairlot/contract'
import type { LegalVersionTable } from '../platform/database/content-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Api } from '../platform/http/api.ts'
import { LANGUAGES, shownText, translatorFor } from '../platform/i18n/translate.ts'
import { refuse } from '../platform/refusal.ts'

/** All versions of some documents, by effective date and then by id, the latest first. */
export const versionsOf = (
  queries: Queries,
  documents: readonly LegalDocument[],
): Promise<LegalVersionTable[]> =>
  queries
    .selectFrom('legal_version')
    .selectAll()
    .where('document', 'in', documents)
    .orderBy('effective_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** The version of a document in force at a time (epoch ms); null before the first. `versions`: latest first. */
export const inForce = (
  versions: readonly LegalVersionTable[],
  document: LegalDocument,
  at: number,
): LegalVersionTable | null =>
  versions.find((version) => version.document === document && Number(version.effective_at) <= at) ?? null

/** The languages of the first texts, which came with the platform, that no machine translated. */
const NOT_BY_MACHINE: readonly LanguageCode[] = ['en', 'hk']

/** The text of a version for a reader, with a note of the language that prevails below each other one. */
async function textFor(
  queries: Queries,
  version: LegalVersionTable,
  language: LanguageCode,
): Promise<string> {
  const texts = await textsOf(queries, version)
  const shown = shownText(texts, language)
  if (!shown) return ''
  const original = shownText(texts, 'en')?.language ?? 'en'
  if (shown.language === original) return shown.body
  const translate = translatorFor(shown.language)
  const by = NOT_BY_MACHINE.includes(shown.language) ? 'translator' : 'machine'
  const note = isFirstText(version, shown)
    ? translate('legal.translated', { by })
    : translate('legal.prevails', { original })
  return `${shown.body}\n\n${note}`
}

/** Whether a text came with the platform; the desk’s form of a new version begins with those of the last. */
const isFirstText = (
  { written_by: author, document }: LegalVersionTable,
  { language, body }: { readonly language: LanguageCode; readonly body: string },
): boolean =>
  author === '' ||
  CONSENT_DOCUMENTS.some(
    (each) => each === document && translatorFor(language)(`consent.${each}`).trim() === body,
  )

export async function textsOf(
  queries: Queries,
  { id }: LegalVersionTable,
): Promise<{ language: LanguageCode; body: string }[]> {
  const rows = await queries
    .selectFrom('legal_text')
    .select(['language', 'body'])
    .where('version_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ language, body }) => ({ language: language as LanguageCode, body }))
}

/** The documents that a new user consents to, in the versions in force. */
export type Consent = {
  /** The version of the document that changed last. */
  version(): Promise<string>
  documents(language: LanguageCode): Promise<ConsentTexts>
}
type ConsentTexts = {
  readonly version: string
  readonly terms: string
  readonly riskDisclosure: string
}

/** `now`: real time, epoch ms. Its functions throw if a document has no version; a start writes the first ones. */
export function createConsent(queries: Queries, now: () => number): Consent {
  const current = async () => {
    const versions = await versionsOf(queries, CONSENT_DOCUMENTS)
    const at = now()
    const [latest] = versions.filter(({ effective_at }) => Number(effective_at) <= at)
    const [terms, risk] = CONSENT_DOCUMENTS.map((document) => inForce(versions, document, at))
    if (!latest || !terms || !risk) throw new Error('there are no legal texts to consent to')
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

/** Legal documents for anybody: the version in force and all earlier ones. `now`: real time, epoch ms. */
export function registerLegal(api: Api, queries: Queries, now: () => number): void {
  api.visitor(getLegalText, async ({ input: { document, version }, language }) => {
    const at = now()
    const begun = (await versionsOf(queries, [document])).filter((each) => Number(each.effective_at) <= at)
    const found =
      version === null
        ? inForce(begun, document, at)
        : (begun.find((each) => each.version === version) ?? null)
    if (!found) return refuse('legalVersionUnknown')
    return {
      version: found.version,
      effectiveAt: Number(found.effective_at),
      body: await textFor(queries, found, language),
      versions: begun.map((each) => each.version),
    }
  })
}

/** The version of the texts in the catalogues, which users consented to before texts were stored in the database. */
const FIRST_VERSION = '2026-11-21'

/** Writes the first version of the documents that users consent to, if there is none. `at`: epoch ms. */
export async function writeFirstLegalTexts(queries: Queries, at: number): Promise<void> {
  await queries.transaction().execute(async (within) => {
    const some = await within.selectFrom('legal_version').select('id').limit(1).executeTakeFirst()
    if (some) return
    for (const [index, document] of CONSENT_DOCUMENTS.entries()) {
      const id = BigInt(index + 1)
      await within
        .insertInto('legal_version')
        .values({
          id,
          document,
          version: FIRST_VERSION,
          effective_at: 0n,
          written_at: BigInt(at),
          written_by: '',
          reason: '',
        })
        .execute()
      const texts = LANGUAGES.map((language, position) => ({
        id: BigInt(index * LANGUAGES.length + position + 1),
        version_id: id,
        language,
        body: translatorFor(language)(`consent.${document}`),
      }))
      await within.insertInto('legal_text').values(texts).execute()
    }
  })
}
