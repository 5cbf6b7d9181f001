import { COIN_NETWORKS, coinNetworkOf, takesCoinTag } from '@fairlot/contract'
import {
  type DepositChannel,
  FIELD_LABELS,
  saveDepositChannel,
  saveWireAccount,
  saveWithdrawalCurrency,
  switchOffReceiving,
  type WireAccount,
  type WithdrawalCurrency,
} from '@fairlot/contract/desk'
import type { Money } from '@fairlot/core'
import { formatDecimal, fromUnits, parseDecimal, readDecimal } from '@fairlot/core/decimal'
import { MONEY_DECIMALS, RATE_DECIMALS } from '@fairlot/core/number'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { Checkbox } from '@fairlot/ui/forms/checkbox.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { NumberField } from '@fairlot/ui/forms/number-field.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { useState } from 'react'
import { exactMoney, money } from '../../i18n/figures.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { useKeptForm, useKeptState } from '../../live/kept-input.ts'

/** Requests a new deposit address or a change of one. */
export function AddressDialog({ row: opened, onClose }: { row: DepositChannel | null; onClose: () => void }) {
  const [row] = useState(opened)
  const key = `address ${row?.id ?? 'new'}`
  const [currencyCode, setCurrencyCode] = useKeptState(`${key} currency`, row?.currencyCode ?? '')
  const [network, setNetwork] = useKeptState(`${key} network`, () =>
    networkFormOf(row?.protocolCode ?? 'TRC20'),
  )
  const [address, setAddress] = useKeptState(key, row?.address ?? '')
  const [tag, setTag] = useKeptState(`${key} tag`, row?.tag ?? '')
  const { all, perUser, rate } = useLimitsAndRate(key, row)
  const protocolCode = nameOfNetwork(network)
  const takesTag = takesCoinTag(protocolCode)
  const sentTag = takesTag === 'no' ? '' : tag
  const limits = { dayLimit: all.value, personDayLimit: perUser.value, fixedRate: rate.value }
  return (
    <ReasonDialog
      title={row ? 'Change the address' : 'Add an address'}
      subject={key}
      text="Confirm every character with the owner of the address, over a different channel than the one you received it on."
      endpoint={saveDepositChannel}
      inputOf={(reason) => ({
        id: row?.id ?? null,
        version: row?.version ?? 0,
        reason,
        ...limits,
        currencyCode,
        protocolCode,
        isUnlistedNetwork: network.isConfirmed,
        address,
        tag: sentTag,
      })}
      changes={
        row
          ? [
              ...(row.address === address.trim()
                ? []
                : [{ label: FIELD_LABELS.address, before: row.address, after: address }]),
              ...(row.tag === sentTag.trim()
                ? []
                : [{ label: FIELD_LABELS.tag, before: row.tag, after: sentTag }]),
            ]
          : []
      }
      check={() => figuresProblem(rate.isWrong, all.isWrong || perUser.isWrong)}
      labels={FIELD_LABELS}
      twoOperatorRule="receivingAccount"
      submitLabel="Request"
      done="Requested."
      topics={['waiting']}
      onClose={onClose}
    >
      <TextField
        label={FIELD_LABELS.currencyCode}
        dir="ltr"
        value={currencyCode}
        onChange={setCurrencyCode}
        hint="Such as USDT."
      />
      <NetworkField form={network} onChange={setNetwork} />
      <TextField
        label={FIELD_LABELS.address}
        dir="ltr"
        spellCheck={false}
        value={address}
        onChange={setAddress}
      />
      {takesTag !== 'no' && (
        <TextField
          label={FIELD_LABELS.tag}
          dir="ltr"
          spellCheck={false}
          value={tag}
          onChange={setTag}
          hint="Users must send it with the coins. Empty only if the address needs none: an exchange credits nothing without it."
        />
      )}
      <RateField rate={rate} />
      <LimitField label={FIELD_LABELS.dayLimit} limit={all} />
      <LimitField label={FIELD_LABELS.personDayLimit} limit={perUser} />
    </ReasonDialog>
  )
}

/** A network of the list, or another one by name with the operator's word that it is meant. */
type NetworkForm = { readonly code: string; readonly other: string; readonly isConfirmed: boolean }

const OTHER = 'other'

const networkFormOf = (written: string): NetworkForm => {
  const code = coinNetworkOf(written)
  return { code: code ?? OTHER, other: code === null ? written : '', isConfirmed: false }
}

