import { Button } from '@fairlot/ui/button.tsx'
import { ButtonRow } from '@fairlot/ui/button-row.tsx'
import { CopyButton } from '@fairlot/ui/copy-button.tsx'
import { Dialog } from '@fairlot/ui/dialog.tsx'

const linkOf = (invitation: string): string =>
  `${location.origin}${location.pathname}#/join?invitation=${encodeURIComponent(invitation)}`

/** The link of an invitation, shown once. */
export const InvitationDialog = ({ invitation, onClose }: { invitation: string; onClose: () => void }) => (
  <Dialog
    title="The invitation"
    text="Give this link to whoever you invited. It is shown now and never again, is good once, and ends after three days."
    onClose={onClose}
  >
    <code dir="ltr" className="rounded-field bg-page p-3 text-note break-all">
      {linkOf(invitation)}
    </code>
    <ButtonRow>
      <Button tone="outline" onClick={onClose}>
        Done
      </Button>
      <CopyButton
        text={linkOf(invitation)}
        label="Copy"
        doneLabel="Copied"
        failedText="It could not be copied: it is selected, copy it by hand."
      />
    </ButtonRow>
  </Dialog>
)
