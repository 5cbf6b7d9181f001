import {
  addPasskey,
  addPushDevice,
  requestWithdrawal,
  bindReceivingMethod,
  cancelOrder,
  claimDemo,
  closeOrder,
  createDemoAccount,
  getLatestNews,
  listPushDevices,
  listSessions,
  logIn,
  preparePasskey,
  prepareSecondFactor,
  publishStrategy,
  reportStrategy,
  sendChatMessage,
  sendIdentity,
  setAlert,
  setWatched,
  startCopy,
  submitOrder,
  switchNotices,
  reportCoinDeposit,
  reportNewsSeen,
  valueOf,
  type Client,
  type PushSubscription,
} from '@fairlot/contract'
import {
  addUserNote,
  answerChat,
  approveIdentity,
  approveWithdrawal,
  requestAdjustment,
  DESK_FILE_PATH,
  finishDeposit,
  getIdentity,
  payWithdrawal,
  refuseDeposit,
  setCreditScore,
  setStaff,
  showStrategy,
} from '@fairlot/contract/desk'
import { copyingOf, lots, ratio } from '@fairlot/core'
import { clientOf } from '../../../../../../testing/client.ts'
import { createPasskeyDevice, type PasskeyDevice } from '../../../../../../testing/passkey-device.ts'
import { decimal, MARKET_BUY, type Trader } from '../../../../../../testing/traders.ts'
import { rendered } from '../../../platform/files/testing/pictures.ts'
import { fetchAs, upload } from '../../../platform/files/testing/sending.ts'
import { maskedContact } from '../../invitations.ts'
import { application, codeSentTo, newUser, PASSWORD, post } from '../../../testing/accounts.ts'
import { dataOf } from '../../../testing/calls.ts'
import { setTerms } from '../../../testing/engine-setup.ts'
import { atDesk } from '../../../testing/desk.ts'
import {
  bankForm,
  newPayer,
  openedDeposit,
  TRON_ADDRESS,
  sentUnits,
  units,
  NO_QUOTE,
} from '../../../testing/payments.ts'
import type { PricedServer } from '../../../testing/running-server.ts'

/** The ids and names of a user's data, as others could try to request them. */
export type Theirs = {
  readonly id: number
  readonly email: string
  readonly demoId: string
  readonly inviteCode: string
  readonly token: string
  readonly client: Client<AbortSignal>
  readonly sessionIds: readonly string[]
  /** An open position, a pending order, a closed position and a cancelled order. */
  readonly orderIds: readonly number[]
  readonly depositIds: readonly number[]
  /** One that was paid and one that is open. */
  readonly withdrawalIds: readonly number[]
  readonly methodId: number
  readonly messageId: number
  readonly alertId: number
  /** Their own strategy, one of somebody else, and their copy of that. */
  readonly strategyId: number
  readonly copiedStrategyId: number
  readonly copyId: number
  /** URLs of pictures: of the document, of a deposit, of the chat, and an unused one. */
  readonly pictures: readonly string[]
  /** The device of their passkey, which only they may sign with. */
  readonly passkey: PasskeyDevice
  readonly pushDeviceId: string
  /** A browser of the stranger. */
  readonly pushOfStranger: PushSubscription
}

export type Canaries = {
  readonly theirs: Theirs
  /** What only they may read, by name. */
  readonly own: Readonly<Record<string, string>>
  /** What no user may read. */
  readonly internal: Readonly<Record<string, string>>
}

const OWN = {
  name: 'Aurelia Canary',
  number: 'CNRY7788993',
  device: 'CanaryPhone/7.1',
  chat: 'canary asks the support',
  answer: 'canary is answered',
  memo: 'canary of the memo',
  reference: 'canary-in-7717',
  paidBy: 'canary-out-7718',
  refused: 'canary was not paid',
  correction: 'canary of a correction',
  credit: 'canary of the score',
  payee: 'Aurelia Canary-Payee',
  bank: 'Bank of Canaries',
  iban: 'GB82WEST12345698765432',
  paidIn: '4777.31',
  paidOut: '1213.77',
  notPaidIn: '177.19',
  takeProfit: '1.17771',
  target: '1.07771',
  stopLoss: '1.01117',
  alert: '1.27717',
  report: 'canary of a report',
  passkeyName: 'canary of the passkey',
} as const

const INTERNAL = {
  note: 'canary for the desk alone',
  large: 'canary of a large one',
  operator: 'Operator Canary',
} as const

