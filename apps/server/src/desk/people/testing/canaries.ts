import {
  askWithdrawal,
  bindReceivingMethod,
  cancelOrder,
  closeOrder,
  createDemoAccount,
  getLatestNews,
  listSessions,
  logIn,
  prepareSecondFactor,
  sendChatMessage,
  sendIdentity,
  setWatched,
  submitOrder,
  switchNotices,
  tellCoinDeposit,
  tellNewsSeen,
  valueOf,
  type Client,
} from '@fairlot/contract'
import {
  addPersonNote,
  answerChat,
  approveIdentity,
  approveWithdrawal,
  askPersonAdjustment,
  finishDeposit,
  getIdentity,
  payWithdrawal,
  refuseDeposit,
  setCreditScore,
} from '@fairlot/contract/desk'
import { lots } from '@fairlot/core'
import { clientOf } from '../../../../../../testing/client.ts'
import { decimal, MARKET_BUY, type Trader } from '../../../../../../testing/traders.ts'
import { drawn } from '../../../files/testing/pictures.ts'
import { upload } from '../../../files/testing/sending.ts'
import { maskedContact } from '../../../invite/masked-contact.ts'
import { application, codeSentTo, newMember, PASSWORD, post } from '../../../testing/accounts.ts'
import { dataOf } from '../../../testing/calls.ts'
import { atDesk } from '../../../testing/desk.ts'
import { bankForm, newPayer, openedDeposit, TRON_ADDRESS, units } from '../../../testing/payments.ts'
import type { PricedServer } from '../../../testing/running-server.ts'

/** What somebody has, by the numbers and names that others could ask for. */
export type Theirs = {
  readonly id: number
  readonly email: string
  readonly demoId: string
  readonly inviteCode: string
  readonly token: string
  readonly client: Client<AbortSignal>
  readonly sessionIds: readonly string[]
  /** A position, a pending order, one that was closed and one that was cancelled. */
  readonly orderIds: readonly number[]
  readonly depositIds: readonly number[]
  /** One that was paid and one that waits. */
  readonly withdrawalIds: readonly number[]
  readonly methodId: number
  readonly messageId: number
  /** Urls of pictures: of the document, of a transfer, of the chat, and one that belongs to nothing yet. */
  readonly pictures: readonly string[]
}

export type Canaries = {
  readonly theirs: Theirs
  /** What only they may read, by what it is. */
  readonly own: Readonly<Record<string, string>>
  /** What no trader may read, they neither. */
  readonly ofTheHouse: Readonly<Record<string, string>>
}

const WORDS = {
  ...{ name: 'Aurelia Canary', number: 'CNRY7788993', device: 'CanaryPhone/7.1' },
  ...{ chat: 'canary asks the support', answer: 'canary is answered', memo: 'canary of the memo' },
  ...{ reference: 'canary-in-7717', paidBy: 'canary-out-7718', refused: 'canary was not paid' },
  ...{
    asked: 'canary of a correction',
    credit: 'canary of the score',
    payee: 'Aurelia Canary-Payee',
    bank: 'Bank of Canaries',
  },
  ...{ iban: 'GB82WEST12345698765432', paidIn: '4777.31', paidOut: '1213.77', notPaidIn: '177.19' },
  ...{ takeProfit: '1.17771', target: '1.07771', stopLoss: '1.01117' },
} as const

const HOUSE = {
  ...{
    note: 'canary for the desk alone',

    large: 'canary of a large one',
    operator: 'Operator Canary',
  },
} as const

