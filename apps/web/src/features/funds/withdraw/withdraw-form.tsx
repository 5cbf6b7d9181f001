import { type SubmitEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { PayoutCurrency, ReceivingMethod } from '@fairlot/contract'
import {
  fromUnits,
  money,
  PAYOUT_DECIMALS,
  PAYOUT_PRICE_DECIMALS,
  payoutOf,
  toUnits,
  withdrawable,
} from '@fairlot/core'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { ConfirmDialog } from '@fairlot/ui/overlays/confirm-dialog.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { navigate } from '@fairlot/ui/navigation/router.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { Confirm } from '@fairlot/ui/overlays/sheet.tsx'
import type { Problems } from '@fairlot/ui/forms/use-form.ts'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useAccountFigures } from '../../../live/account/account.ts'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { useKeptForm, useKeptState } from '../../../live/session/kept-input.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { AuthCodeField, FACTOR_ERROR_FIELDS } from '../../../ui/auth-code-field.tsx'
import { AmountField, readAmount } from '../../../ui/amount-field.tsx'
import { useLeftToday } from '../sent-amounts.ts'
import { methodName, addMethodPath, CurrencyField, NoCurrency } from '../payout-fields.tsx'
import {
  sendWithdrawal,
  usePayoutCurrencies,
  useReceivingMethods,
  type PaymentKind,
} from '../payment-queries.ts'

type WithdrawFormProps = { kind: PaymentKind; onSent: (id: number) => void }

/** Currency, receiving method and amount; the fee and the amount paid out are shown before anything is sent. */
export function WithdrawForm({ kind, onSent }: WithdrawFormProps) {
  const currencies = usePayoutCurrencies(kind)
  const methods = useReceivingMethods(kind)
  const [id, setId] = useKeptState<string | null>(`withdrawal currency ${kind}`, null)
  return (
    <Loaded query={currencies}>
      {(all) => {
        const currency = all.find((each) => String(each.id) === id) ?? all[0]
        if (!currency) return <NoCurrency />
        return (
          <Loaded query={methods}>
            {(bound) => (
              <CurrencyForm
                kind={kind}
                currency={currency}
                methods={bound.filter(({ currencyId }) => currencyId === currency.id)}
                onSent={onSent}
              >
                <CurrencyField value={String(currency.id)} currencies={all} onChange={setId} />
              </CurrencyForm>
            )}
          </Loaded>
        )
      }}
    </Loaded>
  )
}

type CurrencyFormProps = WithdrawFormProps & {
  currency: PayoutCurrency
  methods: readonly ReceivingMethod[]
  children: React.ReactNode
}

function CurrencyForm({ kind, currency, methods, onSent, children }: CurrencyFormProps) {
  const t = useTranslations('payments')
  const withdraw = useWithdrawForm({ kind, currency, methods, onSent })
  const { form, onSubmit, isBusy, needsCode, needsMethod, method, closeDialog } = withdraw
  const { values, problems, set } = form
  const chosen = methods.find(({ id }) => String(id) === method)
  return (
    <>
      <Card>
        <FormFrame form={form} onSubmit={onSubmit}>
          {children}
          <MethodField
            kind={kind}
            methods={methods}
            needsMethod={needsMethod}
            closeDialog={closeDialog}
            value={method}
            problem={problems.method}
            onChange={(chosen) => set({ method: chosen })}
          />
          <AmountField
            label={t('amount')}
            value={values.amount}
            hint={[useWithdrawableText(), useLeftToday(currency.leftToday)].filter(Boolean).join(' · ')}
            problem={problems.amount}
            onChange={(amount) => set({ amount })}
          />
          <TextField
            label={t('memo')}
            value={values.memo}
            maxLength={200}
            problem={problems.memo}
            onChange={(memo) => set({ memo })}
          />
          {needsCode && (
            <AuthCodeField
              passkeyFor="withdrawal"
              value={values.authCode}
              problem={problems.authCode}
              onChange={(authCode) => set({ authCode })}
            />
          )}
          <PayoutSummary currency={currency} amount={values.amount} />
          <FormNote text={form.note} />
          <Button type="submit" isWide isBusy={isBusy}>
            {t('send')}
          </Button>
          <p className="text-note text-second">{t('promise')}</p>
        </FormFrame>
      </Card>
      <Confirm
        isOpen={withdraw.isConfirming}
        title={t('confirmTitle')}
        text={
          <PayoutSummary
            currency={currency}
            amount={values.amount}
            method={chosen && methodName(chosen)}
            memo={values.memo.trim()}
          />
        }
        confirmLabel={t('send')}
        cancelLabel={t('confirmBack')}
        onConfirm={withdraw.confirm}
        onClose={withdraw.dismiss}
      />
    </>
  )
}

