import {
  fieldLabel,
  listTermsHistory,
  withdrawTerms,
  type TermsChangeRow,
  termsHistoryFile,
} from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { asName, withoutNames } from '@fairlot/ui/figures/names.tsx'
import { useCallback, useState } from 'react'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { usePaged } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { ChangeList, shownChanges } from '../../ui/change-list.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { Page, type SectionPageProps } from '../../ui/page.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { DetailHead, TitledBox, SplitView } from '../../ui/split-view.tsx'

const STATES = [
  { value: 'announced', label: 'Announced' },
  { value: 'inForce', label: 'In force' },
  { value: 'withdrawn', label: 'Withdrawn' },
] as const
type State = (typeof STATES)[number]['value']

const KINDS = { instrument: '', calendar: 'Hours ', settings: 'Trading settings', source: 'Source of ' }
const titleOf = ({ kind, subject }: TermsChangeRow): string => `${KINDS[kind]}${asName(subject)}`

const columnsAt = (now: number): readonly Column<TermsChangeRow>[] => [
  { key: 'what', title: 'Change', cell: titleOf, onPhone: 'title' },
  {
    key: 'fields',
    title: 'Fields',
    cell: ({ changes }) =>
      changes
        .map(({ field }) => fieldLabel(field))
        .slice(0, 4)
        .join(', '),
  },
  {
    key: 'author',
    title: 'By',
    cell: ({ author, second }) => (second ? `${asName(author)}, ${asName(second)}` : asName(author)),
  },
  {
    key: 'from',
    title: 'Effective from',
    cell: ({ effectiveAt }) => moment(effectiveAt, now),
    align: 'end',
    onPhone: 'figure',
  },
]

/** Announced, effective and withdrawn changes of terms. */
export function ChangesScreen({ filter }: SectionPageProps) {
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
              name: withoutNames(titleOf(row)),
              body: <ChangeDetail row={row} now={now} />,
              actions: mayWithdraw && <Withdraw changeId={row.changeId} title={titleOf(row)} />,
            }
          : null
      }
    >
      <Page title="Market" filter={filter} file={<CsvButton file={termsHistoryFile} input={{ status }} />}>
        <div className="max-w-md pb-2">
          <Segmented label="Changes" track="surface" options={STATES} value={status} onChange={setStatus} />
        </div>
        <DataTable
          {...table}
          label="Changes of terms"
          columns={columnsAt(now)}
          keyOf={({ changeId }) => changeId}
          selected={openId}
          onOpen={({ changeId }) => setOpenId(changeId)}
          empty={{
            title: status === 'announced' ? 'No announced changes' : 'No changes yet',
            text: 'A change to the users’ disadvantage is announced to them before it takes effect.',
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
        kind={`Change ${asName(changeId)}`}
        title={titleOf(row)}
        badge={<Badge tone={status === 'announced' ? 'brass' : 'plain'}>{state?.label}</Badge>}
      />
      <FactList
        facts={[
          { label: 'Decided', value: `${moment(decidedAt, now)} UTC` },
          { label: 'Effective from', value: `${moment(effectiveAt, now)} UTC` },
          { label: 'By', value: asName(author) },
          ...(second === null ? [] : [{ label: 'Second operator', value: asName(second) }]),
        ]}
      />
      <ChangeList changes={shownChanges(changes)} />
      {reason !== '' && (
        <TitledBox title="Reason, shown to users">
          <p>“{reason}”</p>
        </TitledBox>
      )}
    </>
  )
}

function Withdraw({ changeId, title }: { changeId: number; title: string }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  return (
    <>
      <Button tone="danger" onClick={() => setIsDialogOpen(true)}>
        Withdraw
      </Button>
      {isDialogOpen && (
        <ReasonDialog
          title={`Withdraw: ${title}`}
          text="The announced change is withdrawn. Users see that for a day."
          endpoint={withdrawTerms}
          inputOf={(reason) => ({ changeId, reason })}
          submitLabel="Withdraw"
          tone="danger"
          done="Change withdrawn."
          onClose={() => setIsDialogOpen(false)}
        />
      )}
    </>
  )
}
