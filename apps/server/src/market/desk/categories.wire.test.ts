import {
  CATEGORIES_MAX,
  changeTerms,
  listAuditEntries,
  listDeskCategories,
  listDeskInstruments,
  removeCategory,
  saveCategory,
  type CategoryName,
} from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../testing/calls.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { openSocket } from '../../testing/sockets.ts'
const EURUSD = 1
const named = (en: string, hk?: string): CategoryName[] => [
  { language: 'en', name: en },
  ...(hk === undefined ? [] : [{ language: 'hk' as const, name: hk }]),
]
const NEW = { id: null, version: 0, behind: null, reason: 'requested' }

describe.each(DATABASES)('categories at the desk, %s', (kind) => {
  const server = serverOn(kind, { env: { FEED: 'ws://127.0.0.1:9' } })
  let dealing: AtDesk
  beforeAll(async () => {
    dealing = await atDesk(server(), 'dealing')
  })

  const rows = async () => (await dealing.request(listDeskCategories, null)).categories
  const rowOf = async (code: string) => {
    const row = (await rows()).find((one) => one.code === code)
    if (!row) throw new Error(`no category ${code}`)
    return row
  }
  /** The category names that a trader sees. */
  const read = async (lang = 'en') => {
    const { body } = await call(server(), '/v1/api/forex/getCategories', { headers: { lang } })
    return ((body?.data ?? []) as { NameShowTrans: string }[]).map(({ NameShowTrans }) => NameShowTrans)
  }
  const shown = async () => (await rows()).map(({ code }) => code)
  const move = async (category: string) => {
    const { instruments } = await dealing.request(listDeskInstruments, { search: '' })
    const row = instruments.find(({ id }) => id === EURUSD)
    if (!row) throw new Error('EURUSD is seeded')
    return dealing.try(changeTerms, {
      kind: 'instrument',
      instrumentId: EURUSD,
      formKey: row.formKey,
      session: null,
      settings: null,
      effect: 'now',
      effectiveAt: null,
      reason: 'belongs there',
      instrument: { ...row.terms, category },
    })
  }

  test('start as seeded, with the app’s names and the number of instruments', async () => {
    expect(await shown()).toEqual(['Forex', 'Metals', 'Energies', 'Indices', 'Crypto', 'Shares'])
    expect(await rowOf('Energies')).toMatchObject({ id: 3, instruments: 3 })
    expect((await rowOf('Metals')).names).toContainEqual({ language: 'hk', name: '貴金屬' })
  })

  test('can be created behind another, renamed and moved, and are shown to traders once they hold an instrument', async () => {
    const made = await dealing.request(saveCategory, {
      ...NEW,
      code: ' Exotics ',
      names: named(' Exotic pairs ', '冷門貨幣'),
      behind: 1,
    })
    expect(made).toEqual({ id: 7, version: 1 })
    expect((await shown()).slice(0, 3)).toEqual(['Forex', 'Exotics', 'Metals'])
    expect(await read()).not.toContain('Exotic pairs')
    expect(await move('Exotics')).toMatchObject({ ok: true })
    expect((await read()).slice(0, 3)).toEqual(['Forex', 'Exotic pairs', 'Metals'])
    const renamed = { ...NEW, ...made, code: 'Exotics', names: named('Rare pairs') }
    expect(await dealing.request(saveCategory, renamed)).toEqual({ id: 7, version: 2 })
    expect((await read())[0]).toBe('Rare pairs')
    expect((await read('tw'))[0]).toBe('Rare pairs')
    expect((await read('th'))[0]).toBe('Rare pairs')
    expect(await dealing.refusalOf(saveCategory, renamed)).toBe('formOutdated')
    const { instruments } = await dealing.request(listDeskInstruments, { search: 'rare pairs' })
    expect(instruments.map(({ id }) => id)).toEqual([EURUSD])
  })

  test('record every change in the audit log, with the values before and after', async () => {
    const { acts } = await dealing.request(listAuditEntries, {
      operatorId: null,
      act: 'editCategories',
      subject: null,
      accountId: null,
      outcome: 'done',
      since: null,
      until: null,
      search: '',
      page: 1,
    })
    const { queries } = server().deployment.database
    const row = await queries
      .selectFrom('desk_act')
      .selectAll()
      .where('id', '=', BigInt(acts[0]?.id ?? 0))
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ subject: 'category:Exotics', operator_name: dealing.name })
    expect(JSON.parse(row.before ?? '')).toMatchObject({ 'name.en': 'Exotic pairs', behind: 'Forex' })
    expect(JSON.parse(row.after ?? '')).toMatchObject({ 'name.en': 'Rare pairs' })
  })

  test('can be removed only when empty; the message names the number of instruments', async () => {
    const { id, version } = await rowOf('Exotics')
    const remove = { id, version, reason: 'nobody trades them' }
    const refused = await dealing.try(removeCategory, remove)
    expect(refused).toMatchObject({
      reason: 'categoryInUse',
      message: expect.stringMatching(/^1 instrument is/) as string,
    })
    const energies = await rowOf('Energies')
    expect(
      await dealing.try(removeCategory, { ...remove, id: energies.id, version: energies.version }),
    ).toMatchObject({
      message: expect.stringMatching(/^3 instruments are/) as string,
    })
    expect(await move('Forex')).toMatchObject({ ok: true })
    expect(await dealing.refusalOf(removeCategory, { ...remove, version: version + 1 })).toBe('formOutdated')
    expect(await dealing.refusalOf(removeCategory, { ...remove, reason: ' ' })).toBe('reasonMissing')
    expect(await dealing.refusalOf(removeCategory, remove)).toBeNull()
    expect(await shown()).not.toContain('Exotics')
    expect(await dealing.refusalOf(removeCategory, remove)).toBe('categoryNotFound')
  })

  test('count as used when an announced change names them', async () => {
    const made = await dealing.request(saveCategory, { ...NEW, code: 'Majors', names: named('Majors') })
    const { instruments } = await dealing.request(listDeskInstruments, { search: 'USD eur' })
    const [row] = instruments
    if (!row) throw new Error('EURUSD is seeded')
    await dealing.request(changeTerms, {
      kind: 'instrument',
      instrumentId: EURUSD,
      formKey: row.formKey,
      session: null,
      settings: null,
      effect: 'at',
      effectiveAt: server().deployment.market.now() + 9e7,
      reason: 'from tomorrow on',
      instrument: { ...row.terms, category: 'Majors' },
    })
    expect(await rowOf('Majors')).toMatchObject({ instruments: 1 })
    expect(await dealing.refusalOf(removeCategory, { ...made, reason: 'a mistake' })).toBe('categoryInUse')
  })

  test('return to the app’s names when a renamed seeded one gets these again', async () => {
    const shares = await rowOf('Shares')
    const save = { ...NEW, id: shares.id, code: 'Shares', behind: 1, names: named('Stocks') }
    const { version } = await dealing.request(saveCategory, { ...save, version: shares.version })
    expect(await read('tw')).toContain('Stocks')
    await dealing.request(saveCategory, { ...save, version, names: shares.names })
    expect(await read('tw')).toContain('股票')
    const { queries } = server().deployment.database
    const row = await queries
      .selectFrom('instrument_category')
      .selectAll()
      .where('code', '=', 'Shares')
      .executeTakeFirstOrThrow()
    expect(row.names).toBeNull()
  })

  test('are pushed to open lists, with the instruments concerned', async () => {
    const reader = await openSocket(server())
    reader.send({ type: 'sub', params: 'MARKET_STATE' })
    await reader.next('MARKET_STATE')
    const crypto = await rowOf('Crypto')
    await dealing.request(saveCategory, { ...NEW, ...crypto, names: named('Coins'), behind: null })
    const { instruments } = await dealing.request(listDeskInstruments, { search: 'coins' })
    const ids = instruments.map(({ id }) => id).toSorted((a, b) => a - b)
    expect(ids).toHaveLength(5)
    expect(await reader.next('MARKET_STATE')).toMatchObject({ terms: ids })
    reader.socket.close()
  })

  test('must exist before an instrument is put into them', async () => {
    expect(await move('Nowhere')).toMatchObject({
      reason: 'termsInvalid',
      details: { field: 'category' },
      message: expect.stringMatching(/no such category/) as string,
    })
  })

  test.each([
    ['no name', { names: [] }, 'categoryInvalid'],
    ['a name of blanks', { names: named('  ') }, 'categoryInvalid'],
    ['no code', { code: ' ' }, 'categoryInvalid'],
    ['a name of two lines', { names: named('One\nTwo') }, 'categoryInvalid'],
    ['two names in one language', { names: [...named('One'), ...named('Two')] }, 'categoryInvalid'],
    ['a name without end', { names: named('x'.repeat(41)) }, 'contentTooLong'],
    ['a code without end', { code: 'x'.repeat(41) }, 'contentTooLong'],
    ['a code that is taken', { code: 'forex' }, 'categoryTaken'],
    ['the name of another', { names: named('METALS') }, 'categoryTaken'],
    ['the app’s name of another', { names: named('New', '能源') }, 'categoryTaken'],
    ['a place behind nothing', { behind: 99 }, 'formOutdated'],
    ['one that is not there', { id: 99, version: 1 }, 'categoryNotFound'],
    ['another code', { id: 1, version: 1 }, 'termsFixed'],
    ['no reason', { reason: '' }, 'reasonMissing'],
  ])('%s is refused, and nothing changes', async (_what, given, reason) => {
    const before = await rows()
    expect(
      await dealing.refusalOf(saveCategory, { ...NEW, code: 'New', names: named('New'), ...given }),
    ).toBe(reason)
    expect(await rows()).toEqual(before)
  })

  test('keep names as plain text', async () => {
    const name = '<script>alert(1)</script>'
    const made = await dealing.request(saveCategory, { ...NEW, code: 'Odd', names: named(name) })
    expect((await rowOf('Odd')).names).toEqual(named(name))
    expect(await dealing.refusalOf(removeCategory, { ...made, reason: 'a joke' })).toBeNull()
  })

  test('are limited to a hundred', async () => {
    const left = CATEGORIES_MAX - (await rows()).length
    let behind = (await rows()).at(-1)?.id ?? null
    for (let number = 0; number < left; number += 1) {
      const one = { ...NEW, code: `C${number}`, names: named(`C${number}`), behind }
      behind = (await dealing.request(saveCategory, one)).id
    }
    expect((await shown()).at(-1)).toBe(`C${left - 1}`)
    expect(
      await dealing.try(saveCategory, { ...NEW, code: 'One more', names: named('One more') }),
    ).toMatchObject({
      reason: 'tooManyCategories',
      message: expect.stringContaining('100') as string,
    })
    expect(await rows()).toHaveLength(CATEGORIES_MAX)
    expect(await read()).toHaveLength(6)
  })
})
