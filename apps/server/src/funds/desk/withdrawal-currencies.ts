import {
  checkRate,
  decimalText,
  formatDecimal,
  fromUnits,
  money,
  MONEY_DECIMALS,
  PAYOUT_PRICE_DECIMALS,
  powerOfTen,
  RATE_DECIMALS,
  type Request,
  toUnits,
} from '@fairlot/core'
import { coinNetworkOf } from '@fairlot/contract'
import type { DeskOutcome, WithdrawalCurrency } from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { WithdrawalCurrencyTable } from '../../platform/database/content-schema.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { atField, isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import type { MadeBy } from '../../desk/approvals/approvals.ts'
import { announcedFacts, type DayLimits, limitColumns, loweredLimits } from '../day-limits.ts'
import { type Market, referenceRate } from '../deposit-channels.ts'
import { announcementOf, announceParts, changedValues, type PaymentChange } from '../payment-changes.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import { nextId } from '../../platform/database/next-id.ts'
import type { DeskOperator } from '../../desk/operators/operators.ts'
import { announcementTexts } from '../../desk/approvals/user-texts.ts'
import {
  type CurrencyForm,
  currencyRow,
  refusalOfCurrency,
  refusalOfNetwork,
  shownCurrency,
  storedNetwork,
  trimmed,
} from './payment-forms.ts'

type Place = { readonly id: number | null; readonly version: number }
type Change = Place & { readonly form: CurrencyForm }
type CurrencyRequest = CurrencyForm & Place & { readonly reason: string; readonly isUnlistedNetwork: boolean }

const ACT = 'editPaymentSetup'
const NO_TEXTS =
  'Traders get no message about this: they see price, fee and limits where they request a withdrawal.'

/**
 * Payout currencies, with price, fee and limits. An operator who could change a price alone could pay out too much to
 * an accomplice, so every change needs two operators; switching a currency off needs only one.
 */
