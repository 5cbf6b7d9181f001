import {
  addPushDevice,
  endSession,
  getNoticeChoices,
  getPushKey,
  listNotices,
  listPushDevices,
  listSessions,
  logOut,
  removePushDevice,
  setAlert,
  switchNotices,
  valueOf,
  type Client,
  type NewAlert,
} from '@fairlot/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { clientOf } from '../../../../testing/client.ts'
import { openPushReceiver } from '../../../../testing/push-receiver.ts'
import { newTrader } from '../../../../testing/traders.ts'
import { sentTo } from '../testing/accounts.ts'
import { newPayer } from '../testing/payments.ts'
import { DATABASES, serverOn, type PricedServer } from '../testing/running-server.ts'

type User = Client<AbortSignal>

const devices = async (client: User) => valueOf(await client.call(listPushDevices, null)).devices

async function openReceiver() {
  const receiver = await openPushReceiver()
  onTestFinished(receiver.close)
  return receiver
}

const outboxOf = (server: PricedServer) =>
  server.deployment.database.queries.selectFrom('outbox').selectAll().where('channel', '=', 'push').execute()

describe.each(DATABASES)('web push, %s', (kind) => {
  const server = serverOn(kind, { env: { PUSH_TO_LOOPBACK: 'yes' } })
  /** Has an alert of a user fire at a price; its notice names the price. */
  const fire = async (client: User, price: number) => {
    await server().price('EURUSD', [1.1, 1.10006])
    const condition = { kind: 'price', instrumentId: 1, side: 'bid', direction: 'above', price }
    valueOf(
      await client.call(setAlert, {
        condition: condition as NewAlert['condition'],
        pauseMs: null,
        expiresAt: null,
      }),
    )
    await server().price('EURUSD', [price, price + 0.00006])
  }
  const titled = (price: string) => `EUR/USD reached ${price}`

  test('a notice arrives encrypted for the browser, signed by this server, in the language of the device', async () => {
    const trader = await newTrader(server())
    const [english, chinese] = [await openReceiver(), await openReceiver()]
    valueOf(await trader.client.call(addPushDevice, english.subscription))
    const inChinese = clientOf(server().url, trader.token, { language: 'hk' })
    valueOf(await inChinese.call(addPushDevice, chinese.subscription))
    await fire(trader.client, 1.101)
    await expect.poll(() => english.received.length).toBe(1)
    await expect.poll(() => chinese.received.length).toBe(1)
    const [push] = english.received
    expect(push?.payload).toEqual({
      id: expect.any(String),
      kind: 'alertFired',
      group: 'alerts',
      title: titled('1.10100'),
      text: expect.stringMatching(/^The bid is 1\.10100, /),
      orderId: null,
      lang: 'en',
    })
    expect(chinese.received[0]?.payload).toMatchObject({ lang: 'zh-HK' })
    const { key } = valueOf(await trader.client.call(getPushKey, null))
    expect(push?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      authorization: expect.stringMatching(`^vapid t=.*, k=${key}$`),
      urgency: 'high',
    })
    // Once each, and the text is not kept.
    await expect
      .poll(async () => (await outboxOf(server())).map(({ state, body }) => [state, body]))
      .toEqual([
        ['sent', ''],
        ['sent', ''],
      ])
  })

  test('a device receives nothing after its session, its removal, or the switch of the group', async () => {
    const trader = await newTrader(server())
    const receiver = await openReceiver()
    valueOf(await trader.client.call(addPushDevice, receiver.subscription))
    expect(await devices(trader.client)).toMatchObject([{ isCurrent: true }])

    valueOf(await trader.client.call(switchNotices, { group: 'alerts', way: 'push', isOn: false }))
    const { choices } = valueOf(await trader.client.call(getNoticeChoices, null))
    expect(choices.find(({ group }) => group === 'alerts')).toMatchObject({ push: false })
    expect(choices.find(({ group }) => group === 'news')).toMatchObject({ push: null })
    expect(choices.find(({ group }) => group === 'security')).toMatchObject({ push: null })
    await fire(trader.client, 1.101)
    // Waits for the notice to be written.
    valueOf(await trader.client.call(listNotices, { page: 1, before: null }))
    const undecided = server().deployment.database.queries.selectFrom('notice').select('id')
    await expect.poll(() => undecided.where('mail', '=', 'due').execute()).toEqual([])
    valueOf(await trader.client.call(switchNotices, { group: 'alerts', way: 'push', isOn: true }))
    await fire(trader.client, 1.102)
    await expect.poll(() => receiver.received.length).toBe(1)
    expect(receiver.received[0]?.payload).toMatchObject({ title: titled('1.10200') })

    const [device] = await devices(trader.client)
    const other = await newTrader(server())
    valueOf(await other.client.call(removePushDevice, { id: device?.id ?? '' }))
    expect(await devices(trader.client)).toHaveLength(1)
    valueOf(await trader.client.call(removePushDevice, { id: device?.id ?? '' }))
    valueOf(await trader.client.call(removePushDevice, { id: device?.id ?? '' }))
    expect(await devices(trader.client)).toEqual([])

    valueOf(await trader.client.call(addPushDevice, receiver.subscription))
    valueOf(await trader.client.call(logOut, null))
    const left = server().deployment.database.queries.selectFrom('push_subscription').select('id')
    await expect
      .poll(async () => (await left.where('user_id', '=', BigInt(trader.user.id)).execute()).length)
      .toBe(0)
    const next = await newTrader(server())
    valueOf(await next.client.call(addPushDevice, receiver.subscription))
    await fire(next.client, 1.103)
    await expect.poll(() => receiver.received.length).toBe(2)
    expect(receiver.received[1]?.payload).toMatchObject({ title: titled('1.10300') })
  })

  test.each([404, 410])('a subscription that its service answers with %i is removed', async (status) => {
    const trader = await newTrader(server())
    const receiver = await openReceiver()
    valueOf(await trader.client.call(addPushDevice, receiver.subscription))
    receiver.answerWith(status)
    await fire(trader.client, 1.101)
    await expect.poll(() => devices(trader.client)).toEqual([])
    await expect
      .poll(async () => (await outboxOf(server())).at(-1))
      .toMatchObject({ state: 'failed', body: '' })
    expect(receiver.received).toHaveLength(1)
  })

  test('what cannot be pushed to any device is mailed, although its mails are switched off', async () => {
    const { client, email } = await newPayer(server())
    const [gone, present] = [await openReceiver(), await openReceiver()]
    valueOf(await client.call(switchNotices, { group: 'alerts', way: 'mail', isOn: false }))
    valueOf(await client.call(addPushDevice, gone.subscription))
    valueOf(await client.call(addPushDevice, present.subscription))
    gone.answerWith(410)
    await fire(client, 1.101)
    await expect.poll(() => devices(client)).toHaveLength(1)
    present.answerWith(403)
    const subjects = async () => (await sentTo(server(), email)).map(({ subject }) => subject)
    expect(await subjects()).not.toContain(titled('1.10100'))
    await fire(client, 1.102)
    await expect.poll(subjects, { timeout: 15_000 }).toContain(titled('1.10200'))
    expect(await subjects()).not.toContain(titled('1.10100'))
  })

  test('a user has ten devices at most; a browser that subscribes again stays one', async () => {
    const trader = await newTrader(server())
    const { subscription } = await openReceiver()
    for (let count = 0; count < 12; count += 1) {
      const endpoint = `${subscription.endpoint}/${count}`
      for (const _ of [1, 2]) valueOf(await trader.client.call(addPushDevice, { ...subscription, endpoint }))
    }
    expect(await devices(trader.client)).toHaveLength(10)
  })

  test('the private key is stored encrypted, and the same key is used after a restart', async () => {
    const trader = await newTrader(server())
    const { key } = valueOf(await trader.client.call(getPushKey, null))
    const rows = await server().deployment.database.queries.selectFrom('push_key').selectAll().execute()
    expect(rows).toMatchObject([{ public_key: key, private_key: expect.stringMatching(/^v1\./) }])
  })

  test.each([
    ['http', 'http://push.example/1'],
    ['this machine', 'https://127.0.0.2/1'],
    ['its name', 'https://localhost/1'],
    ['a private network', 'https://10.1.2.3/1'],
    ['a private network as IPv6', 'https://[::ffff:10.1.2.3]/1'],
    ['the address of a cloud’s secrets', 'https://169.254.169.254/latest'],
    ['an internal name', 'https://db.internal/1'],
    ['a password', 'https://a:b@push.example/1'],
    ['another scheme', 'ftp://push.example/1'],
    ['no address', 'nothing'],
    ['a long address', `https://push.example/${'x'.repeat(1_000)}`],
  ])('an endpoint with %s is refused', async (_, endpoint) => {
    const trader = await newTrader(server())
    const { subscription } = await openReceiver()
    expect(await trader.client.call(addPushDevice, { ...subscription, endpoint })).toMatchObject({
      reason: 'pushAddressRefused',
    })
  })

  test.each([
    ['an empty key', { publicKey: '' }],
    ['a short key', { publicKey: 'BAAA' }],
    ['a point beside the curve', { publicKey: Buffer.alloc(65, 4).toString('base64url') }],
    ['a key that is no base64url', { publicKey: '+'.repeat(87) }],
    ['a short secret', { secret: 'AAAA' }],
    ['a long secret', { secret: 'A'.repeat(5_000) }],
  ])('%s is refused', async (_, change) => {
    const trader = await newTrader(server())
    const { subscription } = await openReceiver()
    const outcome = await trader.client.call(addPushDevice, { ...subscription, ...change })
    expect(outcome).toMatchObject({ ok: false, reason: 'notUnderstood' })
  })

  test('all of it needs a session, and a session that another device ends takes its device along', async () => {
    const visitor = clientOf(server().url)
    const { subscription } = await openReceiver()
    for (const outcome of [
      await visitor.call(getPushKey, null),
      await visitor.call(addPushDevice, subscription),
      await visitor.call(listPushDevices, null),
      await visitor.call(removePushDevice, { id: '1' }),
    ])
      expect(outcome).toMatchObject({ reason: 'sessionGone' })
    const trader = await newTrader(server())
    valueOf(await trader.client.call(addPushDevice, subscription))
    const [session] = valueOf(await trader.client.call(listSessions, null))
    valueOf(await trader.client.call(endSession, { id: session?.id ?? '' }))
    expect(await trader.client.call(listPushDevices, null)).toMatchObject({ reason: 'sessionGone' })
  })
})

describe('without the setting for tests', () => {
  const server = serverOn('sqlite')

  test('a push service on this machine is refused', async () => {
    const trader = await newTrader(server())
    const { subscription } = await openReceiver()
    expect(await trader.client.call(addPushDevice, subscription)).toMatchObject({
      reason: 'pushAddressRefused',
    })
  })
})
