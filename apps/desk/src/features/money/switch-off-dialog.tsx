import { switchOffReceiving } from '@fairlot/contract/desk'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'

type SwitchOffDialogProps = {
  kind: 'channel' | 'wire'
  row: { readonly id: number; readonly version: number }
  onClose: () => void
}

/** Stops deposits to an address or account at once. */
export const SwitchOffDialog = ({ kind, row: { id, version }, onClose }: SwitchOffDialogProps) => (
  <ReasonDialog
    title="Switch off"
    text="Nobody is offered it any more, from this moment. To switch it on again a second person is asked."
    endpoint={switchOffReceiving}
    inputOf={(reason) => ({ kind, id, version, reason })}
    sendLabel="Switch off"
    tone="danger"
    done="Switched off."
    onClose={onClose}
  />
)
