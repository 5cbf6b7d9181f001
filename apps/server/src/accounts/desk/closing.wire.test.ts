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
  downloadOwnData,
  valueOf,
} from '@fairlot/contract'
import {
  requestAdjustment,
  decideAdjustment,
  finishDeposit,
  getUserProfile,
  searchUsers,
  setUserStatus,
} from '@fairlot/contract/desk'
import { money, readDecimal } from '@fairlot/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { MARKET_BUY, newTrader } from '../../../../../testing/traders.ts'
import { rendered } from '../../platform/files/testing/pictures.ts'
import { fetchAs, upload } from '../../platform/files/testing/sending.ts'
import {
  application,
  codeSentTo,
  logInAs,
  newUser,
  PASSWORD,
  post,
  reasonOf,
  sentTo,
} from '../../testing/accounts.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import {
  methodForm,
  newPayer,
  openedDeposit,
  setUpPayments,
  sentUnits,
  units,
} from '../../testing/payments.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { verify } from '../../verify/verify.ts'

const NO_PROOF = { password: null, authCode: null }
const PROOF = { password: PASSWORD, authCode: null }
const price = (text: string) => readDecimal(text, 5) ?? (0 as never)

describe.each(DATABASES)('the closing of an account, %s', (kind) => {
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

  test('is refused while something is open, with all obstacles listed', async () => {
    const trader = await newTrader(server())
    await trader.order()
    const waiting = await trader.order({ orderType: 'pending', targetPrice: price('1.05') })
    const closing = async () => valueOf(await trader.client.call(getClosing, null))
    expect((await closing()).obstacles).toEqual([
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
    expect((await closing()).obstacles).toEqual([])
    expect((await trader.client.call(closeAccount, NO_PROOF)).ok).toBe(true)
    expect(await reason(trader.client.call(getUser, null))).toBe('sessionGone')
  })

  test('of a demo account deletes its secret', async () => {
    const visitor = clientOf(server().url)
    const { demoId } = valueOf(await visitor.call(createDemoAccount, null))
    const { token } = valueOf(await visitor.call(logIn, { demoId }))
    const second = valueOf(await visitor.call(logIn, { demoId }))
    expect((await clientOf(server().url, token).call(closeAccount, NO_PROOF)).ok).toBe(true)
    expect(await reason(visitor.call(logIn, { demoId }))).toBe('demoIdUnknown')
    expect(await reason(clientOf(server().url, second.token).call(getUser, null))).toBe('sessionGone')
  })

  test.each([
    [{ password: 'any' }, 'password'],
    [{ auth_code: '123456' }, 'auth_code'],
  ])(
    'of a demo account, and a download of its data, refuse %j, as there is nothing to check',
    async (proof, field) => {
      const { token, client } = await newTrader(server())
      for (const { path } of [closeAccount, downloadOwnData]) {
        const { body } = await post(server(), path, proof, token)
        expect(body).toMatchObject({ code: 0, data: { reason: 'demoHasNoPassword', field } })
        expect(body?.msg).toContain('there is nothing to check')
      }
      expect(await reason(client.call(getUser, null))).toBeNull()
    },
  )

  test('of a real account needs the password, no open case and no balance', async () => {
    const payer = await newPayer(server())
    const caseId = await openedDeposit(server(), payer.user.id, units(200))
    const close = (proof: object = PROOF) =>
      reason(payer.client.call(closeAccount, { ...NO_PROOF, ...proof }))
    expect(await close(NO_PROOF)).toBe('passwordWrong')
    expect(await close()).toBe('casesOpen')
    // Cases are counted by kind, as the user finds each kind in another place.
    const slip = { id: payer.user.id, amount: units(5), reason: 'a slip' }
    const { caseId: correction } = await finance.request(requestAdjustment, slip)
    const { obstacles: openCases } = valueOf(await payer.client.call(getClosing, null))
    expect(openCases).toEqual([
      { what: 'depositsOpen', count: 1, amount: null },
      { what: 'correctionsOpen', count: 1, amount: null },
    ])
    await finance.request(decideAdjustment, { id: correction, isApproved: false, reason: 'no slip' })
    await finance.request(finishDeposit, {
      id: caseId,
      amount: sentUnits(200),
      arrivedAt: null,
      reason: 'arrived',
    })
    expect(await close()).toBe('balanceLeft')
    const { obstacles, leftMax } = valueOf(await payer.client.call(getClosing, null))
    expect([obstacles, leftMax]).toEqual([
      [{ what: 'balanceLeft', count: null, amount: units(200) }],
      units(1),
    ])
  })

  test('erases personal data and keeps the ledger', async () => {
    const registered = await newPayer(server())
    const { queries } = server().deployment.database
    await registered.client.call(bindReceivingMethod, methodForm())
    const picture = await upload(server(), registered.token, await rendered(30, 20).png().toBuffer())
    const friend = await newUser(server(), { invite_code: registered.user.invite_code })
    expect((await registered.client.call(closeAccount, PROOF)).ok).toBe(true)

    // Neither the password nor a session gives access.
    expect(reasonOf(await logInAs(server(), registered.email))).toBe('credentialsWrong')
    expect(await reason(registered.client.call(getUser, null))).toBe('sessionGone')
    expect((await fetchAs(server(), registered.token, picture)).status).toBe(200)
    // Nothing in the tables names the user but the mail that confirms the closing.
    const [mail, ...others] = await sentTo(server(), registered.email)
    expect([mail?.subject, others]).toEqual(['Your account is closed', []])
    for (const table of ['member', 'session', 'known_login', 'second_factor'] as const)
      expect(
        await queries
          .selectFrom(table)
          .selectAll()
          .where('user_id', '=', BigInt(registered.user.id))
          .execute(),
      ).toEqual([])
    const method = await queries
      .selectFrom('receiving_method')
      .selectAll()
      .where('user_id', '=', BigInt(registered.user.id))
      .executeTakeFirstOrThrow()
    expect([method.account_key, method.details]).toEqual(['', expect.not.stringContaining('TR7N')])
    const acts = await queries
      .selectFrom('user_activity')
      .selectAll()
      .where('user_id', '=', BigInt(registered.user.id))
      .execute()
    expect(acts.map(({ kind: act }) => act)).toContain('accountClosed')
    expect(acts.filter(({ device, address }) => device + address !== '')).toEqual([])

    // The invitation code is invalid, invited users remain, and the address can register again.
    const invited = application('late@mail.example', {
      invite_code: registered.user.invite_code,
      sms_code: '1',
    })
    expect(reasonOf(await post(server(), '/api/user/register', invited))).toBe('inviteCodeUnknown')
    expect((await logInAs(server(), friend.email)).body?.code).toBe(1)
    await post(server(), '/api/notify/send_email', { to: registered.email, type: 1 })
    const again = application(registered.email, { sms_code: await codeSentTo(server(), registered.email) })
    const reopened = await post(server(), '/api/user/register', again)
    expect(reopened.body).toMatchObject({ code: 1 })

    // Operators see that it is closed and cannot reopen it.
    const profile = await compliance.request(getUserProfile, { id: registered.user.id })
    expect(profile).toMatchObject({ status: 'closed', user: { email: null, isDemo: false } })
    const { people } = await compliance.request(searchUsers, { query: profile.user.uid, page: 1 })
    expect(people).toMatchObject([{ status: 'closed', contact: null }])
    const open = { id: registered.user.id, before: 'active', status: 'active', reason: 'a try' } as const
    expect(await compliance.refusalOf(setUserStatus, open)).toBe('formOutdated')
    expect((await verify(server().deployment.database)).difference).toBeNull()
  })

  test('and a concurrent order: only one of them succeeds', async () => {
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

  test('that a crash interrupted is completed by the next call', async () => {
    const registered = await newUser(server())
    const { engine, database } = server().deployment
    await engine.execute({ type: 'closeAccount', accountId: registered.user.id, leftMax: money(0n) })
    const client = clientOf(server().url, registered.token)
    // The personal data is still there: the same call completes the closing.
    expect(await reason(client.call(submitOrder, MARKET_BUY))).toBe('accountClosed')
    expect((await client.call(closeAccount, PROOF)).ok).toBe(true)
    const left = await database.queries
      .selectFrom('member')
      .selectAll()
      .where('user_id', '=', BigInt(registered.user.id))
      .execute()
    expect(left).toEqual([])
  })
})