export function createCurrencyChanges({ queries, approvals, auditLog, hub, now, deployment }: DeskServices) {
  const { payments } = deployment
  const announcement = (before: CurrencyForm, form: CurrencyForm) =>
    announcementOf(shownChange(before, form), loweredLimits(limitsOf(before), limitsOf(form)), {
      at: now(),
      noticeMs: deployment.engine.state().settings.noticeMs,
    })

  const perform = async (
    { id, version, form }: Change,
    before: WithdrawalCurrency | null,
    by: MadeBy,
  ): Promise<Refusal | null> => {
    const shown = before && announcement(before, form)
    const at = now()
    const {
      day_limit: _all,
      day_limit_before: _allBefore,
      ...limit
    } = limitColumns(before && limitsOf(before), limitsOf(form), shown?.from ?? at)
    const done = await auditLog.perform(
      {
        ...by,
        act: ACT,
        subject: subjectOf(id),
        before: before && factsOf(before),
        after: { ...factsOf(form), ...announcedFacts(limit) },
      },
      async (within) => {
        if (id === null) return insert(within, form, at)
        const refusal = await renew(within, { id, version }, { ...currencyRow(form), ...limit }, at)
        if (refusal || !shown) return refusal
        await announceParts(within, shown, { subject: subjectOf(id), reason: by.reason, at })
        return null
      },
    )
    if (!isRefusal(done)) {
      hub.changed('payments')
      payments.announced()
    }
    return done
  }

  approvals.register('payoutCurrency', {
    name: 'Currencies of withdrawals',
    signsOf: (body) => [
      { weight: 3, why: 'withdrawals would be paid at this rate' },
      ...(isUnlisted(readBody(body).form)
        ? [{ weight: 3, why: 'the network is not on the list: nothing can check the addresses' } as const]
        : []),
    ],
    textsOf: async (body, reason) => {
      const { id, form } = readBody(body)
      const before = id === null ? null : await find(queries, id, now())
      const texts = before ? announcementTexts(announcement(before, form), { reason, at: now() }) : []
      return texts.length > 0 ? texts : NO_TEXTS
    },
    execute: async (body, approved) => {
      const change = readBody(body)
      const refused = refusalOfPrice(deployment.engine.state(), change.form)
      if (refused) return refused
      if (change.id === null) return perform(change, null, approved)
      const { id } = change
      return payments.withCurrency(String(id), async () =>
        perform(change, await find(queries, id, now()), approved),
      )
    },
  })

  return async (
    operator: DeskOperator,
    { id, version, reason, isUnlistedNetwork, ...given }: CurrencyRequest,
    request?: Request,
  ): Promise<DeskOutcome | Refusal> => {
    const typed = trimmed(given)
    const isCoin = typed.kind === 'coin'
    const form = { ...typed, protocol: isCoin ? storedNetwork(typed.protocol) : typed.protocol }
    const subject = subjectOf(id)
    const refused = async (refusal: Refusal) => {
      await auditLog.recordRefusal({ operator, act: ACT, subject, reason }, refusal)
      return refusal
    }
    const refusal = refusalOfCurrency(form)
    if (refusal) return refused(refusal)
    const before = id === null ? null : await find(queries, id, now())
    if (id !== null && !before) return refused(refuse('paymentRowNotFound'))
    // A name from before the list may stay while it is switched off.
    if (before && isSwitchOff(before, typed)) {
      // Announced limits stay as they are.
      const done = await payments.withCurrency(String(before.id), () =>
        auditLog.perform(
          {
            operator,
            act: ACT,
            subject: subjectOf(id),
            reason,
            before: { isOn: true },
            after: { isOn: false },
          },
          (within) => renew(within, { id: before.id, version }, { is_on: 0n }, now()),
        ),
      )
      if (!isRefusal(done)) hub.changed('payments')
      return done ?? { approvalId: null }
    }
    const known = await approvals.repeated(request)
    if (known) return known
    const implausible = refusalOfPrice(deployment.engine.state(), form)
    if (implausible) return refused(implausible)
    const unlisted = isUnlisted(form) ? refusalOfNetwork(form.protocol, 'protocol', isUnlistedNetwork) : null
    if (unlisted) return refused(unlisted)
    if (before && before.version !== version) return refused(refuse('formOutdated'))
    return approvals.request(operator, {
      kind: 'payoutCurrency',
      subject,
      body: { id, version, form } satisfies Change,
      before: before && factsOf(before),
      after: factsOf(form),
      reason,
      request,
    })
  }
}

const isUnlisted = ({ kind, protocol }: CurrencyForm): boolean =>
  kind === 'coin' && coinNetworkOf(protocol) === null

/** Refuses a price tenfold or more off the market, in units of the currency for one of the account currency. */
function refusalOfPrice(market: Market, { code, usdPrice }: CurrencyForm): Refusal | null {
  const reference = referenceRate(market, code)
  const price = toUnits(usdPrice, PAYOUT_PRICE_DECIMALS)
  if (reference === null || price === null) return null
  const mid = powerOfTen(RATE_DECIMALS + PAYOUT_PRICE_DECIMALS) / reference.rate
  const refused = checkRate(price, { rate: mid })
  return refused && atField(refused, 'usdPrice')
}

const limitsOf = ({ personDayLimit }: CurrencyForm): DayLimits => ({ dayLimit: null, personDayLimit })

const subjectOf = (id: number | null): string => `withdrawalCurrency:${id ?? 'new'}`

/** Whether the form switches an offered currency off and changes nothing else. */
const isSwitchOff = (before: WithdrawalCurrency, form: CurrencyForm): boolean =>
  before.isOn && JSON.stringify(factsOf({ ...before, isOn: false })) === JSON.stringify(factsOf(form))