const nameOfNetwork = ({ code, other }: NetworkForm): string => (code === OTHER ? other : code)

const NETWORK_OPTIONS = [
  ...Object.entries(COIN_NETWORKS).map(([value, { name }]) => ({ value, label: name })),
  { value: OTHER, label: 'Another network' },
]

type NetworkFieldProps = { form: NetworkForm; onChange: (form: NetworkForm) => void }

function NetworkField({ form, onChange }: NetworkFieldProps) {
  return (
    <>
      <SelectField
        label={FIELD_LABELS.protocolCode}
        value={form.code}
        options={NETWORK_OPTIONS}
        onChange={(code) => onChange({ ...form, code })}
      />
      {form.code === OTHER && (
        <>
          <TextField
            label="Name of the network"
            dir="ltr"
            value={form.other}
            onChange={(other) => onChange({ ...form, other })}
            hint="Nothing can be checked on a network that is not on the list: coins sent to a wrong address are lost."
          />
          <Checkbox
            isChecked={form.isConfirmed}
            onChange={(isConfirmed) => onChange({ ...form, isConfirmed })}
          >
            Use it although its addresses cannot be checked
          </Checkbox>
        </>
      )}
    </>
  )
}

const FIELDS = [
  ...(['currencyCode', 'bankName', 'bankAddress', 'bankSwift'] as const),
  ...(['payeeName', 'payeeAccount', 'bankRemark'] as const),
] as const

type Texts = Record<(typeof FIELDS)[number], string>

const EMPTY: Texts = {
  currencyCode: '',
  bankName: '',
  bankAddress: '',
  bankSwift: '',
  payeeName: '',
  payeeAccount: '',
  bankRemark: '',
}

const UNCHANGED: Partial<Texts> = {}

/** Requests a new bank account or a change of one. */
export function WireDialog({ row: opened, onClose }: { row: WireAccount | null; onClose: () => void }) {
  const [row] = useState(opened)
  const key = `bank account ${row?.id ?? 'new'}`
  const [change, setChange] = useKeptState<Partial<Texts>>(key, UNCHANGED)
  const { currencyCode, bankName, bankAddress, bankSwift, payeeName, payeeAccount, bankRemark } = {
    ...(row ?? EMPTY),
    ...change,
  }
  const texts: Texts = { currencyCode, bankName, bankAddress, bankSwift, payeeName, payeeAccount, bankRemark }
  const { all, perUser, rate } = useLimitsAndRate(key, row)
  const limits = { dayLimit: all.value, personDayLimit: perUser.value, fixedRate: rate.value }
  return (
    <ReasonDialog
      title={row ? 'Change the bank account' : 'Add a bank account'}
      subject={key}
      endpoint={saveWireAccount}
      inputOf={(reason) => ({ id: row?.id ?? null, version: row?.version ?? 0, ...texts, ...limits, reason })}
      changes={
        row
          ? FIELDS.filter((name) => row[name] !== texts[name]).map((name) => ({
              label: FIELD_LABELS[name],
              before: row[name],
              after: texts[name],
            }))
          : []
      }
      check={() => figuresProblem(rate.isWrong, all.isWrong || perUser.isWrong)}
      labels={FIELD_LABELS}
      twoOperatorRule="receivingAccount"
      submitLabel="Request"
      done="Requested."
      topics={['waiting']}
      onClose={onClose}
    >
      {FIELDS.map((name) => (
        <TextField
          key={name}
          label={FIELD_LABELS[name]}
          value={texts[name]}
          onChange={(text) => setChange({ ...change, [name]: text })}
        />
      ))}
      <RateField rate={rate} />
      <LimitField label={FIELD_LABELS.dayLimit} limit={all} />
      <LimitField label={FIELD_LABELS.personDayLimit} limit={perUser} />
    </ReasonDialog>
  )
}

const PRICE_DECIMALS = 10

type Form = Pick<WithdrawalCurrency, 'kind' | 'feeType' | 'isOn'> & {
  readonly network: NetworkForm
} & Record<'code' | 'fee' | 'price' | 'minimum' | 'maximum' | 'userDay', string>