/** Has somebody with a real account do whatever can be done, with values that occur nowhere else. Needs a price and the ways of payment. */
export async function plantCanaries(server: PricedServer): Promise<Canaries> {
  const member = await newMember(server)
  const account = { login_type: 'email', account: member.email, password: PASSWORD }
  const again = await post(server, '/api/user/loginForU', account, undefined, { 'user-agent': WORDS.device })
  const { token } = dataOf<{ token: string }>(again)
  const client = clientOf(server.url, token)
  const person = { ...member, token, client }
  const { demoId } = valueOf(await clientOf(server.url).call(createDemoAccount, null))
  valueOf(await clientOf(server.url).call(logIn, { demoId }))

  const document = await identified(server, person)
  const money = await paidInAndOut(server, person)
  const orderIds = await traded(person)
  const chat = await asked(server, person)
  const unused = await picture(server, token)
  const secret = await setUp(server, person)
  const friend = await invited(server, member.user.invite_code)
  const sessions = valueOf(await client.call(listSessions, null))
  const pictures = [...document, money.proof, chat.picture, unused]
  return {
    theirs: {
      ...{
        id: member.user.id,
        email: member.email,
        demoId,
        inviteCode: member.user.invite_code,
        token,
        client,
      },
      ...{ sessionIds: sessions.map(({ id }) => id), orderIds, pictures },
      ...{ depositIds: money.depositIds, withdrawalIds: money.withdrawalIds, methodId: money.methodId },
      messageId: chat.messageId,
    },
    own: {
      ...WORDS,
      // What every picture of theirs is sent as.
      ...{ invited: maskedContact(friend, null), picture: 'image/jpeg' },
      ...{ email: member.email, inviteCode: member.user.invite_code, session: sessions[0]?.id ?? '' },
      ...Object.fromEntries(pictures.map((url, index) => [`picture ${index}`, keyOf(url)])),
    },
    ofTheHouse: { ...HOUSE, token, demoId, secret, friend, hash: '$argon2' },
  }
}

type Person = {
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
    await drawn(40 + (pictures += 1), 30)
      .png()
      .toBuffer(),
  )

/** Both sides of the document, which somebody at the desk has taken. */
async function identified(server: PricedServer, { token, client, user }: Person): Promise<string[]> {
  const [front, reverse] = [await picture(server, token), await picture(server, token)]
  valueOf(await client.call(sendIdentity, { name: WORDS.name, number: WORDS.number, front, reverse }))
  const compliance = await atDesk(server, 'compliance', HOUSE.operator)
  const { sentAt } = await compliance.ask(getIdentity, { accountId: user.id })
  await compliance.ask(approveIdentity, { accountId: user.id, sentAt, reason: 'seen' })
  await compliance.ask(addPersonNote, { id: user.id, text: HOUSE.note })
  await compliance.ask(setCreditScore, { id: user.id, before: 100, score: 90, reason: WORDS.credit })
  return [front, reverse]
}

/** A deposit that came and one that did not, a bank account, a withdrawal that was paid and one that waits. */
async function paidInAndOut(server: PricedServer, { token, client, user }: Person) {
  const finance = await atDesk(server, 'finance', `${HOUSE.operator} of finance`)
  const tell = async (whole: string, reference: string) => {
    const proof = await picture(server, token)
    const told = { amount: units(Number(whole)), proof, address: TRON_ADDRESS, channelId: 1, reference }
    const { id } = valueOf(await client.call(tellCoinDeposit, told))
    return { id, proof }
  }
  const [came, missing] = [await tell(WORDS.paidIn, WORDS.reference), await tell(WORDS.notPaidIn, '')]
  await finance.ask(finishDeposit, { id: came.id, amount: units(Number(WORDS.paidIn)), reason: 'arrived' })
  await finance.ask(refuseDeposit, { id: missing.id, outcome: 'rejected', reason: WORDS.refused })
  // So much waits for a second person, with what the first has written.
  const large = await openedDeposit(server, user.id, units(12_345))
  await finance.ask(finishDeposit, { id: large, amount: units(12_345), reason: HOUSE.large })
  const form = bankForm({ payeeName: WORDS.payee, bankName: WORDS.bank, iban: WORDS.iban })
  const { id: methodId } = valueOf(await client.call(bindReceivingMethod, form))
  await server.deployment.database.queries
    .updateTable('receiving_method')
    .set({ bound_at: 0n })
    .where('id', '=', BigInt(methodId))
    .execute()
  const ask = async (amount: number) => {
    const wanted = { currencyId: 3, amount: units(amount), memo: WORDS.memo, methodId, authCode: null }
    return valueOf(await client.call(askWithdrawal, wanted)).id
  }
  const paid = await ask(Number(WORDS.paidOut))
  await finance.ask(approveWithdrawal, { id: paid, reason: 'checked' })
  await finance.ask(payWithdrawal, { id: paid, reference: WORDS.paidBy, reason: 'sent' })
  await finance.ask(askPersonAdjustment, { id: user.id, amount: units(7), reason: WORDS.asked })
  const ids = { depositIds: [came.id, missing.id], withdrawalIds: [paid, await ask(50)] }
  return { ...ids, methodId, proof: came.proof }
}