/** The values as operators read them, with amounts in full. */
function factsOf(form: CurrencyForm) {
  return {
    code: form.code,
    protocol: form.protocol,
    kind: form.kind,
    feeType: form.feeType,
    fee: amountText(form.fee),
    usdPrice: String(form.usdPrice),
    minimum: amountText(form.minimum),
    maximum: limitText(form.maximum),
    personDayLimit: limitText(form.personDayLimit),
    state: form.isOn ? 'on' : 'off',
  }
}

const SHOWN = ['usdPrice', 'fee', 'minimum', 'maximum', 'personDayLimit'] as const

/** A change of price, fee or limits as announced to users. */
function shownChange(before: CurrencyForm, form: CurrencyForm): Pick<PaymentChange, 'about' | 'fields'> {
  const shownOf = (of: CurrencyForm) => ({
    ...factsOf(of),
    fee: feeText(of),
    minimum: shortText(of.minimum),
    maximum: limitOrBlank(of.maximum),
    personDayLimit: limitOrBlank(of.personDayLimit),
  })
  return {
    about: `${form.code} · ${form.protocol}`,
    fields: changedValues(SHOWN, shownOf(before), shownOf(form)),
  }
}

const shortText = (amount: bigint): string => decimalText(fromUnits(amount, MONEY_DECIMALS))

/** A fee in percent of the amount, or as money. */
const feeText = ({ fee, feeType }: CurrencyForm): string =>
  feeType === 'rate' ? `${shortText(fee * 100n)} %` : shortText(fee)

const limitOrBlank = (limit: bigint | null): string => (limit === null ? '' : shortText(limit))

const amountText = (amount: bigint): string => formatDecimal(amount, MONEY_DECIMALS)
const limitText = (limit: bigint | null): string => (limit === null ? 'none' : amountText(limit))

type Amount = 'fee' | 'minimum'
type Limit = 'maximum' | 'personDayLimit'
type StoredForm = Omit<CurrencyForm, Amount | Limit> &
  Readonly<Record<Amount, string>> &
  Readonly<Record<Limit, string | null>>

/** Reads a stored request, whose amounts are text in JSON. */
function readBody(body: unknown): Change {
  const { id, version, form } = body as Place & { readonly form: StoredForm }
  return {
    id,
    version,
    form: {
      ...form,
      fee: money(BigInt(form.fee)),
      minimum: money(BigInt(form.minimum)),
      maximum: readLimit(form.maximum),
      personDayLimit: readLimit(form.personDayLimit),
    },
  }
}

const readLimit = (text: string | null) => (text === null ? null : money(BigInt(text)))

async function find(queries: Queries, id: number, now: number): Promise<WithdrawalCurrency | null> {
  const row = await queries
    .selectFrom('withdrawal_currency')
    .selectAll()
    .where('id', '=', BigInt(id))
    .executeTakeFirst()
  return row ? shownCurrency(row, now) : null
}

async function insert(within: Transaction<Tables>, form: CurrencyForm, at: number): Promise<null> {
  const id = await nextId(within, 'withdrawal_currency')
  await within
    .insertInto('withdrawal_currency')
    .values({
      ...currencyRow(form),
      person_day_limit: form.personDayLimit,
      id,
      version: 1n,
      changed_at: BigInt(at),
    })
    .execute()
  return null
}

async function renew(
  within: Transaction<Tables>,
  { id, version }: { readonly id: number; readonly version: number },
  change: Partial<WithdrawalCurrencyTable>,
  at: number,
): Promise<null | Refusal> {
  const { numUpdatedRows } = await within
    .updateTable('withdrawal_currency')
    .set({ ...change, version: BigInt(version + 1), changed_at: BigInt(at) })
    .where('id', '=', BigInt(id))
    .where('version', '=', BigInt(version))
    .executeTakeFirst()
  if (numUpdatedRows === 1n) return null
  return refuse((await find(within, id, at)) ? 'formOutdated' : 'paymentRowNotFound')
}