/** Creates a user who has done everything a user can, with values that occur nowhere else. Needs a price and payment accounts. `push`: their browser and one of a stranger. */
export async function createCanaries(
  server: PricedServer,
  push: { readonly theirs: PushSubscription; readonly ofStranger: PushSubscription },
): Promise<Canaries> {
  const registered = await newUser(server)
  const account = { login_type: 'email', account: registered.email, password: PASSWORD }
  const again = await post(server, '/api/user/loginForU', account, undefined, { 'user-agent': OWN.device })
  const { token } = dataOf<{ token: string }>(again)
  const client = clientOf(server.url, token)
  const canaryUser = { ...registered, token, client }
  const { demoId } = valueOf(await clientOf(server.url).call(createDemoAccount, null))
  valueOf(await clientOf(server.url).call(logIn, { demoId }))

  const document = await identified(server, canaryUser)
  const money = await paidInAndOut(server, canaryUser)
  const orderIds = await traded(canaryUser)
  const copying = await copied(server, canaryUser)
  await recordedAsStaff(server, canaryUser, { demoId, strategyId: copying.strategyId })
  const chat = await chatted(server, canaryUser)
  const unused = await picture(server, token)
  const secret = await setUp(server, canaryUser)
  const friend = await invited(server, registered.user.invite_code)
  // Last, as sensitive calls need a signature from then on.
  const { passkey, recoveryCode } = await withPasskey(canaryUser)
  const pushDeviceId = await withPushDevice(canaryUser, push.theirs)
  const sessions = valueOf(await client.call(listSessions, null))
  const pictures = [...document, money.proof, chat.picture, unused]
  return {
    theirs: {
      id: registered.user.id,
      email: registered.email,
      demoId,
      inviteCode: registered.user.invite_code,
      token,
      client,
      sessionIds: sessions.map(({ id }) => id),
      orderIds,
      pictures,
      depositIds: money.depositIds,
      withdrawalIds: money.withdrawalIds,
      methodId: money.methodId,
      messageId: chat.messageId,
      passkey,
      pushDeviceId,
      pushOfStranger: push.ofStranger,
      ...copying,
    },
    own: {
      ...OWN,
      // The content type of every picture of theirs.
      invited: maskedContact(friend, null),
      picture: 'image/jpeg',
      email: registered.email,
      inviteCode: registered.user.invite_code,
      session: sessions[0]?.id ?? '',
      passkey: passkey.id,
      pushDevice: pushDeviceId,
      pushEndpoint: push.theirs.endpoint,
      ...Object.fromEntries(pictures.map((url, index) => [`picture ${index}`, keyOf(url)])),
    },
    internal: {
      ...INTERNAL,
      token,
      demoId,
      secret,
      friend,
      hash: '$argon2',
      recoveryCode,
      pushKey: push.theirs.publicKey,
      pushSecret: push.theirs.secret,
    },
  }
}

type CanaryUser = {
  readonly token: string
  readonly client: Client<AbortSignal>
  readonly user: { readonly id: number }
}

export const keyOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

let pictures = 0
const picture = async (server: PricedServer, token: string): Promise<string> =>
  upload(
    server,
    token,
    await rendered(40 + (pictures += 1), 30)
      .png()
      .toBuffer(),
  )

/** Both sides of the document, which an operator has approved. */
async function identified(server: PricedServer, { token, client, user }: CanaryUser): Promise<string[]> {
  const [front, reverse] = [await picture(server, token), await picture(server, token)]
  valueOf(await client.call(sendIdentity, { name: OWN.name, number: OWN.number, front, reverse }))
  const compliance = await atDesk(server, 'compliance', INTERNAL.operator)
  const { sentAt } = await compliance.request(getIdentity, { accountId: user.id })
  for (const key of [front, reverse].map(keyOf))
    await fetchAs(server, compliance.token, `${DESK_FILE_PATH}${key}`)
  await compliance.request(approveIdentity, { accountId: user.id, sentAt, reason: 'seen' })
  await compliance.request(addUserNote, { id: user.id, text: INTERNAL.note })
  await compliance.request(setCreditScore, { id: user.id, before: 100, score: 90, reason: OWN.credit })
  return [front, reverse]
}

