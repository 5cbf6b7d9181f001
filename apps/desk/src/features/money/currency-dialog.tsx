import { saveWithdrawalCurrency, type WithdrawalCurrency } from '@fairlot/contract/desk'
import { readDecimal } from '@fairlot/core/decimal'
import { Checkbox } from '@fairlot/ui/checkbox.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { Segmented } from '@fairlot/ui/segmented.tsx'
import { useState } from 'react'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { amountField, feeField, readAmount, readFee } from './payment-text.ts'

const PRICE_DECIMALS = 10

type Form = Pick<WithdrawalCurrency, 'kind' | 'feeType' | 'isOn'> &
  Record<'code' | 'protocol' | 'fee' | 'price' | 'minimum' | 'maximum' | 'personDay', string>

const formOf = (row: WithdrawalCurrency | null): Form => ({
  ...{ code: row?.code ?? '', protocol: row?.protocol ?? '', kind: row?.kind ?? 'coin' },
  ...{ feeType: row?.feeType ?? 'fixed', isOn: row?.isOn ?? true },
  ...{ fee: row ? feeField(row) : '', price: row ? String(row.usdPrice) : '1' },
  ...{ minimum: row ? amountField(row.minimum) : '', maximum: amountField(row?.maximum ?? null) },
  personDay: amountField(row?.personDayLimit ?? null),
})

/** The amounts of a form; null while one of them is none. */
function amountsOf({ feeType, ...form }: Form) {
  const fee = readFee(form.fee, feeType)
  const usdPrice = readDecimal(form.price.trim(), PRICE_DECIMALS)
  const minimum = readAmount(form.minimum)
  const [maximum, personDayLimit] = [readLimit(form.maximum), readLimit(form.personDay)]
  if (fee === null || usdPrice === null || minimum === null) return null
  if (maximum === undefined || personDayLimit === undefined) return null
  return { fee, usdPrice, minimum, maximum, personDayLimit }
}

/** Null for no limit; undefined for what is no amount. */
const readLimit = (text: string) => (text.trim() === '' ? null : (readAmount(text) ?? undefined))

const LABELS = {
  ...{ code: 'Currency', protocol: 'Network', fee: 'Fee', minimum: 'At least', maximum: 'At most' },
  ...{ usdPrice: 'Paid out for 1 of the account currency', personDayLimit: 'At most a day, by one person' },
} as const

type CurrencyDialogProps = { row: WithdrawalCurrency | null; onClose: () => void }

/** Writes what withdrawals are paid in. */
export function CurrencyDialog({ row: opened, onClose }: CurrencyDialogProps) {
  const [row] = useState(opened)
  const [form, setForm] = useState(() => formOf(row))
  const set = (change: Partial<Form>) => setForm({ ...form, ...change })
  const amounts = amountsOf(form)
  const { code, protocol, kind, feeType, isOn } = form
  const none = { fee: 0n, minimum: 0n, usdPrice: 0, maximum: null, personDayLimit: null } as never
  return (
    <ReasonDialog
      title={row ? `Change ${row.code}` : 'Add a currency'}
      text="What it costs is shown to users before they ask for a withdrawal."
      endpoint={saveWithdrawalCurrency}
      inputOf={(reason) => ({
        ...{ id: row?.id ?? null, version: row?.version ?? 0, reason },
        ...{ code, protocol, kind, feeType, isOn, ...(amounts ?? none) },
      })}
      check={() => (amounts === null ? 'One of the figures is none.' : null)}
      labels={LABELS}
      sendLabel="Save"
      done="The currency is saved."
      onClose={onClose}
    >
      <Segmented
        label="Paid to"
        value={kind}
        options={[
          { value: 'coin', label: 'A coin address' },
          { value: 'bank', label: 'A bank account' },
        ]}
        onChange={(next) => set({ kind: next })}
      />
      <TextField label={LABELS.code} dir="ltr" value={code} onChange={(next) => set({ code: next })} />
      {kind === 'coin' && (
        <TextField
          label={LABELS.protocol}
          dir="ltr"
          value={protocol}
          onChange={(next) => set({ protocol: next })}
        />
      )}
      <Segmented
        label="Fee"
        value={feeType}
        options={[
          { value: 'fixed', label: 'Fixed amount' },
          { value: 'rate', label: 'Percent' },
        ]}
        onChange={(next) => set({ feeType: next })}
      />
      <Figure
        label={feeType === 'fixed' ? LABELS.fee : 'Fee in percent'}
        value={form.fee}
        onChange={(fee) => set({ fee })}
      />
      <Figure label={LABELS.usdPrice} value={form.price} onChange={(price) => set({ price })} />
      <Figure label={LABELS.minimum} value={form.minimum} onChange={(minimum) => set({ minimum })} />
      <Figure
        label={LABELS.maximum}
        hint="Empty for no limit."
        value={form.maximum}
        onChange={(maximum) => set({ maximum })}
      />
      <Figure
        label={LABELS.personDayLimit}
        hint="Empty for no limit."
        value={form.personDay}
        onChange={(personDay) => set({ personDay })}
      />
      <Checkbox isChecked={isOn} onChange={(next) => set({ isOn: next })}>
        Offered to users
      </Checkbox>
    </ReasonDialog>
  )
}

type FigureProps = { label: string; hint?: string; value: string; onChange: (text: string) => void }

const Figure = (props: FigureProps) => <TextField {...props} dir="ltr" inputMode="decimal" />
