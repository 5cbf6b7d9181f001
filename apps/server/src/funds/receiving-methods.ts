import { createHash, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  bindReceivingMethod,
  coinNetworkName,
  METHOD_WIRE_NAMES,
  type ReceivingMethod,
  type ReceivingMethodForm,
  type ReceivingMethodQuery,
  removeReceivingMethod,
  takesCoinTag,
} from '@fairlot/contract'
import { DEPLOYMENT, type Request } from '@fairlot/core'
import { resultOf } from '../engine/calls.ts'
import type { Engine } from '../engine/engine.ts'
import { newRequest } from '../engine/follow-ups.ts'
import { writeNotice } from '../engine/projection/notice-facts.ts'
import { createMutex } from '../platform/concurrency.ts'
import type { WithdrawalCurrencyTable } from '../platform/database/content-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import type { ReceivingMethodTable } from '../platform/database/payment-schema.ts'
import { noteActivity } from '../platform/database/user-activity.ts'
import type { UserCall } from '../platform/http/api.ts'
import { isRefusal, type Refusal, refuse } from '../platform/refusal.ts'
import {
  accountKey,
  hasIbanShape,
  isBankAccount,
  isBic,
  isCoinAddress,
  plainBic,
  plainIban,
  writtenBic,
} from './account-numbers.ts'
import type { PaymentServices } from './payment-cases.ts'
import { readCoin } from './payment-links.ts'
import { findCurrency } from './payout-currencies.ts'

/** The most methods that a user may have at a time. */
const METHODS_MAX = 20

type Bound = { readonly row: ReceivingMethodTable; readonly isNew: boolean }

/** Coin addresses and bank accounts that withdrawals are paid to. */
export function createReceivingMethods(services: PaymentServices) {
  const { queries, settings, now } = services
  registerBinding(services)
  // Ids are assigned one after the other.
  const withLock = createMutex()

  const bind = async (
    { user, input, device, address, request }: UserCall<ReceivingMethodForm>,
    currency: WithdrawalCurrencyTable,
  ) => {
    const read = readForm(input, currency.protocol)
    if (isRefusal(read)) return read
    const details = detailsOf(read)
    const refusal = refusalOfDetails(read, currency.protocol, details)
    if (refusal) return refusal
    const barrier = await services.checkIdentity(user.id, input.password, input.authCode, 'payoutMethod')
    if (barrier) return barrier
    const row = {
      user_id: BigInt(user.id),
      currency_id: currency.id,
      kind: input.kind,
      bound_at: BigInt(now()),
      details: JSON.stringify(details),
      account_key: accountKey(details),
      removed_at: null,
    }
    return withLock(() => add(services, row, { device, address }, request))
  }

  return {
    bind: async (call: UserCall<ReceivingMethodForm>): Promise<ReceivingMethod | Refusal> => {
      const currency = await findCurrency(queries, call.input.currencyId)
      if (currency?.kind !== call.input.kind) return refuse('currencyNotFound', { field: 'draw_id' })
      const bound = await bind(call, currency)
      return isRefusal(bound) ? bound : shownMethod(bound.row, named(currency), settings.payout_wait_hours)
    },

    list: async ({ user, input }: UserCall<ReceivingMethodQuery>): Promise<ReceivingMethod[]> => {
      const currencies = await queries.selectFrom('withdrawal_currency').selectAll().execute()
      const byId = new Map(currencies.map((row) => [row.id, named(row)]))
      const rows = await methodsOf(queries, user.id, input)
      return rows.map((row) => {
        const gone = { id: Number(row.currency_id), code: '', network: '' }
        return shownMethod(row, byId.get(row.currency_id) ?? gone, settings.payout_wait_hours)
      })
    },

    remove: (call: UserCall<{ id: number }>): Promise<null | Refusal> => remove(services, call),
  }
}

