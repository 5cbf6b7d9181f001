import {
  getMessage,
  listMessages,
  type Message,
  MESSAGE_STATES,
  messagesFile,
  resendMessage,
} from '@fairlot/contract/desk'
import { Badge, type BadgeTone } from '@fairlot/ui/feedback/badge.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Chip, ChipRow } from '@fairlot/ui/controls/chip.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useCallback, useState } from 'react'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useDeskQuery, usePaged } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { Page, type SectionPageProps } from '../../ui/page.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { DetailHead, TitledBox, SplitView } from '../../ui/split-view.tsx'
import { STATE_NAMES } from './content-labels.tsx'

const TONES: Record<Message['state'], BadgeTone> = {
  waiting: 'brass',
  sent: 'up',
  failed: 'down',
  kept: 'plain',
}

const columnsAt = (now: number): readonly Column<Message>[] => [
  { key: 'recipient', title: 'To', cell: ({ recipient }) => asName(recipient), onPhone: 'title' },
  {
    key: 'state',
    title: 'State',
    cell: ({ state }) => <Badge tone={TONES[state]}>{STATE_NAMES[state]}</Badge>,
    onPhone: 'figure',
  },
  { key: 'subject', title: 'Subject', cell: ({ subject, name }) => subject || name },
  {
    key: 'channel',
    title: 'Channel',
    cell: ({ channel }) => (channel === 'sms' ? 'text message' : 'e-mail'),
    onPhone: 'hidden',
  },
  { key: 'at', title: 'Written', cell: ({ createdAt }) => moment(createdAt, now), align: 'end' },
]

/** Mails and text messages that were sent, wait or failed. */
export function MessagesScreen({ filter }: SectionPageProps) {
  const [search, setSearch] = useState('')
  const [state, setState] = useState<Message['state'] | null>(null)
  const criteria = { state, channel: null, search }
  const { table } = usePaged(listMessages, criteria, { rowsOf: ({ messages }) => messages })
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
              actions: <MessageActions message={open} />,
            }
          : null
      }
    >
      <Page
        title="Content"
        filter={filter}
        search={{ label: 'Find a message', value: search, onSearch: setSearch }}
        file={<CsvButton file={messagesFile} input={criteria} />}
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
          empty={{ title: 'No messages' }}
        />
      </Page>
    </SplitView>
  )
}

export function MessageDetail({ id }: { id: string }) {
  const { data, problem } = useDeskQuery(getMessage, { id })
  const now = useNow()
  if (!data) return <p className="text-note text-second">{problem ?? 'Loading…'}</p>
  const { recipient, subject, state, sentAt, nextTryAt, tries, error, createdAt, text, againOf } = data
  return (
    <>
      <DetailHead kind={data.channel === 'sms' ? 'Text message' : 'E-mail'} title={subject || data.name} />
      <FactList
        facts={[
          { label: 'To', value: asName(recipient) },
          { label: 'State', value: STATE_NAMES[state] },
          { label: 'Written', value: moment(createdAt, now) },
          ...(sentAt === null ? [] : [{ label: 'Sent', value: moment(sentAt, now) }]),
          ...(nextTryAt === null ? [] : [{ label: 'Next attempt', value: moment(nextTryAt, now) }]),
          { label: 'Attempts', value: tries },
          ...(error === null ? [] : [{ label: 'Error', value: error }]),
          ...(againOf === null ? [] : [{ label: 'Resent', value: 'by an operator' }]),
        ]}
      />
      <TitledBox title="Text">
        <p className="mt-1 break-words whitespace-pre-line">{text || 'The text was not stored.'}</p>
        {data.hasSecret && <p className="mt-2 text-second">Codes are masked: no operator can read one.</p>}
        {state === 'kept' && (
          <p className="mt-2 text-second">
            It was not sent, because no mail or SMS gateway is set up (SMTP_URL, SMS_URL).
          </p>
        )}
      </TitledBox>
    </>
  )
}

function MessageActions({ message: { id, recipient, hasSecret, state } }: { message: Message }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const mayResend = useMay('resendMessage')
  if (!mayResend || hasSecret || state === 'waiting') return null
  return (
    <>
      <Button tone="outline" onClick={() => setIsDialogOpen(true)}>
        Send again
      </Button>
      {isDialogOpen && (
        <ReasonDialog
          title="Send again"
          subject={id}
          text={`${asName(recipient)} receives the same text again.`}
          endpoint={resendMessage}
          inputOf={(reason) => ({ id, reason })}
          submitLabel="Send again"
          done="Message sent again."
          onClose={() => setIsDialogOpen(false)}
        />
      )}
    </>
  )
}
