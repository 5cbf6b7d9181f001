import {
  changeOperator,
  type DeskOperator,
  type OperatorRole,
  renewInvitation,
  resetOperator,
} from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { useState } from 'react'
import { moment } from '../../i18n/moments.ts'
import { useSelf } from '../../live/session.ts'
import { DetailHead } from '../../ui/split-view.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { useNow } from '../../ui/use-now.ts'
import { ROLE_NAMES, STATUS_NAMES } from './operator-words.ts'
import { RoleField } from './role-field.tsx'

/** What is known of somebody of the desk. */
export function OperatorDetail({ operator }: { operator: DeskOperator }) {
  const now = useNow()
  const { name, role, status, hasSecondFactor, lastSeenAt, createdAt } = operator
  return (
    <>
      <DetailHead kind={`Operator ${operator.id}`} title={name} />
      <FactList
        facts={[
          { label: 'Role', value: ROLE_NAMES[role] },
          { label: 'State', value: STATUS_NAMES[status] },
          { label: 'Second factor', value: hasSecondFactor ? 'on' : 'not yet' },
          { label: 'Last seen', value: lastSeenAt === null ? 'never' : moment(lastSeenAt, now) },
          { label: 'Invited', value: moment(createdAt, now) },
        ]}
      />
    </>
  )
}

type OperatorActsProps = { operator: DeskOperator; onInvitation: (invitation: string) => void }
type Asking = 'role' | 'switch' | 'invitation' | 'reset'

/** What an administrator may do about somebody of the desk. */
export function OperatorActs({ operator, onInvitation }: OperatorActsProps) {
  const [asking, setAsking] = useState<Asking | null>(null)
  const close = () => setAsking(null)
  const dialog = { operator, onClose: close }
  const isOff = operator.status === 'off'
  const isOneself = useSelf().id === operator.id
  return (
    <>
      {operator.status === 'active' && !isOneself && (
        <Button tone="outline" onClick={() => setAsking('reset')}>
          Reset
        </Button>
      )}
      <Button tone="outline" onClick={() => setAsking('role')}>
        Change role
      </Button>
      {operator.status === 'invited' ? (
        <Button onClick={() => setAsking('invitation')}>New invitation</Button>
      ) : (
        <Button tone={isOff ? 'ink' : 'danger'} onClick={() => setAsking('switch')}>
          {isOff ? 'Switch on' : 'Switch off'}
        </Button>
      )}
      {asking === 'role' && <RoleDialog {...dialog} />}
      {asking === 'switch' && <SwitchDialog {...dialog} />}
      {asking === 'reset' && <ResetDialog {...dialog} onInvitation={onInvitation} />}
      {asking === 'invitation' && (
        <ReasonDialog
          title="New invitation"
          text={`The link that ${operator.name} has ends.`}
          endpoint={renewInvitation}
          inputOf={(reason) => ({ id: operator.id, reason })}
          sendLabel="Make it"
          done="A new invitation is made."
          onDone={({ invitation }) => onInvitation(invitation)}
          onClose={close}
        />
      )}
    </>
  )
}

type DialogProps = { operator: DeskOperator; onClose: () => void }

type ResetDialogProps = DialogProps & { onInvitation: (invitation: string) => void }

/** For a password or second factor that was lost: they come in anew, by an invitation. */
const ResetDialog = ({
  operator: { id, name, hasSecondFactor },
  onInvitation,
  onClose,
}: ResetDialogProps) => (
  <ReasonDialog
    title={`Reset the log-in of ${name}`}
    text="Make sure that it is they who ask. Their sessions end, and they choose a password and a second factor anew by an invitation. Role and acts stay."
    endpoint={resetOperator}
    inputOf={(reason) => ({ id, reason })}
    changes={[
      { label: 'Password', before: 'chosen', after: 'none' },
      { label: 'Second factor', before: hasSecondFactor ? 'on' : 'not yet', after: 'none' },
    ]}
    needsSecond="perhaps"
    sendLabel="Reset"
    tone="danger"
    done="The log-in is reset."
    onDone={({ invitation }) => invitation !== null && onInvitation(invitation)}
    onClose={onClose}
  />
)

function RoleDialog({ operator: { id, name, role }, onClose }: DialogProps) {
  const [next, setNext] = useState<OperatorRole>(role)
  return (
    <ReasonDialog
      title={`Role of ${name}`}
      endpoint={changeOperator}
      inputOf={(reason) => ({ id, role: next, isOn: null, reason })}
      changes={next === role ? [] : [{ label: 'Role', before: ROLE_NAMES[role], after: ROLE_NAMES[next] }]}
      check={() => (next === role ? 'This is the role as it is: choose another.' : null)}
      needsSecond="perhaps"
      sendLabel="Change role"
      done="The role is changed."
      onClose={onClose}
    >
      <RoleField value={next} onChange={setNext} />
    </ReasonDialog>
  )
}

function SwitchDialog({ operator: { id, name, status }, onClose }: DialogProps) {
  const isOff = status === 'off'
  return (
    <ReasonDialog
      title={isOff ? `Switch ${name} on again` : `Switch ${name} off`}
      text={isOff ? undefined : 'Their sessions end, and they cannot log in. What they did stays.'}
      endpoint={changeOperator}
      inputOf={(reason) => ({ id, role: null, isOn: isOff, reason })}
      changes={[{ label: 'State', before: STATUS_NAMES[status], after: isOff ? 'active' : STATUS_NAMES.off }]}
      needsSecond="perhaps"
      sendLabel={isOff ? 'Switch on' : 'Switch off'}
      tone={isOff ? 'ink' : 'danger'}
      done={isOff ? 'Switched on.' : 'Switched off.'}
      onClose={onClose}
    />
  )
}