const formOf = (row: WithdrawalCurrency | null): Form => ({
  code: row?.code ?? '',
  network: networkFormOf(row?.kind === 'bank' ? 'TRC20' : (row?.protocol ?? 'TRC20')),
  kind: row?.kind ?? 'coin',
  feeType: row?.feeType ?? 'fixed',
  isOn: row?.isOn ?? true,
  fee: row ? feeField(row) : '',
  price: row ? String(row.usdPrice) : '1',
  minimum: row ? amountField(row.minimum) : '',
  maximum: amountField(row?.maximum ?? null),
  userDay: amountField(row?.personDayLimit ?? null),
})

/** The network to store. One that is not changed keeps its spelling, so that one operator may switch the currency off. */
function protocolOf({ kind, network }: Form, row: WithdrawalCurrency | null): string {
  if (row?.kind === kind && nameOfNetwork(networkFormOf(row.protocol)) === nameOfNetwork(network))
    return row.protocol
  return kind === 'bank' ? '' : nameOfNetwork(network)
}

/** The amounts of the form; null where one cannot be read. */
function amountsOf({ feeType, ...form }: Form) {
  const fee = readFee(form.fee, feeType)
  const usdPrice = readDecimal(form.price.trim(), PRICE_DECIMALS)
  const minimum = readAmount(form.minimum)
  const [maximum, personDayLimit] = [readLimit(form.maximum), readLimit(form.userDay)]
  if (fee === null || usdPrice === null || minimum === null) return null
  if (maximum === undefined || personDayLimit === undefined) return null
  return { fee, usdPrice, minimum, maximum, personDayLimit }
}

/** Reads a limit: null for none, undefined where it cannot be read. */
const readLimit = (text: string) => (text.trim() === '' ? null : (readAmount(text) ?? undefined))

const LABELS = {
  code: 'Currency',
  protocol: 'Network',
  fee: 'Fee',
  minimum: 'Minimum',
  maximum: 'Maximum',
  usdPrice: 'Paid out for 1 of the account currency',
  personDayLimit: 'Daily maximum per user',
} as const

type CurrencyDialogProps = { row: WithdrawalCurrency | null; onClose: () => void }

/** Requests a withdrawal currency or a change of one. Only switching it off needs no second operator. */
export function CurrencyDialog({ row: opened, onClose }: CurrencyDialogProps) {
  const [row] = useState(opened)
  const { values: form, set } = useKeptForm<Form>(`currency ${row?.id ?? 'new'}`, () => formOf(row))
  const amounts = amountsOf(form)
  const { code, network, kind, feeType, isOn } = form
  const none = { fee: 0n, minimum: 0n, usdPrice: 0, maximum: null, personDayLimit: null } as never
  return (
    <ReasonDialog
      title={row ? `Change ${row.code}` : 'Add a currency'}
      text="Users see the costs before they request a withdrawal. Switching it off without other changes takes effect at once."
      endpoint={saveWithdrawalCurrency}
      inputOf={(reason) => ({
        id: row?.id ?? null,
        version: row?.version ?? 0,
        reason,
        code,
        protocol: protocolOf(form, row),
        isUnlistedNetwork: network.isConfirmed,
        kind,
        feeType,
        isOn,
        ...(amounts ?? none),
      })}
      check={() => (amounts === null ? 'Enter all figures as numbers.' : null)}
      labels={LABELS}
      twoOperatorRule="payoutCurrency"
      submitLabel="Save"
      done="Switched off."
      topics={['waiting']}
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
      {kind === 'coin' && <NetworkField form={network} onChange={(next) => set({ network: next })} />}
      <Segmented
        label="Fee"
        value={feeType}
        options={[
          { value: 'fixed', label: 'Fixed amount' },
          { value: 'rate', label: 'Percent' },
        ]}
        onChange={(next) => set({ feeType: next })}
      />
      <NumberField
        label={feeType === 'fixed' ? LABELS.fee : 'Fee in percent'}
        value={form.fee}
        onChange={(fee) => set({ fee })}
      />
      <NumberField label={LABELS.usdPrice} value={form.price} onChange={(price) => set({ price })} />
      <NumberField label={LABELS.minimum} value={form.minimum} onChange={(minimum) => set({ minimum })} />
      <NumberField
        label={LABELS.maximum}
        hint="Empty for no limit."
        value={form.maximum}
        onChange={(maximum) => set({ maximum })}
      />
      <NumberField
        label={LABELS.personDayLimit}
        hint="Empty for no limit."
        value={form.userDay}
        onChange={(userDay) => set({ userDay })}
      />
      <Checkbox isChecked={isOn} onChange={(next) => set({ isOn: next })}>
        Offered to users
      </Checkbox>
    </ReasonDialog>
  )
}

