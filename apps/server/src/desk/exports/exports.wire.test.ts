import {
  addUserNote,
  requestAdjustment,
  changeSetting,
  DESK_EXPORTS,
  decideApproval,
  listAuditEntries,
  mayDo,
  ROLES,
  saveCompany,
  saveContent,
  saveWithdrawalCurrency,
  type DeskExport,
} from '@fairlot/contract/desk'
import { claimDemo, publishStrategy, startCopy, valueOf } from '@fairlot/contract'
import { money, ratio, type Decimal } from '@fairlot/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { readCsv } from '../../../../../testing/read-csv.ts'
import { clientOf } from '../../../../../testing/client.ts'
import { newTrader, type Trader } from '../../../../../testing/traders.ts'
import { newUser } from '../../testing/accounts.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { channelRow, wireRow } from '../../funds/desk/payment-forms.ts'

/** The query of each list, without the `id` of lists of an account, and a text that its file contains. */
const EXPECTED: Readonly<Record<string, readonly [query: string, text: string]>> = {
  waiting: ['', 'adjustment:1,adjustment'],
  people: ['', ',yes,,active,20'],
  orders: ['list=holding', ',EUR/USD,buy,market,holding,0.1,'],
  movements: ['', ',demoIssue,'],
  equity: ['', ''],
  'log-ins': ['', ''],
  notes: ['', `,"'=cmd|calc\nthen\n'=1+1"`],
  copies: ['', ',Slow current,'],
  strategies: ['search=current', ",Slow current,'=SUM(1),"],
  instruments: ['', '\r\n1,EURUSD,EUR/USD,,Forex,'],
  categories: ['', '\r\n1,Forex,'],
  hours: ['', 'forex,America/New_York,'],
  changes: ['', ''],
  feeds: ['', '1,EURUSD,'],
  'held-prices': ['', '1,EURUSD,'],
  'refused-prices': ['', ',crossed'],
  news: ['search=hyper', "'=HYPERLINK(1)"],
  'legal-texts': ['', 'terms,'],
  companies: ['search=brass', 'Brass House,'],
  messages: ['', ',email,'],
  settings: ['', 'credit_score,'],
  'setting-changes': ['name=service_link', ',,https://help.example,calls'],
  operators: ['', ',administrator,active,yes,'],
  'deposit-addresses': ['', '1,USDT,TRC20,TQ,,250.000000,,yes,'],
  'bank-accounts': ['', '1,EUR,Bank,'],
  'withdrawal-currencies': ['', '1,USDT,TRC20,coin,fixed,1.500000,0.1,'],
  transfers: ['ledger=demo', ',demoIssue,'],
  acts: ['act=askAdjustment', `,"calls\n'=1+1",`],
  exposure: ['ledger=demo', '1,EURUSD,Forex,1,1,0.1,0,0.1,'],
  'near-stop-out': ['ledger=demo', ',EURUSD,buy,0.1,'],
  move: ['ledger=demo&percent=-8', ',-'],
  house: ['days=1', '\r\n20'],
  money: ['days=1', '\r\n20'],
  active: ['days=1&ledger=demo', ',1,1\r\n'],
  fills: ['days=1&ledger=demo', '1,EURUSD,1,'],
}