/** A position, a pending order, one that was closed and one that was cancelled. */
async function traded({ client }: Person): Promise<number[]> {
  const order: Trader['order'] = async (ticket = {}) =>
    valueOf(await client.call(submitOrder, { ...MARKET_BUY, lots: lots(700), ...ticket }))
  const takeProfit = decimal(WORDS.takeProfit)
  const pending = {
    entry: 'pending',
    targetPrice: decimal(WORDS.target),
    stopLoss: decimal(WORDS.stopLoss),
  } as const
  const [open, closed] = [await order({ takeProfit }), await order({ takeProfit })]
  const [waiting, cancelled] = [await order(pending), await order(pending)]
  valueOf(await client.call(closeOrder, { orderId: closed.id, lots: null }))
  valueOf(await client.call(cancelOrder, { orderId: cancelled.id }))
  return [open.id, waiting.id, closed.id, cancelled.id]
}

async function asked(server: PricedServer, { token, client, user }: Person) {
  const url = await picture(server, token)
  const { id } = valueOf(await client.call(sendChatMessage, { text: WORDS.chat, picture: url }))
  const support = await atDesk(server, 'support', `${HOUSE.operator} of support`)
  await support.ask(answerChat, { id: user.id, text: WORDS.answer, picture: null, seen: id })
  return { messageId: id, picture: url }
}

/** Somebody with a real account and rows of their own, so that lists of theirs are looked up and not taken as empty; no picture. */
export async function newNeighbour(server: PricedServer): Promise<string> {
  const { token, client, user } = await newPayer(server)
  const finance = await atDesk(server, 'finance')
  const id = await openedDeposit(server, user.id, units(2_000))
  await finance.ask(finishDeposit, { id, amount: units(2_000), reason: 'arrived' })
  valueOf(await client.call(bindReceivingMethod, bankForm()))
  valueOf(await client.call(sendChatMessage, { text: 'a neighbour asks', picture: null }))
  valueOf(await client.call(submitOrder, MARKET_BUY))
  await newMember(server, { invite_code: user.invite_code })
  return token
}

/** Has somebody join whose address does not look like all others when it is masked; answers it. */
async function invited(server: PricedServer, invite_code: string): Promise<string> {
  const email = 'zoe@zebra.example'
  await post(server, '/api/notify/send_email', { to: email, type: 1 })
  const sms_code = await codeSentTo(server, email)
  await post(server, '/api/user/register', application(email, { sms_code, invite_code }))
  return email
}

/** What they have chosen for themselves; answers the secret of the second factor that they have begun to set up. */
async function setUp({ deployment }: PricedServer, { client, user }: Person): Promise<string> {
  valueOf(await client.call(setWatched, { instrumentIds: [3, 5], isWatched: true }))
  valueOf(await client.call(switchNotices, { group: 'orders', way: 'app', isOn: false }))
  const { at } = valueOf(await client.call(getLatestNews, null))
  valueOf(await client.call(tellNewsSeen, { at: at ?? deployment.wallClock() }))
  // As if they had been warned: the figures of their money are too good for it.
  await deployment.database.queries
    .insertInto('margin_warned')
    .values({ user_id: BigInt(user.id), at: 1n })
    .execute()
  return valueOf(await client.call(prepareSecondFactor, { password: PASSWORD })).secret
}
