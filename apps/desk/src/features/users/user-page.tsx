import {
  auditEntriesFile,
  type DeskPermission,
  type DeskExport,
  getUserProfile,
  mayDo,
  userLogInsFile,
  userCopiesFile,
  userMovementsFile,
  userNotesFile,
} from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { UserX } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useDeskQuery } from '../../live/queries.ts'
import { useSelf } from '../../live/session.ts'
import { ChatPanel } from '../../ui/chat.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { Page } from '../../ui/page.tsx'
import { criteriaFor, AuditTab } from './audit-tab.tsx'
import { CopiesTab } from './copies-tab.tsx'
import { EquityTab } from './equity-tab.tsx'
import { LogInsTab } from './log-ins-tab.tsx'
import { TransactionsTab } from './transactions-tab.tsx'
import { NotesTab } from './notes-tab.tsx'
import { OrdersTab } from './orders-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { IDENTITY_TONES, IDENTITY_LABELS, STATUS_TONES, STATUS_LABELS } from './user-labels.ts'
import { UserMenu } from './user-menu.tsx'
import type { UserPageProps, TabProps } from './user-props.ts'

const fileOf =
  (file: DeskExport<{ readonly id: number; readonly page: number }>) => (id: number, of: string) => (
    <CsvButton file={file} input={{ id }} of={of} />
  )

const TABS: readonly {
  readonly key: string
  readonly label: string
  readonly Tab: ComponentType<TabProps>
  /** The permission it needs; without one every role sees it. */
  readonly permission?: DeskPermission
  /** The export button of the tab; `of` is the user number. */
  readonly file?: (id: number, of: string) => ReactNode
}[] = [
  { key: 'overview', label: 'Overview', Tab: OverviewTab },
  { key: 'orders', label: 'Orders', Tab: OrdersTab },
  { key: 'movements', label: 'Transactions', Tab: TransactionsTab, file: fileOf(userMovementsFile) },
  { key: 'copies', label: 'Copies', Tab: CopiesTab, file: fileOf(userCopiesFile) },
  { key: 'equity', label: 'Equity', Tab: EquityTab },
  { key: 'log-ins', label: 'Log-ins', Tab: LogInsTab, file: fileOf(userLogInsFile) },
  {
    key: 'messages',
    label: 'Messages',
    Tab: ({ profile }) => (
      <div className="max-w-3xl">
        <Card>
          <ChatPanel id={profile.user.id} />
        </Card>
      </div>
    ),
    permission: 'viewChat',
  },
  { key: 'notes', label: 'Notes', Tab: NotesTab, file: fileOf(userNotesFile) },
  {
    key: 'acts',
    label: 'Audit log',
    Tab: AuditTab,
    file: (id, of) => <CsvButton file={auditEntriesFile} input={criteriaFor(id)} of={of} />,
  },
]

/** Refresh interval of the figures, which move with prices, ms. */
const FIGURES_MS = 5_000

/** One user's page, with a tab for each part of the account. */
export function UserPage() {
  const { id: text = '', '*': path = '' } = useParams()
  const navigate = useNavigate()
  const { role } = useSelf()
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  const {
    data: profile,
    problem,
    retry,
  } = useDeskQuery(getUserProfile, { id }, { isOn: id > 0, refreshMs: FIGURES_MS })
  if (!profile && (problem !== null || id === 0)) return <NotFound problem={problem} onRetry={retry} />
  if (!profile) return <Loading />
  const tabs = TABS.filter(({ permission }) => permission === undefined || mayDo(role, permission))
  const tab = tabs.find(({ key }) => path === key || path.startsWith(`${key}/`)) ?? tabs[0]
  if (!tab) return null
  const { key, Tab, file } = tab
  const page: UserPageProps = {
    title: profile.user.uid,
    filter: {
      options: tabs.map((each) => ({
        ...each,
        ...(each.key === 'notes' && profile.noteCount > 0 && { count: profile.noteCount }),
      })),
      selected: key,
      onSelect: (next) => void navigate(`/people/${id}/${next}`),
    },
    actions: (
      <>
        <Badge tone={STATUS_TONES[profile.status]}>{STATUS_LABELS[profile.status]}</Badge>
        {profile.user.isDemo ? (
          <Badge>demo</Badge>
        ) : (
          <Badge tone={IDENTITY_TONES[profile.user.identityCheck]}>
            {IDENTITY_LABELS[profile.user.identityCheck]}
          </Badge>
        )}
        <UserMenu profile={profile} />
      </>
    ),
  }
  // These tabs have filters or a detail of their own, so they render the page themselves.
  if (key === 'orders' || key === 'equity') return <Tab key={id} profile={profile} page={page} />
  return (
    <Page {...page} file={file?.(id, profile.user.uid)}>
      <div className="flex flex-col gap-4">
        <Tab key={id} profile={profile} page={page} />
      </div>
    </Page>
  )
}

const NotFound = ({ problem, onRetry }: { problem: string | null; onRetry: () => void }) => (
  <div role="alert">
    <EmptyState
      icon={UserX}
      title="This user could not be shown"
      text={problem ?? 'There is no user with this number.'}
      action={
        problem !== null && (
          <Button tone="outline" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    />
  </div>
)

const Loading = () => (
  <div role="status" aria-label="Loading the user" className="flex flex-col gap-4 p-5">
    <Skeleton shape="h-8 w-64" />
    <Skeleton shape="h-20 w-full" />
    <Skeleton shape="h-64 w-full" />
  </div>
)