/** Registers the writes that follow a binding or a removal, once the engine has accepted it. */
function registerBinding({ followUps, messageWriter, contactOf }: PaymentServices): void {
  followUps.register(BIND, async (body, _decided, done) => {
    const { row, device, address } = body as Binding
    const userId = Number(row.user_id)
    const details = detailsIn(row.details)
    const contact = await contactOf(userId)
    await followUps.within(async (within) => {
      const { numInsertedOrUpdatedRows: added } = await within
        .insertInto('receiving_method')
        // The key of a row that an earlier version has left may have another form.
        .values({ ...row, account_key: accountKey(details) })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow()
      if (added === 1n) {
        const at = Number(row.bound_at)
        const account = shortened(details)
        await noteActivity(within, { userId, kind: 'methodBound', at, device, address })
        if (contact) await messageWriter.write('methodBound', contact, { account }, within)
        await writeNotice(within, { userId, at, fact: { kind: 'payoutMethodAdded', account } })
      }
      await done(within)
    })
    messageWriter.send()
  })
  followUps.register(REMOVE, async (body, _decided, done) => {
    const { id, userId, at, device, address } = body as Removal
    await followUps.within(async (within) => {
      const { numUpdatedRows } = await within
        .updateTable('receiving_method')
        .set({ removed_at: BigInt(at) })
        .where('id', '=', BigInt(id))
        .where('removed_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 1n)
        await noteActivity(within, { userId, kind: 'methodRemoved', at, device, address })
      await done(within)
    })
  })
}

const BIND = 'payoutMethod'
const REMOVE = 'payoutMethodRemoval'
type From = Pick<UserCall<unknown>, 'device' | 'address'>
type Binding = From & { readonly row: ReceivingMethodTable }
type Removal = From & { readonly id: number; readonly userId: number; readonly at: number }

async function remove(
  { queries, followUps, now }: PaymentServices,
  { user, input: { id }, device, address, request }: UserCall<{ id: number }>,
): Promise<null | Refusal> {
  if (!(await findMethod(queries, user.id, id))) return refuse('methodNotFound', { field: 'id' })
  const named = request ?? newRequest(user.id, removeReceivingMethod.name)
  const body: Removal = { id, userId: user.id, at: now(), device, address }
  const outcome = await followUps.execute({
    kind: REMOVE,
    body,
    request: named,
    command: { type: 'removePayoutMethod', accountId: user.id, methodId: id, request: named },
    mustFollow: true,
  })
  return isRefusal(outcome) ? outcome : null
}

const named = ({ id, code, protocol }: WithdrawalCurrencyTable) => ({
  id: Number(id),
  code,
  network: protocol,
})

/**
 * Binds a method; one that is already bound is returned, however it was typed this time. The same bank account with
 * other details is refused.
 */
async function add(
  { queries, followUps }: PaymentServices,
  given: Omit<ReceivingMethodTable, 'id' | 'destination' | 'salt'>,
  from: From,
  request: Request | undefined,
): Promise<Bound | Refusal> {
  const own = await queries
    .selectFrom('receiving_method')
    .selectAll()
    .where('user_id', '=', given.user_id)
    .where('removed_at', 'is', null)
    .execute()
  const details = detailsIn(given.details)
  const same = own.filter(
    (each) => each.currency_id === given.currency_id && each.account_key === given.account_key,
  )
  if (same.length > 0) {
    const sameDetails = same.find((each) =>
      isDeepStrictEqual(besideNumbers(detailsIn(each.details)), besideNumbers(details)),
    )
    return sameDetails ? { row: sameDetails, isNew: false } : refuse('methodAlreadyBound')
  }
  if (own.length >= METHODS_MAX) return refuse('tooManyMethods', { most: METHODS_MAX })
  const { most } = await queries
    .selectFrom('receiving_method')
    .select((select) => select.fn.max('id').as('most'))
    .executeTakeFirstOrThrow()
  const id = ((most as bigint | null) ?? 0n) + 1n
  const salt = newSalt()
  const destination = await destinationNumber(queries, details)
  const row = { ...given, id, salt, destination: BigInt(destination) }
  const accountId = Number(row.user_id)
  const named = request ?? newRequest(accountId, bindReceivingMethod.name)
  const outcome = await followUps.execute({
    kind: BIND,
    body: { row, ...from } satisfies Binding,
    request: named,
    command: {
      type: 'bindPayoutMethod',
      accountId,
      methodId: Number(id),
      destination,
      digest: methodDigest(row, salt),
      request: named,
    },
    mustFollow: true,
  })
  return isRefusal(outcome) ? outcome : { row, isNew: true }
}

/** The details of a method without the numbers that its key compares. */
const besideNumbers = (details: MethodDetails): MethodDetails => ({
  ...details,
  address: '',
  iban: '',
  payeeAccount: '',
  bic: plainBic(details.bic),
})

/** The end of an address or account number as its owner typed it, enough to recognize it. */
const shortened = ({ address, iban, payeeAccount }: MethodDetails): string =>
  `…${(address || iban || withoutSpaces(payeeAccount)).slice(-6)}`

const withoutSpaces = (text: string): string => text.replace(/\s/g, '')

/** A form whose address and tag stand by themselves, without a payment link around. */
function readForm(form: ReceivingMethodForm, network: string): ReceivingMethodForm | Refusal {
  if (form.kind !== 'coin') return form
  const { address: typed, tag } = form
  const fields = { address: METHOD_WIRE_NAMES.address, tag: METHOD_WIRE_NAMES.tag }
  const coin = readCoin({ network, address: withoutSpaces(typed), tag, fields })
  return isRefusal(coin) ? coin : { ...form, ...coin }
}

/** A form as stored: numbers and codes without spaces, and only the address for coins. */
export function detailsOf(form: ReceivingMethodForm): MethodDetails {
  const isCoin = form.kind === 'coin'
  const ofBank = (text: string) => (isCoin ? '' : text)
  // Typed into the field for other accounts, an IBAN is one all the same.
  const isIbanElsewhere = form.iban.trim() === '' && hasIbanShape(form.payeeAccount)
  const iban = plainIban(isIbanElsewhere ? form.payeeAccount : form.iban)
  return {
    address: isCoin ? withoutSpaces(form.address) : '',
    bankName: ofBank(form.bankName),
    bankAddress: ofBank(form.bankAddress),
    bic: ofBank(writtenBic(form.bic)),
    payeeName: ofBank(form.payeeName),
    payeeAccount: ofBank(isIbanElsewhere ? '' : form.payeeAccount),
    routeNumber: ofBank(withoutSpaces(form.routeNumber)),
    payeeAddress: ofBank(form.payeeAddress),
    postCode: ofBank(form.postCode),
    iban: ofBank(iban),
    accountType: isCoin ? null : form.accountType,
    // Left out when empty, as in the details of methods from before there were tags and remarks.
    ...(isCoin && form.tag !== '' && { tag: form.tag }),
    ...(!isCoin && form.remark !== '' && { remark: form.remark }),
  }
}

const missing = (name: keyof typeof METHOD_WIRE_NAMES): Refusal =>
  refuse('methodFieldMissing', { field: METHOD_WIRE_NAMES[name] })

/** The refusal of invalid details; null if they look valid. */
function refusalOfDetails(
  { kind, hasNoTag }: ReceivingMethodForm,
  network: string,
  details: MethodDetails,
): Refusal | null {
  if (kind === 'coin') {
    if (details.address === '') return missing('address')
    if (!isCoinAddress(network, details.address))
      return refuse('coinAddressInvalid', {
        name: coinNetworkName(network),
        field: METHOD_WIRE_NAMES.address,
      })
    const needsTag = takesCoinTag(network) === 'yes' && !hasNoTag
    return needsTag && details.tag === undefined ? refuse('coinTagMissing', { field: 'coin_tag' }) : null
  }
  const { bankName, payeeName, payeeAccount, iban, bic, accountType } = details
  if (payeeName === '') return missing('payeeName')
  if (bankName === '') return missing('bankName')
  if (payeeAccount === '' && iban === '') return missing('iban')
  if (accountType === null) return missing('accountType')
  if (iban !== '' && !(hasIbanShape(iban) && isBankAccount(iban)))
    return refuse('ibanInvalid', { field: 'iban' })
  if (payeeAccount !== '' && !isBankAccount(payeeAccount))
    return refuse('bankAccountInvalid', { field: 'payee_account' })
  return bic === '' || isBic(bic) ? null : refuse('bicInvalid', { field: 'bank_swift' })
}

const HOUR_MS = 3_600_000

type MethodDetails = Pick<
  ReceivingMethodForm,
  | 'address'
  | 'bankName'
  | 'bankAddress'
  | 'bic'
  | 'payeeName'
  | 'payeeAccount'
  | 'routeNumber'
  | 'payeeAddress'
  | 'postCode'
  | 'iban'
  | 'accountType'
> & { readonly remark?: string; readonly tag?: string }

/** Reads the details of a row, which are JSON. */
export const detailsIn = (text: string): MethodDetails => JSON.parse(text) as MethodDetails

/** A user's method, unless it was removed. */
export const findMethod = (
  queries: Queries,
  userId: number,
  id: number,
): Promise<ReceivingMethodTable | undefined> =>
  queries
    .selectFrom('receiving_method')
    .selectAll()
    .where('id', '=', BigInt(id))
    .where('user_id', '=', BigInt(userId))
    .where('removed_at', 'is', null)
    .executeTakeFirst()

export type WhichMethods = { readonly kind: 'coin' | 'bank'; readonly currencyId: number | null }

/** A user's methods that are not removed, newest first. */
const methodsOf = (
  queries: Queries,
  userId: number,
  { kind, currencyId }: WhichMethods,
): Promise<ReceivingMethodTable[]> =>
  queries
    .selectFrom('receiving_method')
    .selectAll()
    .where('user_id', '=', BigInt(userId))
    .where('kind', '=', kind)
    .where('removed_at', 'is', null)
    .$if(currencyId !== null, (q) => q.where('currency_id', '=', BigInt(currencyId ?? 0)))
    .orderBy('id', 'desc')
    .execute()

/** When a method may first be paid to, epoch ms. */
export const usableAt = ({ bound_at: boundAt }: ReceivingMethodTable, waitHours: number): number =>
  Number(boundAt) + waitHours * HOUR_MS

/** The number of a destination; a new destination gets the next one. */
export async function destinationNumber(queries: Queries, details: MethodDetails): Promise<number> {
  const key = accountKey(details)
  const find = () =>
    queries.selectFrom('payout_destination').select('id').where('account_key', '=', key).executeTakeFirst()
  for (;;) {
    const known = await find()
    if (known) return Number(known.id)
    const { most } = await queries
      .selectFrom('payout_destination')
      .select(({ fn }) => fn.max('id').as('most'))
      .executeTakeFirstOrThrow()
    // Of two concurrent inserts one finds its number taken and tries again.
    await queries
      .insertInto('payout_destination')
      .values({ id: ((most as bigint | null) ?? 0n) + 1n, account_key: key })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** The destination number of a method. Methods from before these numbers existed get theirs now. */
export const destinationOf = (
  queries: Queries,
  { destination, details }: Pick<ReceivingMethodTable, 'destination' | 'details'>,
): Promise<number> =>
  destination === null ? destinationNumber(queries, detailsIn(details)) : Promise.resolve(Number(destination))

export const newSalt = (): string => randomBytes(16).toString('hex')

/** The journal's digest of a method, in hex. It reveals later changes of the row; the salt keeps the address from being guessed. */
export const methodDigest = (
  row: Pick<ReceivingMethodTable, 'user_id' | 'currency_id' | 'kind' | 'details'>,
  salt: string,
): string =>
  createHash('sha256')
    .update(JSON.stringify([salt, String(row.user_id), String(row.currency_id), row.kind, row.details]))
    .digest('hex')

type Currency = ReceivingMethod['currency']

const shownMethod = (row: ReceivingMethodTable, currency: Currency, waitHours: number): ReceivingMethod => ({
  id: Number(row.id),
  kind: row.kind === 'bank' ? 'bank' : 'coin',
  currencyId: Number(row.currency_id),
  remark: '',
  tag: '',
  ...detailsIn(row.details),
  currency,
  boundAt: Number(row.bound_at),
  usableAt: usableAt(row, waitHours),
})

/** Methods in one journal entry. */
const BATCH_SIZE = 200

/**
 * Journals the payout methods that were bound before the journal recorded them, each with its destination number.
 * Throws if the engine does not answer; the next start continues.
 */
export async function adoptPayoutMethods(engine: Engine, queries: Queries): Promise<void> {
  for (;;) {
    const rows = await queries
      .selectFrom('receiving_method')
      .selectAll()
      .where('salt', 'is', null)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute()
    if (rows.length === 0) return
    const salted = rows.map((row) => ({ row, salt: newSalt() }))
    const destinations = new Map<bigint, number>()
    for (const { id, details } of rows)
      destinations.set(id, await destinationNumber(queries, detailsIn(details)))
    const adopted = salted.map(({ row, salt }) => ({
      row,
      salt,
      destination: destinations.get(row.id) ?? 0,
      digest: methodDigest(row, salt),
    }))
    const entry = await resultOf(engine, {
      type: 'adoptPayoutMethods',
      by: DEPLOYMENT,
      methods: adopted.map(({ row, destination, digest }) => ({
        accountId: Number(row.user_id),
        methodId: Number(row.id),
        destination,
        digest,
      })),
    })
    if (isRefusal(entry)) throw new Error(`the engine rejected payout methods: ${entry.rejected}`)
    await queries.transaction().execute(async (within) => {
      for (const { row, salt, destination } of adopted)
        await within
          .updateTable('receiving_method')
          .set({ salt, destination: BigInt(destination) })
          .where('id', '=', row.id)
          .execute()
    })
  }
}
