import {
  fieldLabel,
  listTermsHistory,
  withdrawTerms,
  type TermsChangeRow,
  termsHistoryFile,
} from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { Segmented } from '@fairlot/ui/segmented.tsx'
import { useCallback, useState } from 'react'
import { shownChanges } from '../../i18n/field-words.ts'
import { moment } from '../../i18n/moments.ts'
import { useMay } from '../../live/session.ts'
import { usePaged } from '../../live/use-paged.ts'
import { ChangeList } from '../../ui/change-list.tsx'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { DetailHead, Passage, SplitView } from '../../ui/split-view.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import type { MarketPageProps } from './market-page.ts'

const STATES = [
  { value: 'announced', label: 'Announced' },
  { value: 'inForce', label: 'In force' },
  { value: 'withdrawn', label: 'Withdrawn' },
] as const
type State = (typeof STATES)[number]['value']

const KINDS = { instrument: '', calendar: 'Hours ', settings: 'Settings of trading', source: 'Source of ' }
const titleOf = ({ kind, subject }: TermsChangeRow): string => `${KINDS[kind]}${subject}`

const columnsAt = (now: number): readonly Column<TermsChangeRow>[] => [
  { key: 'what', title: 'Change', cell: titleOf, onPhone: 'title' },
  {
    key: 'fields',
    title: 'Of',
    cell: ({ changes }) =>
      changes
        .map(({ field }) => fieldLabel(field))
        .slice(0, 4)
        .join(', '),
  },
  { key: 'author', title: 'By', cell: ({ author, second }) => (second ? `${author}, ${second}` : author) },
  {
    key: 'from',
    title: 'Holds from',
    cell: ({ effectiveAt }) => moment(effectiveAt, now),
    align: 'end',
    onPhone: 'figure',
  },
]

/** Changes of terms: announced, in force and withdrawn. */
export function ChangesScreen({ filter }: MarketPageProps) {
  const [status, setStatus] = useState<State>('announced')
  const [openId, setOpenId] = useState<number | null>(null)
  const now = useNow()
  const { table } = usePaged(listTermsHistory, { status }, { rowsOf: ({ changes }) => changes })
  const row = table.rows?.find(({ changeId }) => changeId === openId)
  const mayWithdraw = useMay('changeTerms') && row?.status === 'announced'
  return (
    <SplitView
      onClose={useCallback(() => setOpenId(null), [])}
      detail={
        row
          ? {
              name: titleOf(row),
              body: <ChangeDetail row={row} now={now} />,
              acts: mayWithdraw && <Withdraw changeId={row.changeId} title={titleOf(row)} />,
            }
          : null
      }
    >
      <Page title="Market" filter={filter} file={<CsvButton file={termsHistoryFile} input={{ status }} />}>
        <div className="max-w-md pb-2">
          <Segmented label="Changes" trough="surface" options={STATES} value={status} onChange={setStatus} />
        </div>
        <DataTable
          {...table}
          label="Changes of terms"
          columns={columnsAt(now)}
          keyOf={({ changeId }) => changeId}
          selected={openId}
          onOpen={({ changeId }) => setOpenId(changeId)}
          empty={{
            title: status === 'announced' ? 'Nothing is announced' : 'Nothing yet',
            text: 'A change to the traders’ disadvantage is shown to them before it holds.',
          }}
        />
      </Page>
    </SplitView>
  )
}

function ChangeDetail({ row, now }: { row: TermsChangeRow; now: number }) {
  const { changeId, status, reason, author, second, decidedAt, effectiveAt, changes } = row
  const state = STATES.find(({ value }) => value === status)
  return (
    <>
      <DetailHead
        kind={`Change ${changeId}`}
        title={titleOf(row)}
        badge={<Badge tone={status === 'announced' ? 'brass' : 'plain'}>{state?.label}</Badge>}
      />
      <FactList
        facts={[
          { label: 'Decided', value: `${moment(decidedAt, now)} UTC` },
          { label: 'Holds from', value: `${moment(effectiveAt, now)} UTC` },
          { label: 'By', value: author },
          ...(second === null ? [] : [{ label: 'Second person', value: second }]),
        ]}
      />
      <ChangeList changes={shownChanges(changes)} />
      {reason !== '' && (
        <Passage title="Why, as traders read it">
          <p>“{reason}”</p>
        </Passage>
      )}
    </>
  )
}

function Withdraw({ changeId, title }: { changeId: number; title: string }) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button tone="danger" onClick={() => setIsAsking(true)}>
        Withdraw
      </Button>
      {isAsking && (
        <ReasonDialog
          title={`Withdraw: ${title}`}
          text="What was announced does not come. Traders no longer see it."
          endpoint={withdrawTerms}
          inputOf={(reason) => ({ changeId, reason })}
          sendLabel="Withdraw"
          tone="danger"
          done="The change is withdrawn."
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