/** A credited and a rejected deposit, a bank account, a paid and an open withdrawal. */
async function paidInAndOut(server: PricedServer, { token, client, user }: CanaryUser) {
  const finance = await atDesk(server, 'finance', `${INTERNAL.operator} of finance`)
  const report = async (whole: string, reference: string) => {
    const proof = await picture(server, token)
    const form = { amount: sentUnits(Number(whole)), proof, address: TRON_ADDRESS, channelId: 1, reference }
    const { id } = valueOf(await client.call(reportCoinDeposit, form))
    return { id, proof }
  }
  const [came, missing] = [await report(OWN.paidIn, OWN.reference), await report(OWN.notPaidIn, '')]
  await finance.request(finishDeposit, {
    id: came.id,
    amount: sentUnits(Number(OWN.paidIn)),
    arrivedAt: null,
    reason: 'arrived',
  })
  await finance.request(refuseDeposit, { id: missing.id, outcome: 'rejected', reason: OWN.refused })
  // Waits for a second operator, with the reason of the first.
  const large = await openedDeposit(server, user.id, units(12_345))
  await finance.request(finishDeposit, {
    id: large,
    amount: sentUnits(12_345),
    arrivedAt: null,
    reason: INTERNAL.large,
  })
  const form = bankForm({ payeeName: OWN.payee, bankName: OWN.bank, iban: OWN.iban })
  const { id: methodId } = valueOf(await client.call(bindReceivingMethod, form))
  await server.deployment.database.queries
    .updateTable('receiving_method')
    .set({ bound_at: 0n })
    .where('id', '=', BigInt(methodId))
    .execute()
  const requestWithdrawalOf = async (amount: number) => {
    const wanted = {
      currencyId: 3,
      amount: units(amount),
      memo: OWN.memo,
      methodId,
      authCode: null,
      ...NO_QUOTE,
    }
    return valueOf(await client.call(requestWithdrawal, wanted)).id
  }
  const paid = await requestWithdrawalOf(Number(OWN.paidOut))
  await finance.request(approveWithdrawal, { id: paid, reason: 'checked' })
  const cashier = await atDesk(server, 'finance')
  await cashier.request(payWithdrawal, { id: paid, reference: OWN.paidBy, reason: 'sent' })
  await finance.request(requestAdjustment, { id: user.id, amount: units(7), reason: OWN.correction })
  const ids = { depositIds: [came.id, missing.id], withdrawalIds: [paid, await requestWithdrawalOf(50)] }
  return { ...ids, methodId, proof: came.proof }
}

/** An open position, a pending order, a closed position and a cancelled order. */
async function traded({ client }: CanaryUser): Promise<number[]> {
  const order: Trader['order'] = async (ticket = {}) =>
    valueOf(await client.call(submitOrder, { ...MARKET_BUY, lots: lots(700), ...ticket }))
  const takeProfit = decimal(OWN.takeProfit)
  const pending = {
    orderType: 'pending',
    targetPrice: decimal(OWN.target),
    stopLoss: decimal(OWN.stopLoss),
  } as const
  const [open, closed] = [await order({ takeProfit }), await order({ takeProfit })]
  const [waiting, cancelled] = [await order(pending), await order(pending)]
  valueOf(await client.call(closeOrder, { orderId: closed.id, lots: null }))
  valueOf(await client.call(cancelOrder, { orderId: cancelled.id }))
  return [open.id, waiting.id, closed.id, cancelled.id]
}

/** Copying with real money, which can be switched on at once only while nobody has an account. */
export async function switchCopyingOn({ deployment: { engine } }: PricedServer): Promise<void> {
  const { settings } = engine.state()
  const copying = { ...copyingOf(settings), isRealOn: true, legalBasis: 'A law of the test.' }
  const answer = await setTerms(engine, { kind: 'settings', settings: { ...settings, copying } })
  if (!('entry' in answer)) throw new Error(`copying was not switched on: ${JSON.stringify(answer)}`)
}

const COPY_TERMS = { multiplier: ratio(1_000_000), exposureLimit: 20, stopPercent: 60, feeShare: null }

/** A strategy of their own, a copy of another that has skipped an order, a report and an alert. */
async function copied(server: PricedServer, { client }: CanaryUser) {
  const provider = await paidInPayer(server)
  const form = { name: 'Harbour lights', description: '', feeShare: ratio(200_000) }
  const { strategy: other } = valueOf(await provider.client.call(publishStrategy, form))
  const copiedStrategyId = other?.id ?? 0
  const { strategy } = valueOf(await client.call(publishStrategy, { ...form, name: 'Yellow feathers' }))
  const copy = valueOf(
    await client.call(startCopy, {
      strategyId: copiedStrategyId,
      amount: units(100),
      ...COPY_TERMS,
      isWithOpenOrders: false,
      code: '',
    }),
  )
  // Too small for the copy.
  valueOf(await provider.client.call(submitOrder, { ...MARKET_BUY, lots: lots(100) }))
  valueOf(await client.call(reportStrategy, { id: copiedStrategyId, reason: OWN.report }))
  const condition = {
    kind: 'price',
    instrumentId: 1,
    side: 'bid',
    direction: 'above',
    price: decimal(OWN.alert),
  } as const
  const alert = valueOf(await client.call(setAlert, { condition, pauseMs: null, expiresAt: null }))
  return { copyId: copy.id, copiedStrategyId, strategyId: strategy?.id ?? 0, alertId: alert.id }
}

