import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  bindReceivingMethod,
  cancelOrder,
  closeAccount,
  closeAllOrders,
  createDemoAccount,
  getClosing,
  getUser,
  logIn,
  submitOrder,
  valueOf,
} from '@fairlot/contract'
import {
  askPersonAdjustment,
  decideAdjustment,
  finishDeposit,
  getPerson,
  searchPeople,
  setPersonStatus,
} from '@fairlot/contract/desk'
import { money, readDecimal } from '@fairlot/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { MARKET_BUY, newTrader } from '../../../../../testing/traders.ts'
import { drawn } from '../../files/testing/pictures.ts'
import { fetchAs, upload } from '../../files/testing/sending.ts'
import {
  application,
  codeSentTo,
  logInAs,
  newMember,
  PASSWORD,
  post,
  reasonOf,
  sentTo,
} from '../../testing/accounts.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { methodForm, newPayer, openedDeposit, setUpPayments, units } from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { verify } from '../../verify/verify.ts'

const NO_PROOF = { password: null, authCode: null }
const PROOF = { password: PASSWORD, authCode: null }
const price = (text: string) => readDecimal(text, 5) ?? (0 as never)

describe.each(DATABASES)('the end of an account, %s', (kind) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-closing-'))
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = serverOn(kind, { env: { DATA_DIR: dataDir } })
  let [compliance, finance]: [AtDesk, AtDesk] = [] as never
  beforeAll(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    await setUpPayments(server())
    compliance = await atDesk(server(), 'compliance')
    finance = await atDesk(server(), 'finance')
  })
  const reason = async <T>(call: Promise<{ ok: boolean; reason?: T }>) => (await call).reason ?? null

  test('is refused while something is open, and says all of it at once', async () => {
    const trader = await newTrader(server())
    await trader.order()
    const waiting = await trader.order({ entry: 'pending', targetPrice: price('1.05') })
    const look = async () => valueOf(await trader.client.call(getClosing, null))
    expect((await look()).obstacles).toEqual([
      { what: 'positionsOpen', count: 1, amount: null },
      { what: 'ordersPending', count: 1, amount: null },
    ])
    const refused = await trader.client.call(closeAccount, NO_PROOF)
    expect(refused).toMatchObject({
      ok: false,
      reason: 'positionsOpen',
      message: expect.stringMatching(/Close it/),
    })
    await trader.client.call(closeAllOrders, null)
    expect(await reason(trader.client.call(closeAccount, NO_PROOF))).toBe('ordersPending')
    await trader.client.call(cancelOrder, { orderId: waiting.id })
    expect((await look()).obstacles).toEqual([])
    expect((await trader.client.call(closeAccount, NO_PROOF)).ok).toBe(true)
    expect(await reason(trader.client.call(getUser, null))).toBe('sessionGone')
  })

  test('of a demo account takes its secret with it', async () => {
    const visitor = clientOf(server().url)
    const { demoId } = valueOf(await visitor.call(createDemoAccount, null))
    const { token } = valueOf(await visitor.call(logIn, { demoId }))
    const second = valueOf(await visitor.call(logIn, { demoId }))
    expect((await clientOf(server().url, token).call(closeAccount, NO_PROOF)).ok).toBe(true)
    expect(await reason(visitor.call(logIn, { demoId }))).toBe('demoIdUnknown')
    expect(await reason(clientOf(server().url, second.token).call(getUser, null))).toBe('sessionGone')
  })

  test('of a real one waits for its money, and for the proof that it is the owner', async () => {
    const payer = await newPayer(server())
    const caseId = await openedDeposit(server(), payer.user.id, units(200))
    const close = (proof: object = PROOF) =>
      reason(payer.client.call(closeAccount, { ...NO_PROOF, ...proof }))
    expect(await close(NO_PROOF)).toBe('passwordWrong')
    expect(await close()).toBe('casesOpen')
    // Each kind by itself, for each is found in another place.
    const slip = { id: payer.user.id, amount: units(5), reason: 'a slip' }
    const { caseId: correction } = await finance.ask(askPersonAdjustment, slip)
    const { obstacles: underWay } = valueOf(await payer.client.call(getClosing, null))
    expect(underWay).toEqual([
      { what: 'depositsOpen', count: 1, amount: null },
      { what: 'correctionsOpen', count: 1, amount: null },
    ])
    await finance.ask(decideAdjustment, { id: correction, isApproved: false, reason: 'no slip' })
    await finance.ask(finishDeposit, { id: caseId, amount: units(200), reason: 'arrived' })
    expect(await close()).toBe('balanceLeft')
    const { obstacles, leftMax } = valueOf(await payer.client.call(getClosing, null))
    expect([obstacles, leftMax]).toEqual([
      [{ what: 'balanceLeft', count: null, amount: units(200) }],
      units(1),
    ])
  })

  test('forgets the person, and keeps the books', async () => {
    const member = await newPayer(server())
    const { queries } = server().deployment.database
    await member.client.call(bindReceivingMethod, methodForm())
    const picture = await upload(server(), member.token, await drawn(30, 20).png().toBuffer())
    const friend = await newMember(server(), { invite_code: member.user.invite_code })
    expect((await member.client.call(closeAccount, PROOF)).ok).toBe(true)

    // No way in, by the password or by a session.
    expect(reasonOf(await logInAs(server(), member.email))).toBe('credentialsWrong')
    expect(await reason(member.client.call(getUser, null))).toBe('sessionGone')
    expect((await fetchAs(server(), member.token, picture)).status).toBe(200)
    // Nothing in the tables names them any more, but the mail that tells it.
    const [mail, ...others] = await sentTo(server(), member.email)
    expect([mail?.subject, others]).toEqual(['Your account is closed', []])
    for (const table of ['member', 'session', 'known_login', 'second_factor'] as const)
      expect(
        await queries.selectFrom(table).selectAll().where('user_id', '=', BigInt(member.user.id)).execute(),
      ).toEqual([])
    const method = await queries
      .selectFrom('receiving_method')
      .selectAll()
      .where('user_id', '=', BigInt(member.user.id))
      .executeTakeFirstOrThrow()
    expect([method.account_key, method.details]).toEqual(['', expect.not.stringContaining('TR7N')])
    const acts = await queries
      .selectFrom('user_activity')
      .selectAll()
      .where('user_id', '=', BigInt(member.user.id))
      .execute()
    expect(acts.map(({ kind: act }) => act)).toContain('accountClosed')
    expect(acts.filter(({ device, address }) => device + address !== '')).toEqual([])

    // Nobody is invited by them; whoever was is still there. The address opens another account.
    const invited = application('late@mail.example', { invite_code: member.user.invite_code, sms_code: '1' })
    expect(reasonOf(await post(server(), '/api/user/register', invited))).toBe('inviteCodeUnknown')
    expect((await logInAs(server(), friend.email)).body?.code).toBe(1)
    await post(server(), '/api/notify/send_email', { to: member.email, type: 1 })
    const again = application(member.email, { sms_code: await codeSentTo(server(), member.email) })
    const anew = await post(server(), '/api/user/register', again)
    expect(anew.body).toMatchObject({ code: 1 })

    // The desk sees that it is closed, and cannot open it.
    const person = await compliance.ask(getPerson, { id: member.user.id })
    expect(person).toMatchObject({ status: 'closed', user: { email: null, isDemo: false } })
    const { people } = await compliance.ask(searchPeople, { query: person.user.uid, page: 1 })
    expect(people).toMatchObject([{ status: 'closed', contact: null }])
    const open = { id: member.user.id, before: 'active', status: 'active', reason: 'a try' } as const
    expect(await compliance.refusalOf(setPersonStatus, open)).toBe('formOutdated')
    expect((await verify(server().deployment.database)).difference).toBeNull()
  })

  test('and an order in the same moment: one of both is there, never both', async () => {
    for (let round = 0; round < 4; round += 1) {
      const trader = await newTrader(server())
      const order = () => trader.client.call(submitOrder, MARKET_BUY)
      const close = () => trader.client.call(closeAccount, NO_PROOF)
      const [first, second] = await Promise.all(round % 2 === 0 ? [order(), close()] : [close(), order()])
      const [placed, closed] = round % 2 === 0 ? [first, second] : [second, first]
      expect([placed.ok, closed.ok].filter(Boolean)).toHaveLength(1)
      if (closed.ok) expect(['accountClosed', 'sessionGone']).toContain((placed as { reason: string }).reason)
      else expect(closed).toMatchObject({ reason: 'positionsOpen' })
    }
  })

  test('that a crash has cut short is finished by the next round', async () => {
    const member = await newMember(server())
    const { engine, database } = server().deployment
    await engine.execute({ type: 'closeAccount', accountId: member.user.id, leftMax: money(0n) })
    const client = clientOf(server().url, member.token)
    // The person is still known: the same call brings it to its end.
    expect(await reason(client.call(submitOrder, MARKET_BUY))).toBe('accountClosed')
    expect((await client.call(closeAccount, PROOF)).ok).toBe(true)
    const left = await database.queries
      .selectFrom('member')
      .selectAll()
      .where('user_id', '=', BigInt(member.user.id))
      .execute()
    expect(left).toEqual([])
  })
})
