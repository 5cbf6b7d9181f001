import { getConsentDocuments, getLegalText, LANGUAGE_CODES, type LanguageCode } from '@fairlot/contract'
import { addLegalVersion, getLegalVersion, listLegalVersions } from '@fairlot/contract/desk'
import { beforeEach, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { movablePace } from '../../testing/accounts.ts'
import { translatorFor } from '../../platform/i18n/translate.ts'
import { atDesk, callsAs, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const DAY_MS = 86_400_000
const FIRST = '2026-11-21'

describe.each(DATABASES)('legal texts, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9' } })
  let compliance: AtDesk
  // Sessions end while time passes in these tests.
  beforeEach(async () => {
    compliance = await atDesk(server(), 'compliance')
  })
  const now = () => Math.floor(pace.wall())
  const consentFor = async (language: string) => {
    const outcome = await clientOf(server().url, null, { language }).call(getConsentDocuments, null)
    if (!outcome.ok) throw new Error(outcome.reason)
    return outcome.value
  }
  const read = (version: string | null) =>
    clientOf(server().url).call(getLegalText, { document: 'terms', version })
  const NEXT = {
    document: 'terms',
    follows: FIRST,
    reason: 'the law has changed',
    texts: [{ language: 'en', body: ' Be fair.\r\nBe plain. ' }],
  } as const

  test('begin with the texts that users have consented to so far', async () => {
    const consent = await consentFor('hk')
    expect(consent).toMatchObject({ version: FIRST })
    expect(consent.terms).toContain('本平台提供槓桿交易')
    expect(consent.riskDisclosure).toContain('槓桿交易可令資金迅速虧損')
    // A translation names the text that applies; the English one does not.
    expect(consent.riskDisclosure).toContain('以英文本為準')
    expect(consent.riskDisclosure).toContain('本文為譯本')
    expect((await consentFor('en')).riskDisclosure).not.toContain('translation')
    const { versions } = await compliance.request(listLegalVersions, null)
    expect(versions.map(({ document, version, isInForce }) => [document, version, isInForce])).toEqual([
      ['riskDisclosure', FIRST, true],
      ['terms', FIRST, true],
    ])
  })

  const OTHERS = LANGUAGE_CODES.filter((language) => language !== 'en')
  test.each(OTHERS)('say in %s whether a machine translated them', async (language) => {
    const by = language === 'hk' ? 'translator' : 'machine'
    const note = translatorFor(language)('legal.translated', { by })
    const { terms, riskDisclosure } = await consentFor(language)
    expect([terms, riskDisclosure].filter((text) => !text.endsWith(`\n\n${note}`))).toEqual([])
  })

  test('have a new version from its effective date on, and the old one stays readable', async () => {
    const effectiveAt = now() + DAY_MS
    const { version } = await compliance.request(addLegalVersion, { ...NEXT, effectiveAt })
    expect(version).toBe(new Date(effectiveAt).toISOString().slice(0, 10))
    expect(await consentFor('en')).toMatchObject({ version: FIRST })
    expect(await read(version)).toMatchObject({ reason: 'legalVersionUnknown' })
    pass(DAY_MS)
    compliance = await atDesk(server(), 'compliance')
    expect(await consentFor('de')).toMatchObject({ version, terms: 'Be fair.\nBe plain.' })
    expect(await read(null)).toMatchObject({ value: { version, versions: [version, FIRST] } })
    const old = await read(FIRST)
    expect(old.ok && old.value.body).toContain('This platform is a place to trade')
    const { texts } = await compliance.request(getLegalVersion, { document: 'terms', version })
    expect(texts).toEqual([{ language: 'en', body: 'Be fair.\nBe plain.' }])
  })

  test('have different names for two versions of one day', async () => {
    const { versions } = await compliance.request(listLegalVersions, null)
    const follows = versions.find(({ document }) => document === 'terms')?.version ?? ''
    const { version } = await compliance.request(addLegalVersion, { ...NEXT, follows, effectiveAt: now() })
    expect(version).toBe(`${follows}.2`)
    expect(await consentFor('en')).toMatchObject({ version })
    const privacy = { ...NEXT, document: 'privacy', follows: '', effectiveAt: now() } as const
    expect(await compliance.request(addLegalVersion, privacy)).toEqual({ version: `${follows}.3` })
    // The privacy text is not among those that users consent to.
    expect(await consentFor('en')).toMatchObject({ version })
  })

  test('of the desk name the language that prevails, which is Chinese where there is no English', async () => {
    const { versions } = await compliance.request(listLegalVersions, null)
    let follows = versions.find(({ document }) => document === 'terms')?.version ?? ''
    const publish = async (texts: readonly { language: LanguageCode; body: string }[]) => {
      const form = { ...NEXT, follows, texts, effectiveAt: now() }
      follows = (await compliance.request(addLegalVersion, form)).version
    }
    const termsIn = async (language: LanguageCode) => (await consentFor(language)).terms
    const machine = translatorFor('it')('consent.terms')
    await publish([
      { language: 'en', body: 'Be fair.' },
      { language: 'hk', body: '公平。' },
      { language: 'de', body: 'Fair sein.' },
      { language: 'it', body: machine },
    ])
    expect(await termsIn('en')).toBe('Be fair.')
    expect(await termsIn('hk')).toBe('公平。\n\n本文如與英文本有歧義，以英文本為準。')
    expect(await termsIn('de')).toMatch(/^Fair sein\.\n\n.* gilt der englische Text\.$/)
    // The text of the platform, which the desk kept, is still a machine’s.
    expect(await termsIn('it')).toContain('traduzione automatica')
    await publish([
      { language: 'hk', body: '公平。' },
      { language: 'de', body: 'Fair sein.' },
    ])
    expect(await termsIn('hk')).toBe('公平。')
    expect(await termsIn('en')).toBe('公平。')
    expect(await termsIn('de')).toMatch(/ gilt der chinesische Text\.$/)
  })

  test.each([
    ['an outdated form', { follows: FIRST }, 'formOutdated'],
    ['an effective date in the past', { effectiveAt: 1 }, 'legalMomentInvalid'],
    ['no text at all', { texts: [] }, 'legalTextsMissing'],
    ['an empty text', { texts: [{ language: 'en', body: ' ' }] }, 'legalTextsMissing'],
    ['neither English nor Chinese', { texts: [{ language: 'de', body: 'Fair.' }] }, 'legalTextsMissing'],
    ['a text that is too long', { texts: [{ language: 'en', body: 'x'.repeat(60_001) }] }, 'contentTooLong'],
    ['no reason', { reason: ' ' }, 'reasonMissing'],
  ] as const)('are refused with %s', async (_name, given, reason) => {
    const form = { ...NEXT, effectiveAt: now() + DAY_MS, ...given }
    expect(await compliance.refusalOf(addLegalVersion, form)).toBe(reason)
  })

  test('can be neither changed nor deleted, and not added by visitors', async () => {
    const { queries } = server().deployment.database
    await expect(queries.updateTable('legal_text').set({ body: 'x' }).execute()).rejects.toThrow()
    await expect(queries.deleteFrom('legal_version').execute()).rejects.toThrow()
    const visitor = callsAs(server().url, null)
    expect(await visitor.refusalOf(addLegalVersion, { ...NEXT, effectiveAt: now() })).toBe('sessionGone')
  })
})
