import { logPersonOut, resetPersonSecondFactor } from '@fairlot/contract/desk'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import type { PersonDialogProps } from './person-props.ts'

/** Ends every session of somebody. */
export const LogOutDialog = ({ person: { user }, onClose }: PersonDialogProps) => (
  <ReasonDialog
    title={`Log ${user.uid} out everywhere`}
    text="Every session ends at once. The person can log in again, and reads why they were logged out."
    endpoint={logPersonOut}
    inputOf={(reason) => ({ id: user.id, reason })}
    sendLabel="Log out"
    tone="danger"
    done="Logged out everywhere."
    onClose={onClose}
  />
)

/** Ends the second factor of somebody who lost it. */
export const SecondFactorDialog = ({ person: { user }, onClose }: PersonDialogProps) => (
  <ReasonDialog
    title={`Reset the second factor of ${user.uid}`}
    text="Log-ins then ask for the password alone, and every session ends. The person is told by mail, with the reason. Be sure who is asking."
    endpoint={resetPersonSecondFactor}
    inputOf={(reason) => ({ id: user.id, reason })}
    changes={[{ label: 'Second factor', before: 'on', after: 'off' }]}
    sendLabel="Reset it"
    tone="danger"
    done="The second factor is reset."
    onClose={onClose}
  />
)
