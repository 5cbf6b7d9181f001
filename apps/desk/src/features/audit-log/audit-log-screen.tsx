import {
  auditEntriesFile,
  type ChainHead,
  DESK_PERMISSIONS,
  type AuditEntryRow,
  getAuditEntry,
  getChainHeads,
  listAuditEntries,
  listOperators,
  subjectLabel,
  USER_NUMBER_BEGINS_AT,
} from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { type Fact, FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { FigureCard, FigureRow } from '@fairlot/ui/figures/figure-card.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { useMediaQuery } from '@fairlot/ui/hooks/use-media-query.ts'
import { asName, Name } from '@fairlot/ui/figures/names.tsx'
import { useCallback, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { actionName, outcomeText } from '../../i18n/audit-text.ts'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useDeskQuery, usePaged } from '../../live/queries.ts'
import { ChangeList, shownChanges } from '../../ui/change-list.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { Page, type PageFilter } from '../../ui/page.tsx'
import { DetailHead, TitledBox, SplitView } from '../../ui/split-view.tsx'
import { UserLink } from '../../ui/user-link.tsx'
import { operatorName } from '../../ui/operator-names.ts'

const columnsAt = (now: number): readonly Column<AuditEntryRow>[] => [
  {
    key: 'at',
    title: 'When',
    cell: ({ at }) => <span className="whitespace-nowrap">{moment(at, now)}</span>,
  },
  {
    key: 'who',
    title: 'Who',
    cell: ({ operator, role, second }) =>
      `${operatorName({ name: operator, role })}${second === null ? '' : ` and ${asName(second)}`}`,
  },
  { key: 'act', title: 'Action', cell: ({ act }) => actionName(act), onPhone: 'title' },
  { key: 'about', title: 'Subject', cell: ({ about }) => about },
  {
    key: 'reason',
    title: 'Reason',
    cell: ({ reason }) => <span className="line-clamp-1">{reason}</span>,
    onPhone: 'hidden',
  },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ outcome }) => (
      <span className={outcome === 'done' ? undefined : 'text-down'}>{outcomeText(outcome)}</span>
    ),
    onPhone: 'figure',
  },
]

/** The audit log: operators' actions and rejected attempts, with search, filters and export. The open entry is in the address. */
export function AuditLogScreen() {
  const { '*': path = '' } = useParams()
  const navigate = useNavigate()
  const now = useNow()
  const isWide = useMediaQuery('(min-width: 48rem)')
  const [isFiltering, setIsFiltering] = useState(false)
  const filter = useEntryFilter()
  const { table, first } = usePaged(listAuditEntries, filter.criteria, { rowsOf: ({ acts }) => acts })
  const openId = /^\d+$/.test(path) ? Number(path) : null
  return (
    <SplitView
      onClose={useCallback(() => void navigate('/acts'), [navigate])}
      detail={
        openId === null ? null : { name: `Entry ${openId}`, body: <EntryDetail key={openId} id={openId} /> }
      }
    >
      <Page
        title="Audit log"
        filter={filter.chips}
        search={{ label: 'Find an entry', value: filter.search, onSearch: filter.onSearch }}
        file={<CsvButton file={auditEntriesFile} input={filter.criteria} />}
        actions={
          <Button
            tone="outline"
            size="small"
            aria-expanded={isFiltering}
            onClick={() => setIsFiltering(!isFiltering)}
          >
            Filter
          </Button>
        }
        footer={isWide && <ChainHeads />}
      >
        {isFiltering && <EntryFilters values={filter.values} onChange={filter.onChange} />}
        <p role="status" className="pb-1 text-tiny text-second">
          {first && `${first.total.toLocaleString('en')} ${first.total === 1 ? 'entry' : 'entries'}`}
        </p>
        <DataTable
          search={{ value: filter.search, onSearch: filter.onSearch }}
          {...table}
          label="Audit log"
          columns={columnsAt(now)}
          keyOf={({ id }) => id}
          selected={openId}
          onOpen={({ id }) => void navigate(`/acts/${id}`)}
          empty={{ title: 'No matches', text: 'Use fewer filters or a longer period.' }}
        />
        {!isWide && (
          <div className="pt-4">
            <ChainHeads />
          </div>
        )}
      </Page>
    </SplitView>
  )
}

const DAY_MS = 86_400_000

/** The texts of the filter fields. */
type EntryFields = {
  readonly operatorId: string
  readonly act: string
  readonly accountId: string
  /** Days in UTC such as 2026-11-22; `until` is the last of them. */
  readonly since: string
  readonly until: string
}

const NO_FILTER: EntryFields = { operatorId: '', act: '', accountId: '', since: '', until: '' }

type Outcome = 'all' | 'done' | 'refused'

type EntryCriteria = {
  readonly operatorId: number | null
  readonly act: string | null
  readonly subject: null
  readonly accountId: number | null
  readonly outcome: 'done' | 'refused' | null
  readonly since: number | null
  readonly until: number | null
  readonly search: string | null
}

/** The search, filters and chips of the audit log. */
function useEntryFilter() {
  const [values, setValues] = useState(NO_FILTER)
  const [outcome, setOutcome] = useState<Outcome>('all')
  const [search, setSearch] = useState('')
  const chips: PageFilter<Outcome> = {
    options: [
      { key: 'all', label: 'All' },
      { key: 'done', label: 'Done' },
      { key: 'refused', label: 'Rejected' },
    ],
    selected: outcome,
    onSelect: setOutcome,
  }
  const criteria: EntryCriteria = {
    operatorId: numberOf(values.operatorId),
    act: values.act || null,
    subject: null,
    accountId: accountOf(values.accountId),
    outcome: outcome === 'all' ? null : outcome,
    since: dayOf(values.since),
    search: search || null,
    until: endOfDay(dayOf(values.until)),
  }
  const onChange = (change: Partial<EntryFields>) => setValues({ ...values, ...change })
  return { criteria, chips, values, onChange, search, onSearch: setSearch }
}

