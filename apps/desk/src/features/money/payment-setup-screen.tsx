import {
  type DepositChannel,
  depositChannelsFile,
  type DeskExport,
  getPaymentSetup,
  type WireAccount,
  wireAccountsFile,
  withdrawalCurrenciesFile,
  type WithdrawalCurrency,
} from '@fairlot/contract/desk'
import { coinNetworkOf } from '@fairlot/contract'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { fromUnits } from '@fairlot/core/decimal'
import { RATE_DECIMALS } from '@fairlot/core/number'
import { type Fact, FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { type ReactNode, useCallback, useState } from 'react'
import { decimal, money } from '../../i18n/figures.ts'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { OnBadge } from '../../ui/on-badge.tsx'
import { Page, type PageFilter } from '../../ui/page.tsx'
import { DetailHead, SplitView } from '../../ui/split-view.tsx'
import {
  AddressDialog,
  CurrencyDialog,
  feeText,
  SwitchOffDialog,
  WireDialog,
} from './payment-setup-dialogs.tsx'

/** The selected row. A dialog for a new one has none. */
type Open =
  | { readonly kind: 'channel'; readonly row: DepositChannel }
  | { readonly kind: 'wire'; readonly row: WireAccount }
  | { readonly kind: 'currency'; readonly row: WithdrawalCurrency }
type Editing = Open | { readonly kind: Open['kind']; readonly row: null }

/** Deposit addresses, bank accounts, and withdrawal currencies. */
export function PaymentSetupScreen({ filter }: { filter: PageFilter<string> }) {
  const { data, problem, retry } = useDeskQuery(getPaymentSetup, null)
  const [chosen, setChosen] = useState<{ kind: Open['kind']; id: number } | null>(null)
  const [editing, setEditing] = useState<Editing | null>(null)
  const [switchingOff, setSwitchingOff] = useState<Open | null>(null)
  const open = data && chosen ? openOf(data, chosen) : null
  const table = { problem, onRetry: retry, keyOf: ({ id }: { id: number }) => id }
  const listOf = (kind: Open['kind']) => ({
    ...table,
    selected: chosen?.kind === kind ? chosen.id : null,
    onOpen: ({ id }: { id: number }) => setChosen({ kind, id }),
  })
  const add = (kind: Open['kind']) => setEditing({ kind, row: null })
  return (
    <SplitView
      onClose={useCallback(() => setChosen(null), [])}
      detail={
        open && {
          name: nameOf(open),
          body: <Facts open={open} />,
          actions: (
            <RowActions
              open={open}
              onEdit={() => setEditing(open)}
              onSwitchOff={() => setSwitchingOff(open)}
            />
          ),
        }
      }
    >
      <Page title="Money" filter={filter}>
        <div className="flex flex-col gap-8">
          <Block title="Deposit addresses" file={depositChannelsFile} onAdd={() => add('channel')}>
            <DataTable
              {...listOf('channel')}
              label="Deposit addresses"
              columns={CHANNEL_COLUMNS}
              rows={data?.channels}
              empty={{ title: 'No deposit address', text: 'Crypto deposits are not offered.' }}
            />
          </Block>
          <Block title="Deposit bank accounts" file={wireAccountsFile} onAdd={() => add('wire')}>
            <DataTable
              {...listOf('wire')}
              label="Deposit bank accounts"
              columns={WIRE_COLUMNS}
              rows={data?.wires}
              empty={{ title: 'No bank account', text: 'Deposits by bank transfer are not offered.' }}
            />
          </Block>
          <Block title="Withdrawal currencies" file={withdrawalCurrenciesFile} onAdd={() => add('currency')}>
            <DataTable
              {...listOf('currency')}
              label="Withdrawal currencies"
              columns={CURRENCY_COLUMNS}
              rows={data?.currencies}
              empty={{ title: 'No withdrawal currency', text: 'Withdrawals are not offered.' }}
            />
          </Block>
        </div>
      </Page>
      {editing && <EditDialog editing={editing} onClose={() => setEditing(null)} />}
      {switchingOff && switchingOff.kind !== 'currency' && (
        <SwitchOffDialog
          kind={switchingOff.kind}
          row={switchingOff.row}
          onClose={() => setSwitchingOff(null)}
        />
      )}
    </SplitView>
  )
}

type Setup = {
  readonly channels: readonly DepositChannel[]
  readonly wires: readonly WireAccount[]
  readonly currencies: readonly WithdrawalCurrency[]
}

function openOf(setup: Setup, { kind, id }: { kind: Open['kind']; id: number }): Open | null {
  const find = <Row extends { id: number }>(rows: readonly Row[]) => rows.find((row) => row.id === id)
  const channel = kind === 'channel' && find(setup.channels)
  if (channel) return { kind: 'channel', row: channel }
  const wire = kind === 'wire' && find(setup.wires)
  if (wire) return { kind: 'wire', row: wire }
  const currency = kind === 'currency' && find(setup.currencies)
  return currency ? { kind: 'currency', row: currency } : null
}

const nameOf = (open: Open): string =>
  open.kind === 'currency'
    ? `${open.row.code} ${open.row.protocol}`
    : `${open.row.currencyCode} ${open.row.id}`

function Facts({ open }: { open: Open }) {
  if (open.kind === 'channel') return <ChannelFacts row={open.row} />
  return open.kind === 'wire' ? <WireFacts row={open.row} /> : <CurrencyFacts row={open.row} />
}

function EditDialog({ editing: { kind, row }, onClose }: { editing: Editing; onClose: () => void }) {
  if (kind === 'channel') return <AddressDialog row={row} onClose={onClose} />
  return kind === 'wire' ? (
    <WireDialog row={row} onClose={onClose} />
  ) : (
    <CurrencyDialog row={row} onClose={onClose} />
  )
}

type RowActionsProps = { open: Open; onEdit: () => void; onSwitchOff: () => void }

function RowActions({ open, onEdit, onSwitchOff }: RowActionsProps) {
  const mayEdit = useMay('editPaymentSetup')
  if (!mayEdit) return null
  return (
    <>
      {open.kind !== 'currency' && open.row.isOn && (
        <Button tone="danger" onClick={onSwitchOff}>
          Switch off
        </Button>
      )}
      <Button onClick={onEdit}>{open.row.isOn || open.kind === 'currency' ? 'Change' : 'Switch on'}</Button>
    </>
  )
}

type BlockProps = { title: string; file: DeskExport<null>; onAdd: () => void; children: ReactNode }

function Block({ title, file, onAdd, children }: BlockProps) {
  const mayEdit = useMay('editPaymentSetup')
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <header className="flex items-center justify-between gap-3">
        <h2 className="text-title font-bold">{title}</h2>
        <div className="flex gap-2">
          <CsvButton file={file} input={null} />
          {mayEdit && (
            <Button size="small" tone="outline" onClick={onAdd}>
              Add
            </Button>
          )}
        </div>
      </header>
      {children}
    </section>
  )
}

