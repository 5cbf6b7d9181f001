import {
  changePassword,
  countUnreadNotices,
  getNoticeChoices,
  listNotices,
  readNotices,
  switchNotices,
  valueOf,
  type Client,
  type NoticeGroup,
} from '@fairlot/contract'
import {
  finishDeposit,
  publishContent,
  refuseDeposit,
  saveContent,
  setUserStatus,
} from '@fairlot/contract/desk'
import { lots } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { clientOf } from '../../../../testing/client.ts'
import { newTrader } from '../../../../testing/traders.ts'
import { PASSWORD, sentTo } from '../testing/accounts.ts'
import { atDesk } from '../testing/desk.ts'
import { newPayer, openedDeposit, sentUnits, units, NO_QUOTE } from '../testing/payments.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { openSocket } from '../testing/sockets.ts'
type Reader = Client<AbortSignal>

const list = async (client: Reader, page = 1, before: string | null = null) =>
  valueOf(await client.call(listNotices, { page, before }))
const kinds = async (client: Reader) => (await list(client)).notices.map(({ kind }) => kind)
const unread = async (client: Reader) => valueOf(await client.call(countUnreadNotices, null)).count
const switchTo = async (client: Reader, group: NoticeGroup, way: 'app' | 'mail', isOn: boolean) =>
  client.call(switchNotices, { group, way, isOn })

