import { useState } from 'react'
import { useTranslations } from 'use-intl'
import {
  isNameText,
  METHOD_LENGTHS,
  METHOD_WIRE_NAMES,
  type PayoutCurrency,
  takesCoinTag,
} from '@fairlot/contract'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { Checkbox } from '@fairlot/ui/forms/checkbox.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { PasswordField } from '@fairlot/ui/forms/password-field.tsx'
import { navigate, useSearchParams } from '@fairlot/ui/navigation/router.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import type { Problems } from '@fairlot/ui/forms/use-form.ts'
import { useSubmit } from '../../../live/requests/use-submit.ts'
import { useKeptForm } from '../../../live/session/kept-input.ts'
import { AuthCodeField, FACTOR_ERROR_FIELDS } from '../../../ui/auth-code-field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { addMethod, usePayoutCurrencies, type PaymentKind } from '../payment-queries.ts'
import { PaymentScreen } from '../payment-screen.tsx'
import { CurrencyField, NoCurrency } from '../payout-fields.tsx'

/** Adds a coin address or a bank account, depending on `type` in the address. */
export function AddMethodScreen() {
  const [search] = useSearchParams()
  const kind: PaymentKind = search.get('type') === '2' ? 'bank' : 'coin'
  return (
    <PaymentScreen>
      <Loaded query={usePayoutCurrencies(kind)}>
        {(currencies) =>
          currencies.length === 0 ? (
            <NoCurrency />
          ) : (
            <AddMethodForm key={kind} kind={kind} currencies={currencies} />
          )
        }
      </Loaded>
    </PaymentScreen>
  )
}

const LISTS = { coin: '/mine/coin-address-list', bank: '/mine/bank-card-list' } as const

function AddMethodForm({ kind, currencies }: { kind: PaymentKind; currencies: readonly PayoutCurrency[] }) {
  const t = useTranslations('payments')
  const onDone = () => navigate(LISTS[kind], { replace: true })
  const { form, onSubmit, isBusy, needsCode, takesTag } = useAddMethodForm({ kind, currencies, onDone })
  const { values, problems, set } = form
  return (
    <Card>
      <FormFrame form={form} onSubmit={onSubmit}>
        <CurrencyField
          value={values.currency}
          currencies={currencies}
          onChange={(currency) => set({ currency })}
        />
        {kind === 'coin' ? (
          <CoinFields takesTag={takesTag} values={values} problems={problems} onChange={set} />
        ) : (
          <BankFields values={values} problems={problems} onChange={set} />
        )}
        {needsCode ? (
          <AuthCodeField
            passkeyFor="payoutMethod"
            value={values.authCode}
            problem={problems.authCode}
            onChange={(authCode) => set({ authCode })}
          />
        ) : (
          <PasswordField
            label={t('password')}
            value={values.password}
            autoComplete="current-password"
            showLabel={t('showPassword')}
            hideLabel={t('hidePassword')}
            problem={problems.password}
            onChange={(password) => set({ password })}
          />
        )}
        <FormNote text={form.note} />
        <Button type="submit" isWide isBusy={isBusy}>
          {t('addMethod')}
        </Button>
        <p className="text-note text-second">{t('addMethodText')}</p>
      </FormFrame>
    </Card>
  )
}

const EMPTY = {
  currency: '',
  address: '',
  tag: '',
  bankName: '',
  bankAddress: '',
  bic: '',
  payeeName: '',
  payeeAccount: '',
  routeNumber: '',
  payeeAddress: '',
  postCode: '',
  iban: '',
  remark: '',
  password: '',
  authCode: '',
}

/** A receiving method as typed, with the proof that it is the user who adds it. */
type AddMethodValues = typeof EMPTY & { accountType: 'checking' | 'savings'; hasNoTag: boolean }

const ERROR_FIELDS = {
  coinAddressInvalid: 'address',
  paymentLinkUnreadable: 'address',
  paymentLinkOtherNetwork: 'address',
  coinTagInvalid: 'tag',
  coinTagMissing: 'tag',
  coinTagDiffers: 'tag',
  ibanInvalid: 'iban',
  bicInvalid: 'bic',
  bankAccountInvalid: 'payeeAccount',
  passwordWrong: 'password',
  ...FACTOR_ERROR_FIELDS,
} as const

/** The field of each name on the wire. */
const WIRE_FIELDS = Object.fromEntries(
  Object.entries(METHOD_WIRE_NAMES).map(([name, wireName]) => [wireName, name as keyof AddMethodValues]),
)

type AddMethodOptions = {
  kind: PaymentKind
  currencies: readonly PayoutCurrency[]
  onDone: () => void
}

