import {
  actsFile,
  type DeskAct,
  type DeskExport,
  getPerson,
  mayDo,
  personLogInsFile,
  personMovementsFile,
  personNotesFile,
} from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { UserX } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useSelf } from '../../live/session.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { ChatPanel } from '../../ui/chat/chat-panel.tsx'
import { CsvButton } from '../../ui/csv-button.tsx'
import { Page } from '../../ui/page.tsx'
import { actsOf, ActsTab } from './acts-tab.tsx'
import { EquityTab } from './equity-tab.tsx'
import { LogInsTab } from './log-ins-tab.tsx'
import { MovementsTab } from './movements-tab.tsx'
import { NotesTab } from './notes-tab.tsx'
import { OrdersTab } from './orders-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { PersonMenu } from './person-menu.tsx'
import type { PersonFrame, TabProps } from './person-props.ts'
import { IDENTITY_TONES, IDENTITY_WORDS, STATUS_TONES, STATUS_WORDS } from './person-words.ts'

const fileOf =
  (file: DeskExport<{ readonly id: number; readonly page: number }>) => (id: number, of: string) => (
    <CsvButton file={file} input={{ id }} of={of} />
  )

const TABS: readonly {
  readonly key: string
  readonly label: string
  readonly Tab: ComponentType<TabProps>
  /** Who sees it; everybody where it is left out. */
  readonly act?: DeskAct
  /** The list of the tab as a file; `of` is the public number. */
  readonly file?: (id: number, of: string) => ReactNode
}[] = [
  { key: 'overview', label: 'Overview', Tab: OverviewTab },
  { key: 'orders', label: 'Orders', Tab: OrdersTab },
  { key: 'movements', label: 'Movements', Tab: MovementsTab, file: fileOf(personMovementsFile) },
  { key: 'equity', label: 'Equity', Tab: EquityTab },
  { key: 'log-ins', label: 'Log-ins', Tab: LogInsTab, file: fileOf(personLogInsFile) },
  {
    key: 'messages',
    label: 'Messages',
    Tab: ({ person }) => (
      <div className="max-w-3xl">
        <Card>
          <ChatPanel id={person.user.id} />
        </Card>
      </div>
    ),
    act: 'viewChat',
  },
  { key: 'notes', label: 'Notes', Tab: NotesTab, file: fileOf(personNotesFile) },
  {
    key: 'acts',
    label: 'Acts',
    Tab: ActsTab,
    file: (id, of) => <CsvButton file={actsFile} input={actsOf(id)} of={of} />,
  },
]

/** Figures move with prices: asked again so often, ms. */
const FIGURES_MS = 5_000

/** One person: who they are, and a tab for each side of the account. */
export function PersonScreen() {
  const { id: text = '', '*': path = '' } = useParams()
  const navigate = useNavigate()
  const { role } = useSelf()
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  const {
    data: person,
    problem,
    retry,
  } = useDeskQuery(getPerson, { id }, { isOn: id > 0, everyMs: FIGURES_MS })
  if (!person && (problem !== null || id === 0)) return <NotFound problem={problem} onRetry={retry} />
  if (!person) return <Loading />
  const tabs = TABS.filter(({ act }) => act === undefined || mayDo(role, act))
  const tab = tabs.find(({ key }) => path === key || path.startsWith(`${key}/`)) ?? tabs[0]
  if (!tab) return null
  const { key, Tab, file } = tab
  const frame: PersonFrame = {
    title: person.user.uid,
    filter: {
      options: tabs.map((each) => ({
        ...each,
        ...(each.key === 'notes' && person.noteCount > 0 && { count: person.noteCount }),
      })),
      selected: key,
      onSelect: (next) => void navigate(`/people/${id}/${next}`),
    },
    actions: (
      <>
        <Badge tone={STATUS_TONES[person.status]}>{STATUS_WORDS[person.status]}</Badge>
        {person.user.isDemo ? (
          <Badge>demo</Badge>
        ) : (
          <Badge tone={IDENTITY_TONES[person.user.identityCheck]}>
            {IDENTITY_WORDS[person.user.identityCheck]}
          </Badge>
        )}
        <PersonMenu person={person} />
      </>
    ),
  }
  // Those that are narrowed, or open something beside them, draw the page themselves.
  if (key === 'orders' || key === 'equity') return <Tab key={id} person={person} frame={frame} />
  return (
    <Page {...frame} file={file?.(id, person.user.uid)}>
      <div className="flex flex-col gap-4">
        <Tab key={id} person={person} frame={frame} />
      </div>
    </Page>
  )
}

const NotFound = ({ problem, onRetry }: { problem: string | null; onRetry: () => void }) => (
  <div role="alert">
    <EmptyState
      icon={UserX}
      title="This person could not be shown"
      text={problem ?? 'There is nobody of this number.'}
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
  <div role="status" aria-label="Loading the person" className="flex flex-col gap-4 p-5">
    <Skeleton shape="h-8 w-64" />
    <Skeleton shape="h-20 w-full" />
    <Skeleton shape="h-64 w-full" />
  </div>
)
