import { approveIdentity, getIdentity, type WaitingDetail } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { useHotkey } from '@fairlot/ui/use-hotkey.ts'
import { useState } from 'react'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { RefuseIdentityDialog } from './identity-dialogs.tsx'

type IdentityActsProps = { open: WaitingDetail; onDone: () => void }

/** What somebody has sent shows who they are, or some of it does not; by `a` and `r`. */
export function IdentityActs({ open, onDone }: IdentityActsProps) {
  const accountId = open.case.accountId ?? 0
  const { data: detail } = useDeskQuery(getIdentity, { accountId }, { topics: ['waiting'] })
  const [asking, setAsking] = useState<'approve' | 'refuse' | null>(null)
  useHotkey(detail ? 'a' : null, () => setAsking('approve'))
  useHotkey(detail ? 'r' : null, () => setAsking('refuse'))
  if (!detail) return null
  const frame = { accountId, sentAt: detail.sentAt, onDone, onClose: () => setAsking(null) }
  return (
    <>
      <Button tone="outline" aria-keyshortcuts="r" onClick={() => setAsking('refuse')}>
        Reject…
      </Button>
      <Button aria-keyshortcuts="a" onClick={() => setAsking('approve')}>
        Verified…
      </Button>
      {asking === 'approve' && <ApproveIdentityDialog {...frame} />}
      {asking === 'refuse' && <RefuseIdentityDialog {...frame} />}
    </>
  )
}

type DialogProps = { accountId: number; sentAt: number; onDone: () => void; onClose: () => void }

const ApproveIdentityDialog = ({ accountId, sentAt, onDone, onClose }: DialogProps) => (
  <ReasonDialog
    title={`Account ${accountId} is verified`}
    text="Name and number stand on the document, which is valid and theirs. The person is told at once."
    endpoint={approveIdentity}
    inputOf={(reason) => ({ accountId, sentAt, reason })}
    changes={[{ label: 'Identity', before: 'waiting', after: 'verified' }]}
    sendLabel="Verified"
    done="Verified."
    topics={['waiting']}
    onDone={onDone}
    onClose={onClose}
  />
)