const limitText = (amount: bigint | null): string => (amount === null ? 'none' : money(amount))

const CHANNEL_COLUMNS: readonly Column<DepositChannel>[] = [
  { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => asName(currencyCode), onPhone: 'title' },
  { key: 'network', title: 'Network', cell: ({ protocolCode }) => asName(protocolCode) },
  {
    key: 'address',
    title: 'Address',
    cell: ({ address }) => asName(address),
    onPhone: 'hidden',
  },
  {
    key: 'limit',
    title: 'Daily limit',
    cell: ({ dayLimit }) => limitText(dayLimit),
    align: 'end',
    onPhone: 'hidden',
  },
  {
    key: 'state',
    title: 'State',
    cell: ({ isOn }) => <OnBadge isOn={isOn} />,
    align: 'end',
    onPhone: 'figure',
  },
]

const WIRE_COLUMNS: readonly Column<WireAccount>[] = [
  { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => asName(currencyCode), onPhone: 'title' },
  { key: 'bank', title: 'Bank', cell: ({ bankName }) => asName(bankName) },
  {
    key: 'account',
    title: 'Account',
    cell: ({ payeeAccount }) => asName(payeeAccount),
    onPhone: 'hidden',
  },
  {
    key: 'limit',
    title: 'Daily limit',
    cell: ({ dayLimit }) => limitText(dayLimit),
    align: 'end',
    onPhone: 'hidden',
  },
  {
    key: 'state',
    title: 'State',
    cell: ({ isOn }) => <OnBadge isOn={isOn} />,
    align: 'end',
    onPhone: 'figure',
  },
]

const CURRENCY_COLUMNS: readonly Column<WithdrawalCurrency>[] = [
  { key: 'code', title: 'Currency', cell: ({ code }) => asName(code), onPhone: 'title' },
  {
    key: 'protocol',
    title: 'Network',
    cell: ({ protocol, kind }) => (kind === 'bank' ? 'bank' : asName(protocol)),
  },
  { key: 'fee', title: 'Fee', cell: feeText, align: 'end' },
  {
    key: 'price',
    title: 'Paid out for 1',
    cell: ({ usdPrice }) => String(usdPrice),
    align: 'end',
    onPhone: 'hidden',
  },
  {
    key: 'state',
    title: 'State',
    cell: ({ isOn }) => <OnBadge isOn={isOn} />,
    align: 'end',
    onPhone: 'figure',
  },
]

