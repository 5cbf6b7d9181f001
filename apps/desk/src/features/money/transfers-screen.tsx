import {
  listTransfers,
  TRANSFER_LABELS,
  transfersFile,
  USER_NUMBER_BEGINS_AT,
  userNumber,
  type DeskTransfer,
} from '@fairlot/contract/desk'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useState } from 'react'
import { exactMoney } from '../../i18n/figures.ts'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { usePaged } from '../../live/queries.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { LedgerField, type LedgerChoice } from '../../ui/ledger-field.tsx'
import { Page, type PageFilter } from '../../ui/page.tsx'
import { UserLink } from '../../ui/user-link.tsx'

type Kind = DeskTransfer['kind']
type Fields = { kind: Kind | ''; user: string; since: string; until: string }

const NO_FILTER: Fields = { kind: '', user: '', since: '', until: '' }
const KINDS = Object.entries(TRANSFER_LABELS) as [Kind, string][]
const DAY_MS = 86_400_000

const columnsAt = (now: number): readonly Column<DeskTransfer>[] => [
  { key: 'id', title: 'Transfer', cell: ({ id }) => id, onPhone: 'hidden' },
  {
    key: 'at',
    title: 'When',
    cell: ({ at }) => <span className="whitespace-nowrap">{moment(at, now)}</span>,
  },
  { key: 'kind', title: 'Kind', cell: ({ kind }) => TRANSFER_LABELS[kind], onPhone: 'title' },
  {
    key: 'user',
    title: 'User',
    cell: ({ accountId }) => (accountId === null ? '–' : <UserLink accountId={accountId} />),
  },
  { key: 'from', title: 'From', cell: ({ debit }) => accountText(debit), onPhone: 'hidden' },
  { key: 'to', title: 'To', cell: ({ credit }) => accountText(credit), onPhone: 'hidden' },
  { key: 'about', title: 'For', cell: aboutText },
  {
    key: 'amount',
    title: 'Amount',
    cell: ({ amount }) => exactMoney(amount),
    align: 'end',
    onPhone: 'figure',
  },
]

/** `available:2` as `100002, available`; `house:real:fees` as `Broker, fees`. */
function accountText(id: string): string {
  const [owner = '', second = '', third = ''] = id.split(':')
  return owner === 'house'
    ? `Broker, ${BROKER_ACCOUNTS[third] ?? third}`
    : `${asName(userNumber(BigInt(second)))}, ${owner}`
}

const BROKER_ACCOUNTS: Readonly<Record<string, string>> = { swap: 'swaps', demoIssue: 'demo money' }

function aboutText({ orderId, caseId }: DeskTransfer): string {
  if (orderId !== null) return `Order ${asName(orderId)}`
  return caseId === null ? '–' : `Case ${asName(caseId)}`
}

/** All transfers of the ledger, filtered by user, kind, time and the number of a transfer, order or case. */
export function TransfersScreen({ filter }: { filter: PageFilter<string> }) {
  const now = useNow()
  const [ledger, setLedger] = useState<LedgerChoice>('real')
  const [reference, setReference] = useState('')
  const [fields, setFields] = useState(NO_FILTER)
  const criteria = criteriaOf(ledger, reference, fields)
  const { table } = usePaged(listTransfers, criteria, { rowsOf: ({ transfers }) => transfers })
  const search = { value: reference, onSearch: setReference }
  return (
    <Page
      title="Money"
      filter={filter}
      search={{ label: 'Find by number', ...search }}
      file={<CsvButton file={transfersFile} input={criteria} of={ledger} />}
      actions={<LedgerField value={ledger} onChange={setLedger} />}
    >
      <TransferFilters values={fields} onChange={(change) => setFields({ ...fields, ...change })} />
      <DataTable
        search={search}
        {...table}
        label="Transfers"
        columns={columnsAt(now)}
        keyOf={({ id }) => id}
        empty={{ title: 'No matches', text: 'All transfers in the ledger are listed here.' }}
      />
    </Page>
  )
}

type TransferFiltersProps = { values: Fields; onChange: (change: Partial<Fields>) => void }

const TransferFilters = ({ values, onChange }: TransferFiltersProps) => (
  <section
    aria-label="Filter the list"
    className="mb-3 grid grid-cols-2 gap-3 rounded-card bg-surface p-3.5 desktop:grid-cols-4"
  >
    <SelectField
      label="Kind"
      value={values.kind}
      options={[{ value: '' as const, label: 'Any' }, ...KINDS.map(([value, label]) => ({ value, label }))]}
      onChange={(kind) => onChange({ kind })}
    />
    <TextField
      label="User number"
      inputMode="numeric"
      value={values.user}
      onChange={(user) => onChange({ user })}
    />
    <TextField label="From" type="date" value={values.since} onChange={(since) => onChange({ since })} />
    <TextField label="Until" type="date" value={values.until} onChange={(until) => onChange({ until })} />
  </section>
)

/** The criteria of the list. Incomplete input does not filter; the last day counts in full, in UTC. */
function criteriaOf(ledger: LedgerChoice, reference: string, { kind, user, since, until }: Fields) {
  const number = /^\d{1,15}$/.test(user.trim()) ? Number(user) : 0
  const lastDay = dayOf(until)
  return {
    ledger,
    accountId: number > USER_NUMBER_BEGINS_AT ? number - USER_NUMBER_BEGINS_AT : null,
    kind: kind === '' ? null : kind,
    reference: reference.trim() === '' ? null : reference.trim(),
    since: dayOf(since),
    until: lastDay === null ? null : lastDay + DAY_MS,
  }
}

function dayOf(text: string): number | null {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) || at < 0 ? null : at
}
