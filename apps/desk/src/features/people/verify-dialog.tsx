import { verifyPerson } from '@fairlot/contract/desk'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import type { PersonDialogProps } from './person-props.ts'

/** Says that the identity of somebody was seen, or takes that back. */
export function VerifyDialog({ person: { user }, onClose }: PersonDialogProps) {
  const isVerified = user.identityCheck === 'verified'
  return (
    <ReasonDialog
      title={isVerified ? `Take back that ${user.uid} is verified` : `Say that ${user.uid} is verified`}
      text={
        isVerified
          ? 'Withdrawals are closed to this person until somebody has seen their identity again. The person reads the reason.'
          : 'You have seen the papers, and they are of this person. Withdrawals are open from then on. The person reads your role, the time and the reason.'
      }
      endpoint={verifyPerson}
      inputOf={(reason) => ({
        ...{ accountId: user.id, outcome: isVerified ? 'unverified' : 'verified', reason },
      })}
      changes={[
        {
          label: 'Identity',
          before: isVerified ? 'verified' : 'not verified',
          after: isVerified ? 'not verified' : 'verified',
        },
      ]}
      sendLabel={isVerified ? 'Take it back' : 'Verified'}
      tone={isVerified ? 'danger' : 'ink'}
      done={isVerified ? 'No longer verified.' : 'Verified.'}
      topics={['waiting']}
      onClose={onClose}
    />
  )
}