type Limited = { readonly comingLimits: (LimitsOf & { readonly from: number }) | null }
type LimitsOf = { readonly dayLimit?: bigint | null; readonly personDayLimit: bigint | null }

/** Lower limits that traders have been informed of, and when they take effect. */
function announcedLimits({ comingLimits: coming }: Limited, now: number): Fact[] {
  if (!coming) return []
  const { dayLimit, personDayLimit, from } = coming
  const all = dayLimit === undefined ? [] : [`${limitText(dayLimit)} for all users`]
  const value = [...all, `${limitText(personDayLimit)} per user`, `from ${moment(from, now)}`].join(', ')
  return [{ label: 'Announced limits', value }]
}

/** The rate at which deposits are credited. A channel without a known rate is not offered to users. */
function rateOf({ fixedRate, rateNow }: Pick<DepositChannel, 'fixedRate' | 'rateNow'>): Omit<Fact, 'label'> {
  if (rateNow === null) return { value: 'unknown, so not shown to users', tone: 'down' }
  const rate = decimal(fromUnits(rateNow, RATE_DECIMALS))
  return { value: fixedRate === null ? `${rate} now` : `${rate}, fixed` }
}

const UNLISTED: Fact = { label: 'Network', value: 'not on the list: addresses are not checked', tone: 'down' }

/** The details of a deposit address. */
function ChannelFacts({ row }: { row: DepositChannel }) {
  const now = useNow()
  return (
    <>
      <DetailHead
        kind={`Address ${asName(row.id)}`}
        title={asName(row.currencyCode)}
        unit={asName(row.protocolCode)}
        badge={<OnBadge isOn={row.isOn} />}
      />
      <code dir="ltr" translate="no" className="rounded-field bg-page p-3 text-note break-all">
        {row.address}
      </code>
      <FactList
        facts={[
          ...(row.tag === '' ? [] : [{ label: 'Tag or memo', value: asName(row.tag) }]),
          ...(coinNetworkOf(row.protocolCode) === null ? [UNLISTED] : []),
          { label: 'Rate', ...rateOf(row) },
          { label: 'Daily limit, all users', value: limitText(row.dayLimit) },
          { label: 'Daily limit per user', value: limitText(row.personDayLimit) },
          ...announcedLimits(row, now),
          { label: 'Changed', value: moment(row.changedAt, now) },
        ]}
      />
    </>
  )
}

/** The details of a bank account for deposits. */
function WireFacts({ row }: { row: WireAccount }) {
  const now = useNow()
  return (
    <>
      <DetailHead
        kind={`Bank account ${asName(row.id)}`}
        title={asName(row.bankName)}
        unit={asName(row.currencyCode)}
        badge={<OnBadge isOn={row.isOn} />}
      />
      <FactList
        facts={[
          { label: 'Payee', value: asName(row.payeeName) },
          { label: 'Account', value: asName(row.payeeAccount) },
          { label: 'BIC', value: asName(row.bankSwift) },
          { label: 'Bank address', value: asName(row.bankAddress) },
          { label: 'Remark', value: row.bankRemark || 'none' },
          { label: 'Rate', ...rateOf(row) },
          { label: 'Daily limit, all users', value: limitText(row.dayLimit) },
          { label: 'Daily limit per user', value: limitText(row.personDayLimit) },
          ...announcedLimits(row, now),
          { label: 'Changed', value: moment(row.changedAt, now) },
        ]}
      />
    </>
  )
}

/** The details of a withdrawal currency. */
function CurrencyFacts({ row }: { row: WithdrawalCurrency }) {
  const now = useNow()
  return (
    <>
      <DetailHead
        kind={`Currency ${asName(row.id)}`}
        title={asName(row.code)}
        unit={asName(row.protocol)}
        badge={<OnBadge isOn={row.isOn} />}
      />
      <FactList
        facts={[
          { label: 'Paid to', value: row.kind === 'coin' ? 'a coin address' : 'a bank account' },
          ...(row.kind === 'coin' && coinNetworkOf(row.protocol) === null ? [UNLISTED] : []),
          { label: 'Fee', value: feeText(row) },
          { label: 'Paid out for 1', value: String(row.usdPrice) },
          { label: 'Minimum', value: money(row.minimum) },
          { label: 'Maximum', value: limitText(row.maximum) },
          { label: 'Daily maximum per user', value: limitText(row.personDayLimit) },
          ...announcedLimits(row, now),
          { label: 'Changed', value: moment(row.changedAt, now) },
        ]}
      />
    </>
  )
}