describe.each(DATABASES)('lists as CSV files, %s', (kind) => {
  const server = serverOn(kind)
  const tokens = new Map<string, string>()
  let [finance, administrator]: [AtDesk, AtDesk] = [] as never
  let accountId = 0
  const fetchFile = (path: string, role: string, query = '') =>
    fetch(`${server().url}${path}?${query}`, { headers: { authorization: tokens.get(role) ?? '' } })

  beforeAll(async () => {
    for (const role of ROLES) {
      const operator = await atDesk(server(), role)
      tokens.set(role, operator.token)
      if (role === 'administrator') administrator = operator
      if (role === 'finance') finance = operator
    }
    const { approvalId } = await finance.request(saveWithdrawalCurrency, {
      id: null,
      version: 0,
      isUnlistedNetwork: false,
      code: 'USDT',
      protocol: 'TRC20',
      kind: 'coin',
      feeType: 'fixed',
      fee: money(1_500_000n),
      usdPrice: 0.1 as Decimal,
      minimum: money(1n),
      maximum: null,
      personDayLimit: null,
      isOn: true,
      reason: 'requested',
    })
    const agreed = { id: approvalId ?? 0, isApproved: true, reason: 'compared' }
    await administrator.request(decideApproval, agreed)
    const registered = await newUser(server())
    await server().price('EURUSD', [1.1, 1.10006])
    const trader = await newTrader(server())
    accountId = trader.user.id
    await trader.order()
    await fillDesk(registered.user.id)
    await copyOne(trader, registered.token)
    for (const price of [
      [1.1001, 1.1],
      [40, 40.001],
    ])
      await server().source.send(JSON.stringify({ symbol: 'EURUSD', bid: price[0], ask: price[1] }))
    await server().price('USDJPY', [150, 150.008])
    await server().deployment.engine.caughtUp()
  })

  /** A strategy of a demo account, which the trader copies. */
  const copyOne = async (trader: Trader, ownerToken: string) => {
    const provider = await newTrader(server())
    valueOf(await clientOf(server().url, ownerToken).call(claimDemo, { demoId: provider.demoId }))
    const form = { name: 'Slow current', description: '=SUM(1)', feeShare: ratio(0) }
    const { strategy } = valueOf(await provider.client.call(publishStrategy, form))
    const terms = { multiplier: ratio(1_000_000), exposureLimit: 20, stopPercent: 60, code: '' }
    const strategyId = strategy?.id ?? 0
    const copy = { strategyId, amount: money(100_000_000n), isWithOpenOrders: false, feeShare: ratio(0) }
    valueOf(await trader.client.call(startCopy, { ...copy, ...terms }))
  }

  const NO_LIMITS = { dayLimit: null, personDayLimit: null, fixedRate: null }

  const fillDesk = async (userId: number) => {
    const reason = 'calls'
    await administrator.request(addUserNote, { id: accountId, text: '=cmd|calc\nthen\n=1+1' })
    await administrator.request(changeSetting, {
      name: 'service_link',
      value: 'https://help.example',
      was: '',
      reason,
    })
    const text = { language: 'en', title: '=HYPERLINK(1)', summary: '', body: '<p>x</p>' } as const
    await administrator.request(saveContent, {
      id: null,
      version: 0,
      kind: 'news',
      category: 'market',
      isPinned: false,
      picture: null,
      texts: [text],
    })
    await administrator.request(saveCompany, {
      id: null,
      version: 0,
      name: 'Brass House',
      subject: 'weights',
      logo: '',
      url: '',
      email: '',
      registeredAddress: '',
      location: '',
      redirectUrl: '',
      isOn: true,
      reason,
    })
    const support = await atDesk(server(), 'support')
    await support.request(requestAdjustment, {
      id: userId,
      amount: money(5_000_000n),
      reason: 'calls\n=1+1',
    })
    const { queries } = server().deployment.database
    const row = { id: 1n, version: 1n, is_on: 1n, changed_at: 0n }
    const dayLimit = money(250_000_000n)
    const channel = channelRow({
      currencyCode: 'USDT',
      protocolCode: 'TRC20',
      address: 'TQ',
      tag: '',
      dayLimit,
      personDayLimit: null,
      fixedRate: null,
    })
    await queries
      .insertInto('deposit_channel')
      .values({ ...row, ...channel, day_limit: dayLimit })
      .execute()
    const bank = { bankName: 'Bank', bankAddress: '', bankSwift: '', payeeName: '', payeeAccount: '' }
    const wire = wireRow({ ...bank, currencyCode: 'EUR', bankRemark: '', ...NO_LIMITS })
    await queries
      .insertInto('wire_account')
      .values({ ...row, ...wire })
      .execute()
  }

  test.each(DESK_EXPORTS.map((file) => [file.name, file] as const))('%s', async (name, file: DeskExport) => {
    const [listQuery, text] = EXPECTED[name] ?? ['', 'nothing is known of this list']
    const isOfUser = file.list.path.startsWith('/desk/api/people/')
    const query = isOfUser ? `id=${accountId}&${listQuery}` : listQuery
    for (const role of ROLES.filter((each) => !mayDo(each, file.permission)))
      expect((await fetchFile(file.path, role, query)).status, role).toBe(403)
    expect(await (await fetchFile(file.path, 'nobody', query)).json()).toMatchObject({
      data: { reason: 'sessionGone' },
    })

    const allowed = ROLES.findLast((each) => mayDo(each, file.permission)) ?? ''
    const answer = await fetchFile(file.path, allowed, query)
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}.csv"`)
    expect((await answer.text()).split('\r\n')[0]).toBe(file.columns.join(','))
    // Refused prices are written after the answers.
    let latest = ''
    const csv = async () => (latest = await (await fetchFile(file.path, allowed, query)).text())
    await expect.poll(csv, { timeout: 10_000 }).toContain(text)
    const read = readCsv(latest)
    expect(read.header).toEqual(file.columns)
    for (const cell of read.rows.flat())
      if (!/^-?\d+(\.\d+)?$/.test(cell)) expect(cell).not.toMatch(/(?:^|[\n\r])"*[=+\-@]/)
  })

  test.each([
    ['instruments', 'energies', ['WTI', 'BRENT', 'NATGAS']],
    ['settings', 'score', ['credit_score']],
  ])('contain for %s what the screen shows for "%s"', async (list, search, names) => {
    const path = DESK_EXPORTS.find(({ name }) => name === list)?.path ?? ''
    const rows = (await (await fetchFile(path, 'administrator', `search=${search}`)).text())
      .trim()
      .split('\r\n')
      .slice(1)
    expect(rows.map((row) => names.find((name) => row.split(',').includes(name)))).toEqual(names)
    expect(
      (await (await fetchFile(path, 'administrator', 'search=nobody')).text()).trim().split('\r\n'),
    ).toHaveLength(1)
  })

  test('have an audit entry with operator and user if they contain data of users', async () => {
    const { acts } = await administrator.request(listAuditEntries, {
      operatorId: null,
      act: 'exportPerson',
      subject: null,
      accountId,
      outcome: 'done',
      since: null,
      until: null,
      search: 'movements',
      page: 1,
    })
    expect(acts).toMatchObject([
      { operator: administrator.name, subject: `person:${accountId}` },
      { operator: administrator.name, subject: `person:${accountId}` },
    ])
  })
})
