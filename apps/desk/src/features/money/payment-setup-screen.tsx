import {
  getPaymentSetup,
  type DepositChannel,
  type WireAccount,
  type WithdrawalCurrency,
  type DeskExport,
  depositChannelsFile,
  wireAccountsFile,
  withdrawalCurrenciesFile,
} from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { useCallback, useState, type ReactNode } from 'react'
import { useMay } from '../../live/session.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page, type PageFilter } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { ChannelDialog } from './channel-dialog.tsx'
import { CurrencyDialog } from './currency-dialog.tsx'
import { CHANNEL_COLUMNS, CURRENCY_COLUMNS, WIRE_COLUMNS } from './payment-columns.tsx'
import { SwitchOffDialog } from './switch-off-dialog.tsx'
import { ChannelFacts, CurrencyFacts, WireFacts } from './payment-facts.tsx'
import { WireDialog } from './wire-dialog.tsx'

/** A row that is open; without one in a dialog it is a new one. */
type Open =
  | { readonly kind: 'channel'; readonly row: DepositChannel }
  | { readonly kind: 'wire'; readonly row: WireAccount }
  | { readonly kind: 'currency'; readonly row: WithdrawalCurrency }
type Editing = Open | { readonly kind: Open['kind']; readonly row: null }

/** Where deposits go, and what withdrawals are paid in. */
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
          acts: (
            <RowActs open={open} onEdit={() => setEditing(open)} onSwitchOff={() => setSwitchingOff(open)} />
          ),
        }
      }
    >
      <Page title="Money" filter={filter}>
        <div className="flex flex-col gap-8">
          <Block title="Addresses for deposits" file={depositChannelsFile} onAdd={() => add('channel')}>
            <DataTable
              {...listOf('channel')}
              label="Addresses for deposits"
              columns={CHANNEL_COLUMNS}
              rows={data?.channels}
              empty={{ title: 'No address is set up', text: 'Deposits in coins are not offered.' }}
            />
          </Block>
          <Block title="Bank accounts for deposits" file={wireAccountsFile} onAdd={() => add('wire')}>
            <DataTable
              {...listOf('wire')}
              label="Bank accounts for deposits"
              columns={WIRE_COLUMNS}
              rows={data?.wires}
              empty={{ title: 'No bank account is set up', text: 'Deposits by wire are not offered.' }}
            />
          </Block>
          <Block
            title="Currencies of withdrawals"
            file={withdrawalCurrenciesFile}
            onAdd={() => add('currency')}
          >
            <DataTable
              {...listOf('currency')}
              label="Currencies of withdrawals"
              columns={CURRENCY_COLUMNS}
              rows={data?.currencies}
              empty={{ title: 'No currency is set up', text: 'Withdrawals are not offered.' }}
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
  if (kind === 'channel') return <ChannelDialog row={row} onClose={onClose} />
  return kind === 'wire' ? (
    <WireDialog row={row} onClose={onClose} />
  ) : (
    <CurrencyDialog row={row} onClose={onClose} />
  )
}

type RowActsProps = { open: Open; onEdit: () => void; onSwitchOff: () => void }

function RowActs({ open, onEdit, onSwitchOff }: RowActsProps) {
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