/** Incomplete input does not filter. */
const numberOf = (text: string): number | null => (/^[1-9]\d{0,14}$/.test(text.trim()) ? Number(text) : null)

/** Reads a user number as an account id. */
const accountOf = (text: string): number | null => {
  const number = numberOf(text)
  return number === null || number <= USER_NUMBER_BEGINS_AT ? null : number - USER_NUMBER_BEGINS_AT
}

const dayOf = (text: string): number | null => {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) || at < 0 ? null : at
}

const endOfDay = (at: number | null): number | null => (at === null ? null : at + DAY_MS)

type EntryFiltersProps = {
  values: EntryFields
  onChange: (change: Partial<EntryFields>) => void
}

/** Filters by operator, action, user and time. */
function EntryFilters({ values, onChange }: EntryFiltersProps) {
  const { data } = useDeskQuery(listOperators, null)
  return (
    <section
      aria-label="Filter the list"
      className="mb-3 grid grid-cols-2 gap-3 rounded-card bg-surface p-3.5 desktop:grid-cols-5"
    >
      <SelectField
        label="Operator"
        value={values.operatorId}
        options={[
          { value: '', label: 'Any' },
          ...(data?.operators ?? []).map(({ id, name }) => ({ value: String(id), label: asName(name) })),
        ]}
        onChange={(operatorId) => onChange({ operatorId })}
      />
      <SelectField
        label="Action"
        value={values.act}
        options={[
          { value: '', label: 'Any' },
          ...Object.keys(DESK_PERMISSIONS).map((act) => ({ value: act, label: actionName(act) })),
        ]}
        onChange={(act) => onChange({ act })}
      />
      <TextField
        label="User number"
        inputMode="numeric"
        value={values.accountId}
        onChange={(accountId) => onChange({ accountId })}
      />
      <TextField label="From" type="date" value={values.since} onChange={(since) => onChange({ since })} />
      <TextField label="Until" type="date" value={values.until} onChange={(until) => onChange({ until })} />
    </section>
  )
}

/** One audit entry: its facts, what it changed, and its link in the hash chain. */
function EntryDetail({ id }: { id: number }) {
  const now = useNow()
  const { data, problem } = useDeskQuery(getAuditEntry, { id })
  if (!data) return problem === null ? <Skeleton shape="h-64 w-full" /> : <p role="alert">{problem}</p>
  const { act: entry, changes, hash, previousHash } = data
  return (
    <>
      <DetailHead
        kind={`Entry ${asName(entry.id)} · ${asName(moment(entry.at, now))}`}
        title={actionName(entry.act)}
        badge={<Badge tone={entry.outcome === 'done' ? 'up' : 'down'}>{outcomeText(entry.outcome)}</Badge>}
      />
      <FactList facts={factsOf(entry, now)} />
      {entry.reason !== '' && <TitledBox title="Reason">{entry.reason}</TitledBox>}
      {changes.length > 0 && <ChangeList changes={shownChanges(changes)} />}
      <TitledBox title="Hash chain">
        <code dir="ltr" translate="no" className="block pt-1 break-all">
          {hash}
        </code>
        <span className="block pt-2 text-second">previous</span>
        <code dir="ltr" translate="no" className="block break-all">
          {previousHash}
        </code>
      </TitledBox>
    </>
  )
}

const factsOf = (entry: AuditEntryRow, now: number): Fact[] => [
  {
    label: 'Operator',
    value: operatorName({ name: entry.operator, role: entry.role }),
  },
  ...(entry.second === null ? [] : [{ label: 'Second operator', value: asName(entry.second) }]),
  { label: 'Subject', value: entry.about },
  ...(entry.accountId === null ? [] : [{ label: 'User', value: <UserLink accountId={entry.accountId} /> }]),
  ...(entry.caseKey === null ? [] : [{ label: 'Case', value: subjectLabel(entry.caseKey) }]),
  ...(entry.journalAt === null ? [] : [{ label: 'Journal entry at', value: moment(entry.journalAt, now) }]),
]

/** The last hashes of both chains; anybody who keeps them can later prove whether earlier rows were changed. */
function ChainHeads() {
  const now = useNow()
  const { data } = useDeskQuery(getChainHeads, null)
  if (!data) return null
  const { journal, acts, lastMailed } = data
  return (
    <FigureRow>
      <Card label="Journal" row="row" head={journal} now={now} />
      <Card label="Audit log" row="entry" head={acts} now={now} />
      <FigureCard label="E-mailed" value={lastMailed ? asName(moment(lastMailed.at, now)) : 'never'}>
        {lastMailed
          ? `row ${asName(lastMailed.journalRow)} and entry ${asName(lastMailed.actId)}, to ${asName(lastMailed.recipients)}`
          : 'no recipient is set'}
      </FigureCard>
    </FigureRow>
  )
}

type CardProps = { label: string; row: string; head: ChainHead; now: number }

const Card = ({ label, row, head, now }: CardProps) => (
  <FigureCard label={label} value={`${row} ${asName(head.number)}`}>
    {head.at !== null && <Name className="block">{moment(head.at, now)}</Name>}
    <code dir="ltr" translate="no" className="block text-tiny break-all">
      {head.hash}
    </code>
  </FigureCard>
)