describe.each(DATABASES)('notices, %s', (kind) => {
  const server = serverOn(kind)
  const price = (mid: number) => server().price('EURUSD', [mid, mid])
  const subjectsTo = async (email: string) => (await sentTo(server(), email)).map(({ subject }) => subject)

  test('warn once of a low margin level until it has recovered, and report a stop-out', async () => {
    await price(1.1)
    const trader = await newTrader(server())
    const other = await newTrader(server())
    const phone = await openSocket(server(), {}, '?lang=en')
    phone.send({ type: 'login', params: trader.token })
    phone.send({ type: 'sub', params: ['NOTICE', 'FOREX_FUNDS'] })
    await phone.next('FOREX_FUNDS')
    // A margin of 91,666.67 of 100,000: at 1.09 the level is 81.7 %.
    await trader.order({ lots: lots(250_000) })
    await price(1.09)
    await expect.poll(() => kinds(trader.client)).toEqual(['marginWarning'])
    const pushed = await phone.next('NOTICE')
    expect(pushed).toMatchObject({ notice: { kind: 'marginWarning', title: 'Margin call' } })
    const [warning] = (await list(trader.client)).notices
    expect(warning?.text).toMatch(/^Your margin level has fallen to 81\.\d+\s%\. At 50\s% /)
    const inChinese = clientOf(server().url, trader.token, { language: 'hk' })
    expect((await list(inChinese)).notices[0]).toMatchObject({ title: '保證金警告', isRead: false })

    // Prices around the level do not warn an account again that has not recovered.
    await price(1.0935)
    await price(1.0885)
    await price(1.1)
    const warned = () =>
      server().deployment.database.queries.selectFrom('margin_warned').selectAll().execute()
    expect(await kinds(trader.client)).toEqual(['marginWarning'])
    await price(1.11)
    await expect.poll(warned, { timeout: 20_000 }).toEqual([])
    await price(1.1)
    await price(1.09)
    await expect.poll(() => kinds(trader.client)).toEqual(['marginWarning', 'marginWarning'])
    await price(1.08)
    await price(1.07)
    await price(1.06)
    await expect.poll(() => kinds(trader.client)).toEqual(['stopOut', 'marginWarning', 'marginWarning'])
    expect(await kinds(other.client)).toEqual([])
    expect(await unread(other.client)).toBe(0)
  })

  test('report deposits, an account status set by an operator and a changed password, with mails', async () => {
    const payer = await newPayer(server())
    const [finance, compliance] = [await atDesk(server(), 'finance'), await atDesk(server(), 'compliance')]
    const first = await openedDeposit(server(), payer.user.id, units(500))
    await finance.request(finishDeposit, {
      id: first,
      amount: sentUnits(499.5),
      arrivedAt: null,
      reason: 'arrived',
    })
    const second = await openedDeposit(server(), payer.user.id, units(50))
    await finance.request(refuseDeposit, { id: second, outcome: 'rejected', reason: 'nothing came' })
    const frozen = { id: payer.user.id, before: 'active', status: 'frozen', reason: 'papers' } as const
    await compliance.request(setUserStatus, frozen)
    const { notices } = await list(payer.client)
    const deposits = ['depositEnded', 'depositReported', 'depositEnded', 'depositReported']
    expect(notices.map((notice) => notice.kind)).toEqual(
      ['accountStatus', ...deposits, 'newLogin'].slice(0, notices.length),
    )
    expect(notices[1]).toMatchObject({
      title: `Deposit ${second} was rejected`,
      text: 'Nothing was credited. Reason: nothing came',
    })
    expect(notices[3]).toMatchObject({ text: '499.50 were credited to your account.' })
    expect(JSON.stringify(notices)).not.toContain(compliance.name)
    await expect
      .poll(() => subjectsTo(payer.email))
      .toEqual(expect.arrayContaining([`Your deposit ${first} is credited`, 'Your account is frozen']))

    // Opening the list marks all as read; no mail is sent twice.
    expect(await unread(payer.client)).toBe(notices.length)
    await payer.client.call(readNotices, { upTo: notices[0]?.time ?? 0 })
    expect(await unread(payer.client)).toBe(0)
    const subjects = await subjectsTo(payer.email)
    expect(new Set(subjects).size).toBe(subjects.length)
    const form = {
      contact: 'email',
      oldPassword: PASSWORD,
      newPassword: 'another quiet otter 9',
      authCode: null,
      ...NO_QUOTE,
    } as const
    const { token } = valueOf(await payer.client.call(changePassword, form))
    const again = clientOf(server().url, token)
    expect((await list(again)).notices[0]).toMatchObject({
      kind: 'passwordChanged',
      group: 'security',
      isRead: false,
    })
  })

  test('of a group that is switched off are neither shown nor mailed; security cannot be switched off', async () => {
    const payer = await newPayer(server())
    for (const way of ['app', 'mail'] as const) await switchTo(payer.client, 'deposit', way, false)
    expect(await switchTo(payer.client, 'security', 'app', false)).toMatchObject({ reason: 'noticeStaysOn' })
    expect(await switchTo(payer.client, 'news', 'mail', false)).toMatchObject({ reason: 'noticeStaysOn' })
    const { choices } = valueOf(await payer.client.call(getNoticeChoices, null))
    expect(choices.find(({ group }) => group === 'deposit')).toMatchObject({ app: false, mail: false })
    expect(choices.find(({ group }) => group === 'security')).toMatchObject({ app: null, mail: null })
    const id = await openedDeposit(server(), payer.user.id, units(20))
    const finance = await atDesk(server(), 'finance')
    await finance.request(finishDeposit, { id, amount: sentUnits(20), arrivedAt: null, reason: 'arrived' })
    const compliance = await atDesk(server(), 'compliance')
    await compliance.request(setUserStatus, {
      id: payer.user.id,
      before: 'active',
      status: 'closeOnly',
      reason: 'asked',
    })
    // Mails are sent in order, so an earlier one would have been sent by now.
    await expect.poll(() => subjectsTo(payer.email)).toContain('Your account can only close positions')
    expect(await subjectsTo(payer.email)).not.toContain(`Your deposit ${id} is credited`)
    expect((await kinds(payer.client)).filter((shown) => shown.startsWith('deposit'))).toEqual([])
    await switchTo(payer.client, 'deposit', 'app', true)
    expect(await kinds(payer.client)).toContain('depositEnded')
  })

  test('include news published since the account was opened, in the language of the reader', async () => {
    const [trader, support] = [await newTrader(server()), await atDesk(server(), 'support')]
    expect(await kinds(trader.client)).toEqual([])
    const texts = [
      { language: 'en', title: 'Gold opens later', summary: 'At nine', body: '<p>Nine.</p>' },
    ] as const
    const item = {
      id: null,
      version: 0,
      kind: 'news',
      category: 'market',
      isPinned: false,
      picture: null,
      texts,
    } as const
    const saved = await support.request(saveContent, item as never)
    await support.request(publishContent, { ...saved, publishAt: null, reason: 'news' })
    const [shown] = (await list(trader.client)).notices
    expect(shown).toMatchObject({ kind: 'news', title: 'Gold opens later', text: 'At nine', isRead: false })
    expect(await unread(trader.client)).toBe(1)
    await trader.client.call(readNotices, { upTo: shown?.time ?? 0 })
    expect(await unread(trader.client)).toBe(0)
    await switchTo(trader.client, 'news', 'app', false)
    expect(await kinds(trader.client)).toEqual([])
  })

  test('go on after the last one shown, whatever comes meanwhile', async () => {
    const { queries } = server().deployment.database
    const payer = await newPayer(server())
    await openedDeposit(server(), payer.user.id, units(20))
    await expect.poll(() => kinds(payer.client)).toHaveLength(1)
    const row = await queries
      .selectFrom('notice')
      .selectAll()
      .where('user_id', '=', BigInt(payer.user.id))
      .executeTakeFirstOrThrow()
    const add = (count: number, at: bigint) =>
      queries
        .insertInto('notice')
        .values(Array.from({ length: count }, (_, index) => ({ ...row, id: `${row.id}-${at}-${index}`, at })))
        .execute()
    // At one moment: the place in the list is more than a time.
    await add(14, row.at)
    const first = await list(payer.client)
    expect([first.notices.length, first.total]).toEqual([10, 15])
    await add(3, row.at + 1_000n)
    const second = await list(payer.client, 1, first.next)
    expect([second.notices.length, second.total, second.next]).toEqual([5, 18, null])
    for (const wrong of ['x', '1', '-1 x', '1 2 3'])
      expect(await payer.client.call(listNotices, { page: 1, before: wrong })).toMatchObject({
        reason: 'notUnderstood',
      })
  })

  test('need a log-in, and a page past the last is empty', async () => {
    const visitor = clientOf(server().url)
    for (const call of [listNotices, countUnreadNotices, readNotices, getNoticeChoices, switchNotices])
      expect(
        await visitor.call(
          call as never,
          { page: 1, upTo: 1, group: 'news', way: 'app', isOn: true } as never,
        ),
      ).toMatchObject({ reason: 'sessionGone' })
    const trader = await newTrader(server())
    expect(await list(trader.client, 4_000)).toEqual({
      notices: [],
      total: 0,
      next: null,
    })
  })
})