/** The state of the form. If the second factor is on, its code replaces the password. */
function useAddMethodForm({ kind, currencies, onDone }: AddMethodOptions) {
  const t = useTranslations('payments')
  const app = useTranslations('app')
  const [needsCode, setNeedsCode] = useState(false)
  const form = useKeptForm<AddMethodValues>(
    `receiving method ${kind}`,
    () => ({
      ...EMPTY,
      currency: String(currencies[0]?.id ?? 0),
      accountType: 'checking',
      hasNoTag: false,
    }),
    ['password', 'authCode'],
  )
  const takesTagOf = ({ currency }: AddMethodValues) =>
    takesCoinTag(currencies.find(({ id }) => String(id) === currency)?.network ?? '')
  const missing = (values: AddMethodValues) => {
    if (kind === 'coin')
      return {
        ...(values.address.trim() === '' && { address: t('fillIn') }),
        // A payment link may bring the tag along.
        ...(takesTagOf(values) === 'yes' &&
          values.tag.trim() === '' &&
          !values.hasNoTag &&
          !values.address.includes('?') && { tag: t('coinTagMissing') }),
      }
    return {
      ...(!isNameText(values.payeeName) && { payeeName: app('nameInvalid') }),
      ...(!isNameText(values.bankName) && { bankName: app('nameInvalid') }),
      ...(values.payeeName.trim() === '' && { payeeName: t('fillIn') }),
      ...(values.bankName.trim() === '' && { bankName: t('fillIn') }),
      ...(values.iban.trim() === '' && values.payeeAccount.trim() === '' && { iban: t('ibanOrAccount') }),
    }
  }
  const { onSubmit, isBusy } = useSubmit({
    form,
    check: (values) => ({
      ...missing(values),
      ...(needsCode && values.authCode.trim() === '' && { authCode: t('enterCode') }),
      ...(!needsCode && values.password === '' && { password: t('enterPassword') }),
    }),
    send: ({ currency, accountType, authCode, password, ...details }) => {
      // Typed for another currency, it stays in the form unseen.
      const hasTag = takesTagOf({ currency, accountType, authCode, password, ...details }) !== 'no'
      return addMethod({
        ...details,
        kind,
        tag: hasTag && !details.hasNoTag ? details.tag : '',
        currencyId: Number(currency),
        accountType: kind === 'bank' ? accountType : null,
        password: needsCode ? null : password,
        authCode: needsCode ? authCode.trim() : null,
      })
    },
    fields: ERROR_FIELDS,
    wireFields: WIRE_FIELDS,
    onRejected: ({ reason }) => {
      if (reason === 'secondFactorNeeded') setNeedsCode(true)
      return false
    },
    onDone,
  })
  return { form, onSubmit, isBusy, needsCode, takesTag: takesTagOf(form.values) }
}

type MethodFieldsProps = {
  values: AddMethodValues
  problems: Problems<AddMethodValues>
  onChange: (change: Partial<AddMethodValues>) => void
}

type CoinFieldsProps = MethodFieldsProps & { takesTag: ReturnType<typeof takesCoinTag> }

/** The address, and the tag on networks where an address may need one. */
function CoinFields({ takesTag, values, problems, onChange }: CoinFieldsProps) {
  const t = useTranslations('payments')
  return (
    <>
      <TextField
        label={t('coinAddress')}
        value={values.address}
        maxLength={METHOD_LENGTHS.link}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        hint={takesTag === 'unknown' && t('coinUnchecked')}
        problem={problems.address}
        onChange={(address) => onChange({ address })}
      />
      {takesTag !== 'no' && !values.hasNoTag && (
        <TextField
          label={t('coinTag')}
          value={values.tag}
          maxLength={METHOD_LENGTHS.tag}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          hint={t('coinTagHint')}
          problem={problems.tag}
          onChange={(tag) => onChange({ tag })}
        />
      )}
      {takesTag === 'yes' && (
        <Checkbox isChecked={values.hasNoTag} onChange={(hasNoTag) => onChange({ hasNoTag })}>
          {t('coinTagNone')}
        </Checkbox>
      )}
    </>
  )
}

/** Numbers and codes run left to right, and keyboards should not correct them. */
const CODE = { dir: 'ltr', autoCapitalize: 'characters', spellCheck: false } as const

const FIELDS = [
  ['payeeName', 'payeeName', 'name'],
  ['bankName', 'bankName', 'name'],
  ['iban', 'iban', 'number'],
  ['payeeAccount', 'accountNumber', 'number'],
  ['bic', 'bicOptional', 'number'],
  ['routeNumber', 'routeNumber', 'number'],
  ['bankAddress', 'bankAddressOptional', 'text'],
  ['payeeAddress', 'payeeAddress', 'text'],
  ['postCode', 'postCode', 'number'],
  ['remark', 'bankRemark', 'text'],
] as const

/** Everything that a bank may need for a payment. */
function BankFields({ values, problems, onChange }: MethodFieldsProps) {
  const t = useTranslations('payments')
  return (
    <>
      {FIELDS.map(([name, label, sort]) => (
        <TextField
          key={name}
          label={t(label)}
          value={values[name]}
          maxLength={METHOD_LENGTHS[sort]}
          autoComplete="off"
          {...(sort === 'number' && CODE)}
          problem={problems[name]}
          onChange={(text) => onChange({ [name]: text })}
        />
      ))}
      <SelectField
        label={t('accountType')}
        value={values.accountType}
        problem={problems.accountType}
        options={[
          { value: 'checking', label: t('checking') },
          { value: 'savings', label: t('savings') },
        ]}
        onChange={(accountType) => onChange({ accountType })}
      />
    </>
  )
}
