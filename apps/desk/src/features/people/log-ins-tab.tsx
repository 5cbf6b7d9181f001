import { listPersonLogIns } from '@fairlot/contract/desk'
import type { InputOf, OutputOf } from '@fairlot/contract'
import { day, moment } from '../../i18n/moments.ts'
import { usePaged } from '../../live/use-paged.ts'
import { DataTable } from '../../ui/data-table.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import type { TabProps } from './person-props.ts'
import { ownActText } from './person-words.ts'

type LogIns = OutputOf<typeof listPersonLogIns>
type Session = LogIns['sessions'][number]
type OwnAct = LogIns['acts'][number]

const sessionColumns = (now: number): readonly Column<Session>[] => [
  { key: 'device', title: 'Browser', cell: ({ device }) => device || 'not named', onPhone: 'title' },
  { key: 'address', title: 'Address', cell: ({ address }) => address },
  {
    key: 'since',
    title: 'Since',
    cell: ({ startedAt }) => moment(startedAt, now),
    align: 'end',
    onPhone: 'hidden',
  },
  {
    key: 'seen',
    title: 'Last used',
    cell: ({ seenAt }) => moment(seenAt, now),
    align: 'end',
    onPhone: 'figure',
  },
]

const actColumns = (now: number): readonly Column<OwnAct>[] => [
  { key: 'what', title: 'What', cell: ({ kind, times }) => ownActText(kind, times), onPhone: 'title' },
  { key: 'device', title: 'Browser', cell: ({ device }) => device || 'not named' },
  { key: 'address', title: 'Address', cell: ({ address }) => address },
  { key: 'at', title: 'When', cell: ({ at }) => moment(at, now), align: 'end', onPhone: 'figure' },
]

/** Who is in now, from where they are known, and what the person did about the account. */
export function LogInsTab({ person }: TabProps) {
  const now = useNow()
  const input: Omit<InputOf<typeof listPersonLogIns>, 'page'> = { id: person.user.id }
  const { table, first } = usePaged(listPersonLogIns, input, { rowsOf: ({ acts }) => acts })
  const known = first?.knownSince ?? []
  return (
    <>
      <Heading>Open sessions</Heading>
      <DataTable
        label="Open sessions"
        columns={sessionColumns(now)}
        rows={first?.sessions}
        problem={table.problem}
        onRetry={table.onRetry}
        keyOf={({ startedAt, address, device }) => `${startedAt} ${address} ${device}`}
        empty={{ title: 'Logged in nowhere' }}
      />
      <p className="text-note text-second">
        {known.length === 0
          ? 'No browser or network is known yet.'
          : `${known.length} known ${known.length === 1 ? 'browser and network' : 'browsers and networks'}, the latest since ${day(known[0] ?? 0, now)}.`}
      </p>
      <Heading>Log-ins and own changes</Heading>
      <DataTable
        {...table}
        label="Log-ins and own changes"
        columns={actColumns(now)}
        keyOf={({ at, kind, address }) => `${at} ${kind} ${address}`}
        empty={{ title: 'Nothing yet' }}
      />
    </>
  )
}

const Heading = ({ children }: { children: string }) => <h2 className="font-bold">{children}</h2>