type WithdrawValues = { amount: string; memo: string; method: string; authCode: string }

const EMPTY = { amount: '', memo: '', method: '', authCode: '' }
const ERROR_FIELDS = {
  ...FACTOR_ERROR_FIELDS,
  amountMalformed: 'amount',
  amountInvalid: 'amount',
  notEnoughMoney: 'amount',
  amountBelowMinimum: 'amount',
  amountAboveMaximum: 'amount',
  amountBelowFee: 'amount',
  payoutDayLimitReached: 'amount',
  methodNotFound: 'method',
  methodTooNew: 'method',
} as const

/** The field of each name on the wire. */
const WIRE_FIELDS = { number: 'amount', memo: 'memo', draw_method_id: 'method' } as const

type WithdrawOptions = {
  kind: PaymentKind
  currency: PayoutCurrency
  /** The methods for this currency. */
  methods: readonly ReceivingMethod[]
  onSent: (id: number) => void
}

/** The state of the form. A user without a receiving method is led to the screen that adds one. */
function useWithdrawForm({ kind, currency, methods, onSent }: WithdrawOptions) {
  const t = useTranslations('payments')
  const form = useKeptForm<WithdrawValues>(`withdrawal ${kind}`, () => EMPTY, ['authCode'])
  const [needsCode, setNeedsCode] = useState(false)
  const [needsMethod, setNeedsMethod] = useState(false)
  // The chosen method may have been removed, or the currency changed.
  const ids = methods.map(({ id }) => String(id))
  const method = ids.includes(form.values.method) ? form.values.method : (ids[0] ?? '')
  const check = ({ amount, authCode }: WithdrawValues): Problems<WithdrawValues> => ({
    ...(readAmount(amount) === null && { amount: t('enterAmount') }),
    ...(method === '' && { method: t('chooseMethod') }),
    ...(needsCode && authCode.trim() === '' && { authCode: t('enterCode') }),
  })
  const submit = useSubmit({
    form,
    check,
    send: ({ amount: typed, memo, authCode }) => {
      const amount = readAmount(typed) ?? money(0n)
      const { feeType, feeRate } = currency
      const price = toUnits(currency.price, PAYOUT_PRICE_DECIMALS) ?? 0n
      const { fee, received } = payoutOf(amount, { feeType, feeRate, price })
      return sendWithdrawal({
        currencyId: currency.id,
        methodId: Number(method),
        memo,
        authCode: authCode.trim() || null,
        amount,
        // The figures shown: if they have changed, the server rejects the request and the new ones are shown.
        quotedFee: fee,
        quotedPrice: currency.price,
        quotedReceived: fromUnits(received, PAYOUT_DECIMALS),
      })
    },
    fields: ERROR_FIELDS,
    wireFields: WIRE_FIELDS,
    onRejected: ({ reason }) => {
      if (reason === 'secondFactorNeeded') setNeedsCode(true)
      return false
    },
    onDone: onSent,
  })
  const [pendingSubmit, setPendingSubmit] = useState<SubmitEvent | null>(null)
  // The values that were confirmed: the second factor that the server then wants needs no second confirmation.
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const shown = [method, currency.id, currency.feeType, currency.feeRate, currency.price]
  const wanted = JSON.stringify([{ ...form.values, authCode: '' }, ...shown.map(String)])
  const onSubmit: typeof submit.onSubmit = (event) => {
    if (methods.length === 0) setNeedsMethod(true)
    const isComplete = Object.values(check(form.values)).every((problem) => problem === undefined)
    // A complete form is shown once more for confirmation; an incomplete one shows what is missing.
    if (!isComplete || (needsCode && confirmed === wanted)) return submit.onSubmit(event)
    event.preventDefault()
    setPendingSubmit(event)
  }
  const confirm = () => {
    if (pendingSubmit) submit.onSubmit(pendingSubmit)
    setConfirmed(wanted)
    setPendingSubmit(null)
  }
  const closeDialog = () => setNeedsMethod(false)
  return {
    form,
    onSubmit,
    isBusy: submit.isBusy,
    needsCode,
    needsMethod,
    method,
    closeDialog,
    isConfirming: pendingSubmit !== null,
    confirm,
    dismiss: () => setPendingSubmit(null),
  }
}