type SwitchOffDialogProps = {
  kind: 'channel' | 'wire'
  row: { readonly id: number; readonly version: number }
  onClose: () => void
}

/** Stops offering an address or account at once. */
export const SwitchOffDialog = ({ kind, row: { id, version }, onClose }: SwitchOffDialogProps) => (
  <ReasonDialog
    title="Switch off"
    subject={`${kind} ${id}`}
    text="Users no longer see it from now on. Switching it on again needs a second operator."
    endpoint={switchOffReceiving}
    inputOf={(reason) => ({ kind, id, version, reason })}
    submitLabel="Switch off"
    tone="danger"
    done="Switched off."
    onClose={onClose}
  />
)

type Limits = Pick<DepositChannel, 'dayLimit' | 'personDayLimit' | 'fixedRate'>

/** The limits and the fixed rate of an address or bank account, whose form is kept under this name. */
function useLimitsAndRate(name: string, row: Limits | null) {
  return {
    all: useLimitField(`${name} limit`, row?.dayLimit ?? null),
    perUser: useLimitField(`${name} user limit`, row?.personDayLimit ?? null),
    rate: useRateField(`${name} rate`, row?.fixedRate ?? null),
  }
}

/** The state of a limit field; empty for no limit. */
function useLimitField(name: string, limit: Money | null) {
  const [text, setText] = useKeptState(name, amountField(limit))
  const value = text.trim() === '' ? null : readAmount(text)
  return { text, setText, value, isWrong: text.trim() !== '' && value === null }
}

type LimitFieldProps = { label: string; limit: ReturnType<typeof useLimitField> }

const LimitField = ({ label, limit: { text, setText } }: LimitFieldProps) => (
  <NumberField label={label} value={text} onChange={setText} hint="Empty for no limit." />
)

/** The state of the field of a fixed rate; empty for the market rate. */
function useRateField(name: string, rate: bigint | null) {
  const [text, setText] = useKeptState(name, rate === null ? '' : String(fromUnits(rate, RATE_DECIMALS)))
  const value = text.trim() === '' ? null : parseDecimal(text, RATE_DECIMALS)
  return { text, setText, value, isWrong: text.trim() !== '' && value === null }
}

const RateField = ({ rate: { text, setText } }: { rate: ReturnType<typeof useRateField> }) => (
  <NumberField
    label={FIELD_LABELS.fixedRate}
    value={text}
    onChange={setText}
    hint="What 1 unit is worth in the account currency. Leave empty for the market rate when a deposit arrives; USDT counts as 1 USD."
  />
)

const figuresProblem = (isRateWrong: boolean, areLimitsWrong: boolean): string | null => {
  if (isRateWrong) return 'Enter the rate as a number such as 1.0834.'
  return areLimitsWrong ? 'Enter limits as amounts.' : null
}

/** Decimals of a percentage, for a rate in units of 1e-6. */
const PERCENT_DECIMALS = 4
const percentOf = (fee: bigint): string => formatDecimal(fee, PERCENT_DECIMALS).replace(/\.?0+$/, '')

/** A fee as it is shown, such as `5.00` or `1 %`. */
export const feeText = ({ fee, feeType }: Pick<WithdrawalCurrency, 'fee' | 'feeType'>): string =>
  feeType === 'fixed' ? money(fee) : `${percentOf(fee)} %`

/** A fee as the text of its field: an amount or a percentage. */
const feeField = ({ fee, feeType }: Pick<WithdrawalCurrency, 'fee' | 'feeType'>): string =>
  feeType === 'fixed' ? amountField(fee) : percentOf(fee)

const readFee = (text: string, feeType: WithdrawalCurrency['feeType']): Money | null =>
  feeType === 'fixed' ? readAmount(text) : (parseDecimal(text, PERCENT_DECIMALS) as Money | null)

/** An amount as the text of its field; empty for none. */
const amountField = (amount: bigint | null): string =>
  amount === null ? '' : exactMoney(amount).replaceAll(',', '')

/** Reads an amount; null where it cannot be read. */
const readAmount = (text: string): Money | null => parseDecimal(text, MONEY_DECIMALS) as Money | null
