import { getMessage, resendMessage, type Message } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { useState } from 'react'
import { moment } from '../../i18n/moments.ts'
import { useMay } from '../../live/session.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { DetailHead, Passage } from '../../ui/split-view.tsx'
import { useNow } from '../../ui/use-now.ts'
import { STATE_NAMES } from './content-words.ts'

/** A message with its words as they went out. */
export function MessageDetail({ id }: { id: string }) {
  const { data, problem } = useDeskQuery(getMessage, { id })
  const now = useNow()
  if (!data) return <p className="text-note text-second">{problem ?? 'Loading…'}</p>
  const { recipient, subject, state, sentAt, nextTryAt, tries, error, createdAt, text, againOf } = data
  return (
    <>
      <DetailHead kind={data.channel === 'sms' ? 'Text message' : 'Mail'} title={subject || data.name} />
      <FactList
        facts={[
          { label: 'To', value: recipient },
          { label: 'State', value: STATE_NAMES[state] },
          { label: 'Written', value: moment(createdAt, now) },
          ...(sentAt === null ? [] : [{ label: 'Sent', value: moment(sentAt, now) }]),
          ...(nextTryAt === null ? [] : [{ label: 'Next try', value: moment(nextTryAt, now) }]),
          { label: 'Tries', value: tries },
          ...(error === null ? [] : [{ label: 'Error', value: error }]),
          ...(againOf === null ? [] : [{ label: 'Sent again', value: 'by an operator' }]),
        ]}
      />
      <Passage title="Its words">
        <p className="mt-1 break-words whitespace-pre-line">{text || 'They were not kept then.'}</p>
        {data.hasSecret && (
          <p className="mt-2 text-second">Codes are masked: nobody at the desk can read one.</p>
        )}
        {state === 'kept' && (
          <p className="mt-2 text-second">Nothing is set up here that could send it (SMTP_URL, SMS_URL).</p>
        )}
      </Passage>
    </>
  )
}

/** Sends it once more. */
export function MessageActs({ message: { id, recipient, hasSecret, state } }: { message: Message }) {
  const [isAsking, setIsAsking] = useState(false)
  const mayResend = useMay('resendMessage')
  if (!mayResend || hasSecret || state === 'waiting') return null
  return (
    <>
      <Button tone="outline" onClick={() => setIsAsking(true)}>
        Send again
      </Button>
      {isAsking && (
        <ReasonDialog
          title="Send again"
          text={`${recipient} gets the same words once more.`}
          endpoint={resendMessage}
          inputOf={(reason) => ({ id, reason })}
          sendLabel="Send again"
          done="It is on its way again."
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}
