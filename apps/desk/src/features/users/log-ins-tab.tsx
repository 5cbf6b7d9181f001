import type { InputOf, OutputOf } from '@fairlot/contract'
import { listUserLogIns } from '@fairlot/contract/desk'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { day, moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { usePaged } from '../../live/queries.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { securityEventText } from './user-labels.ts'
import type { TabProps } from './user-props.ts'

type LogIns = OutputOf<typeof listUserLogIns>
type Session = LogIns['sessions'][number]
type SecurityEvent = LogIns['acts'][number]

const sessionColumns = (now: number): readonly Column<Session>[] => [
  { key: 'device', title: 'Browser', cell: ({ device }) => asName(device) || 'unknown', onPhone: 'title' },
  { key: 'address', title: 'Address', cell: ({ address }) => asName(address) },
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

const eventColumns = (now: number): readonly Column<SecurityEvent>[] => [
  {
    key: 'what',
    title: 'Event',
    cell: ({ kind, times }) => securityEventText(kind, times),
    onPhone: 'title',
  },
  { key: 'device', title: 'Browser', cell: ({ device }) => asName(device) || 'unknown' },
  { key: 'address', title: 'Address', cell: ({ address }) => asName(address) },
  { key: 'at', title: 'When', cell: ({ at }) => moment(at, now), align: 'end', onPhone: 'figure' },
]

/** Open sessions, known devices, and the user's own log-ins and security changes. */
export function LogInsTab({ profile }: TabProps) {
  const now = useNow()
  const input: Omit<InputOf<typeof listUserLogIns>, 'page'> = { id: profile.user.id }
  const { table, first } = usePaged(listUserLogIns, input, { rowsOf: ({ acts }) => acts })
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
        empty={{ title: 'No open sessions' }}
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
        columns={eventColumns(now)}
        keyOf={({ at, kind, address }) => `${at} ${kind} ${address}`}
        empty={{ title: 'Nothing yet' }}
      />
    </>
  )
}

const Heading = ({ children }: { children: string }) => <h2 className="font-bold">{children}</h2>