type MethodFieldProps = {
  kind: PaymentKind
  methods: readonly ReceivingMethod[]
  value: string
  problem: string | undefined
  needsMethod: boolean
  onChange: (id: string) => void
  closeDialog: () => void
}

/** The receiving method of a withdrawal; without one, a dialog that leads to the screen that adds one. */
function MethodField(props: MethodFieldProps) {
  const { kind, methods, value, problem, needsMethod, onChange, closeDialog } = props
  const t = useTranslations('payments')
  const { moments } = useLocale()
  const [now] = useState(Date.now)
  const nameOf = (method: ReceivingMethod) =>
    method.usableAt > now
      ? `${asName(methodName(method))} (${t('waitsUntil', { time: moments.dateTime(method.usableAt) })})`
      : asName(methodName(method))
  const none = methods.length === 0 ? [{ value: '', label: t('noMethod') }] : []
  return (
    <>
      <SelectField
        label={t('method')}
        value={value}
        options={[...none, ...methods.map((each) => ({ value: String(each.id), label: nameOf(each) }))]}
        problem={problem}
        onChange={onChange}
      />
      <ConfirmDialog
        isOpen={needsMethod}
        title={t('needMethod')}
        text={t('needMethodText')}
        confirmLabel={t('addNow')}
        cancelLabel={t('notNow')}
        onConfirm={() => navigate(addMethodPath(kind))}
        onClose={closeDialog}
      />
    </>
  )
}

/** The minimum number of decimals shown of a payout; a coin amount shows more if needed. */
const SHOWN = 2

type PayoutSummaryProps = {
  currency: PayoutCurrency
  amount: string
  /** Receiving method and memo, given for the confirmation. */
  method?: string | undefined
  memo?: string
}

/** The fee and the amount paid out, calculated as the server does; with a method, the whole request. */
function PayoutSummary({ currency, amount, method, memo = '' }: PayoutSummaryProps) {
  const t = useTranslations('payments')
  const { figures } = useLocale()
  const price = toUnits(currency.price, PAYOUT_PRICE_DECIMALS) ?? 0n
  const terms = { feeType: currency.feeType, feeRate: currency.feeRate, price }
  const { fee, received } = payoutOf(readAmount(amount) ?? money(0n), terms)
  const digits = String(received).padStart(PAYOUT_DECIMALS, '0').slice(-PAYOUT_DECIMALS).replace(/0+$/, '')
  const shown = figures.figure(received, PAYOUT_DECIMALS, { shown: Math.max(SHOWN, digits.length) })
  return (
    <FactList
      facts={[
        ...(method === undefined
          ? []
          : [
              {
                label: t('amount'),
                value: (
                  <bdi dir="ltr" translate="no">
                    {figures.publicMoney(readAmount(amount) ?? money(0n))}
                  </bdi>
                ),
              },
              { label: t('method'), value: asName(method) },
            ]),
        ...(memo === '' ? [] : [{ label: t('memoSent'), value: memo }]),
        {
          label: t('fee'),
          value: (
            <bdi dir="ltr" translate="no">
              {figures.publicMoney(fee)}
            </bdi>
          ),
        },
        {
          label: t('expected'),
          value: (
            <bdi dir="ltr" translate="no" className="text-title">
              {shown} {currency.code}
            </bdi>
          ),
        },
      ]}
    />
  )
}

/** The most that can be withdrawn, which open positions do not need, as text. */
function useWithdrawableText(): string {
  const t = useTranslations('payments')
  const { figures } = useLocale()
  const account = useAccountFigures()
  return account
    ? t('withdrawMax', { amount: asName(figures.money(withdrawable(account))) })
    : t('withdrawMaxUnknown')
}