/** An own demo account; recorded as working for the broker, though the strategy is shown again. */
async function recordedAsStaff(
  server: PricedServer,
  { client, user }: CanaryUser,
  { demoId, strategyId }: { readonly demoId: string; readonly strategyId: number },
) {
  valueOf(await client.call(claimDemo, { demoId }))
  const compliance = await atDesk(server, 'compliance')
  await compliance.request(setStaff, { id: user.id, isStaff: true, reason: 'seen' })
  await compliance.request(showStrategy, { id: strategyId, reason: 'seen' })
}

/** A verified user with 2,000. */
async function paidInPayer(server: PricedServer) {
  const payer = await newPayer(server)
  const finance = await atDesk(server, 'finance')
  const id = await openedDeposit(server, payer.user.id, units(2_000))
  await finance.request(finishDeposit, { id, amount: sentUnits(2_000), arrivedAt: null, reason: 'arrived' })
  return payer
}

async function chatted(server: PricedServer, { token, client, user }: CanaryUser) {
  const url = await picture(server, token)
  const { id } = valueOf(await client.call(sendChatMessage, { text: OWN.chat, picture: url }))
  const support = await atDesk(server, 'support', `${INTERNAL.operator} of support`)
  await support.request(answerChat, { id: user.id, text: OWN.answer, picture: null, seen: id })
  return { messageId: id, picture: url }
}

/** Another user with rows of their own, so that lists are read and not found empty. Without a picture. */
export async function newOtherUser(server: PricedServer): Promise<string> {
  const { token, client, user } = await paidInPayer(server)
  valueOf(await client.call(bindReceivingMethod, bankForm()))
  valueOf(await client.call(sendChatMessage, { text: 'a neighbour asks', picture: null }))
  valueOf(await client.call(submitOrder, MARKET_BUY))
  await newUser(server, { invite_code: user.invite_code })
  return token
}

/** Registers an invited user whose masked address differs from all others; returns the address. */
async function invited(server: PricedServer, invite_code: string): Promise<string> {
  const email = 'zoe@zebra.example'
  await post(server, '/api/notify/send_email', { to: email, type: 1 })
  const sms_code = await codeSentTo(server, email)
  await post(server, '/api/user/register', application(email, { sms_code, invite_code }))
  return email
}

/** The user's own settings; returns the secret of the second factor, whose set-up was begun. */
async function setUp({ deployment }: PricedServer, { client, user }: CanaryUser): Promise<string> {
  valueOf(await client.call(setWatched, { instrumentIds: [3, 5], isWatched: true }))
  valueOf(await client.call(switchNotices, { group: 'orders', way: 'app', isOn: false }))
  const { at } = valueOf(await client.call(getLatestNews, null))
  valueOf(await client.call(reportNewsSeen, { at: at ?? deployment.wallClock() }))
  // As after a margin warning, which their figures would not cause.
  await deployment.database.queries
    .insertInto('margin_warned')
    .values({ user_id: BigInt(user.id), at: 1n })
    .execute()
  return valueOf(await client.call(prepareSecondFactor, { password: PASSWORD, authCode: null })).secret
}

/** A passkey, which switches the second factor on; one of the recovery codes that come with it. */
async function withPasskey({ client }: CanaryUser) {
  const passkey = createPasskeyDevice()
  const challenge = valueOf(await client.call(preparePasskey, { password: PASSWORD, authCode: null }))
  const added = { name: OWN.passkeyName, passkey: passkey.make(challenge) }
  const { recoveryCodes } = valueOf(await client.call(addPasskey, added))
  const recoveryCode = recoveryCodes?.[0]
  if (recoveryCode === undefined) throw new Error('the first passkey came without recovery codes')
  return { passkey, recoveryCode }
}

/** A browser that notices are pushed to; its id. */
async function withPushDevice({ client }: CanaryUser, subscription: PushSubscription): Promise<string> {
  valueOf(await client.call(addPushDevice, subscription))
  const [device] = valueOf(await client.call(listPushDevices, null)).devices
  if (!device) throw new Error('the browser is not on the list')
  return device.id
}
