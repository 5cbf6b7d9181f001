import { type DeskStrategy, listDeskStrategies, strategiesFile, userNumber } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { useMediaQuery } from '@fairlot/ui/hooks/use-media-query.ts'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useCallback, useState } from 'react'
import { useSearchParams } from 'react-router'
import { countText, money, sharePercent } from '../../i18n/figures.ts'
import { usePaged } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { Page, type PageFilter } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import { UserLink } from '../../ui/user-link.tsx'
import { StrategyActions, StrategyDetail } from './strategy-detail.tsx'

const CHOICES = [
  { key: 'all', label: 'All' },
  { key: 'reported', label: 'Reported' },
  { key: 'hidden', label: 'Hidden' },
  { key: 'running', label: 'Running' },
  { key: 'ended', label: 'Ended' },
] as const
type Choice = (typeof CHOICES)[number]['key']

/** Owners are links where a row is not a button, which may not contain one. */
const columnsFor = (isWide: boolean): readonly Column<DeskStrategy>[] => [
  { key: 'name', title: 'Strategy', cell: (strategy) => <Name {...strategy} />, onPhone: 'title' },
  {
    key: 'owner',
    title: 'Owner',
    cell: ({ userId }) => (isWide ? <UserLink accountId={userId} /> : asName(userNumber(userId))),
  },
  {
    key: 'fee',
    title: 'Fee',
    phoneLabel: 'fee',
    cell: ({ feeShare }) => sharePercent(feeShare),
    align: 'end',
  },
  {
    key: 'copiers',
    title: 'Copiers',
    phoneLabel: 'copiers',
    cell: ({ copiers }) => copiers.toLocaleString('en'),
    align: 'end',
  },
  {
    key: 'money',
    title: 'Copied money',
    phoneLabel: 'copied',
    cell: ({ copiedMoney }) => money(copiedMoney),
    align: 'end',
  },
  {
    key: 'reports',
    title: 'Open reports',
    cell: ({ openReports }) => <ReportsMark count={openReports} isWide={isWide} />,
    align: 'end',
    onPhone: 'figure',
  },
]

/** The count of open reports; on a phone, where there is no column title, with its unit. */
function ReportsMark({ count, isWide }: { count: number; isWide: boolean }) {
  if (count === 0) return isWide && <span className="text-second">none</span>
  return <Badge tone="brass">{isWide ? count.toLocaleString('en') : countText(count, 'report')}</Badge>
}

/** The name with its marks; below it the number, the ledger, and whether it has ended. */
const Name = ({ id, name, ledger, isHidden, endedAt }: DeskStrategy) => (
  <>
    <span className="flex flex-wrap items-center gap-x-2">
      <bdi translate="no" className="min-w-0 break-words">
        {name}
      </bdi>
      {isHidden && <Badge tone="down">hidden</Badge>}
    </span>
    <span className="block text-tiny font-normal text-second">
      {withNames(
        `No. ${asName(id)} · ${ledger === 'demo' ? 'demo' : 'real money'}${endedAt === null ? '' : ' · ended'}`,
      )}
    </span>
  </>
)

/** Published strategies with the reports about them. The search is in the address, so that other screens can link to a strategy. */
export function CopyingScreen() {
  const [params, setParams] = useSearchParams()
  const isWide = useMediaQuery('(min-width: 48rem)')
  const mayDecide = useMay('hideStrategy')
  const [show, setShow] = useState<Choice>('all')
  const [openId, setOpenId] = useState<number | null>(null)
  const find = params.get('find') ?? ''
  const { table, first } = usePaged(
    listDeskStrategies,
    { search: find, show },
    { rowsOf: ({ strategies }) => strategies },
  )
  const onSearch = useCallback(
    (text: string) => setParams(text === '' ? {} : { find: text }, { replace: true }),
    [setParams],
  )
  const filter: PageFilter<Choice> = { options: CHOICES, selected: show, onSelect: setShow }
  const open = table.rows?.find(({ id }) => id === openId)
  return (
    <SplitView
      onClose={useCallback(() => setOpenId(null), [])}
      detail={
        open
          ? {
              name: `Strategy ${open.id}`,
              body: <StrategyDetail key={open.id} strategy={open} />,
              actions: mayDecide && <StrategyActions key={open.id} strategy={open} />,
            }
          : null
      }
    >
      <Page
        title="Copying"
        filter={filter}
        search={{ label: 'Find a strategy', value: find, onSearch }}
        file={<CsvButton file={strategiesFile} input={{ search: find, show }} of={show} />}
      >
        <p role="status" className="pb-1 text-tiny text-second">
          {first && `${first.total.toLocaleString('en')} ${first.total === 1 ? 'strategy' : 'strategies'}`}
        </p>
        <DataTable
          search={{ value: find, onSearch }}
          {...table}
          label="Strategies"
          columns={columnsFor(isWide)}
          keyOf={({ id }) => id}
          selected={openId}
          onOpen={({ id }) => setOpenId(id)}
          empty={EMPTY[show]}
        />
      </Page>
    </SplitView>
  )
}

const EMPTY: Readonly<Record<Choice, { title: string; text?: string }>> = {
  all: { title: 'No strategies yet', text: 'Users publish their trading in the app, for others to copy.' },
  reported: { title: 'No open reports', text: 'Reports of users are listed here until they are answered.' },
  hidden: { title: 'No hidden strategies' },
  running: { title: 'No running strategies' },
  ended: { title: 'No ended strategies' },
}
