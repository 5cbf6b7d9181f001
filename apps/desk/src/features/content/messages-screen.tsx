import { listMessages, MESSAGE_STATES, type Message, messagesFile } from '@fairlot/contract/desk'
import { Badge, type BadgeTone } from '@fairlot/ui/badge.tsx'
import { Chip, ChipRow } from '@fairlot/ui/chip.tsx'
import { useCallback, useState } from 'react'
import { moment } from '../../i18n/moments.ts'
import { usePaged } from '../../live/use-paged.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Page, type PageFilter } from '../../ui/page.tsx'
import { SplitView } from '../../ui/split-view.tsx'
import type { Column } from '../../ui/table-column.ts'
import { useNow } from '../../ui/use-now.ts'
import { STATE_NAMES } from './content-words.ts'
import { MessageActs, MessageDetail } from './message-detail.tsx'

const TONES: Record<Message['state'], BadgeTone> = {
  waiting: 'brass',
  sent: 'up',
  failed: 'down',
  kept: 'plain',
}

const columnsAt = (now: number): readonly Column<Message>[] => [
  { key: 'recipient', title: 'To', cell: ({ recipient }) => recipient, onPhone: 'title' },
  {
    key: 'state',
    title: 'State',
    cell: ({ state }) => <Badge tone={TONES[state]}>{STATE_NAMES[state]}</Badge>,
    onPhone: 'figure',
  },
  { key: 'subject', title: 'Subject', cell: ({ subject, name }) => subject || name },
  {
    key: 'channel',
    title: 'By',
    cell: ({ channel }) => (channel === 'sms' ? 'text message' : 'mail'),
    onPhone: 'hidden',
  },
  { key: 'at', title: 'Written', cell: ({ createdAt }) => moment(createdAt, now), align: 'end' },
]

/** Mails and text messages: what was sent, what waits, what failed. */
export function MessagesScreen({ filter }: { filter: PageFilter<string> }) {
  const [search, setSearch] = useState('')
  const [state, setState] = useState<Message['state'] | null>(null)
  const asked = { state, channel: null, search }
  const { table } = usePaged(listMessages, asked, { rowsOf: ({ messages }) => messages })
  const [openId, setOpenId] = useState<string | null>(null)
  const now = useNow()
  const open = table.rows?.find(({ id }) => id === openId)
  return (
    <SplitView
      onClose={useCallback(() => setOpenId(null), [])}
      detail={
        open
          ? {
              name: open.subject || open.recipient,
              body: <MessageDetail key={open.id} id={open.id} />,
              acts: <MessageActs message={open} />,
            }
          : null
      }
    >
      <Page
        title="Content"
        filter={filter}
        search={{ label: 'Find a message', value: search, onSearch: setSearch }}
        file={<CsvButton file={messagesFile} input={asked} />}
      >
        <ChipRow label="State">
          {[null, ...MESSAGE_STATES].map((each) => (
            <Chip key={each} isSelected={each === state} onSelect={() => setState(each)}>
              {each === null ? 'All' : STATE_NAMES[each]}
            </Chip>
          ))}
        </ChipRow>
        <DataTable
          search={{ value: search, onSearch: setSearch }}
          {...table}
          label="Messages"
          columns={columnsAt(now)}
          keyOf={({ id }) => id}
          selected={openId}
          onOpen={({ id }) => setOpenId(id)}
          empty={{ title: 'No message is here' }}
        />
      </Page>
    </SplitView>
  )
}
