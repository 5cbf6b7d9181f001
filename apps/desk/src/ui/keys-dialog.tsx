import { ButtonRow } from '@fairlot/ui/controls/button-row.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { CopyButton } from '@fairlot/ui/controls/copy-button.tsx'
import { Dialog } from '@fairlot/ui/overlays/dialog.tsx'

const linkOf = (invitation: string): string =>
  `${location.origin}${location.pathname}#/join?invitation=${encodeURIComponent(invitation)}`

/** The keys that this operator passes on to the new colleague; null for a key that another operator passes on. */
export type ShownKeys = { readonly invitation: string | null; readonly confirmation: string | null }

const TITLES = {
  invitation: 'The invitation',
  confirmation: 'The confirmation key',
  both: 'The two keys',
}

const TEXTS = {
  invitation:
    'Give this link to the colleague you invited. It works once a second operator has approved the invitation; that operator receives the confirmation key and passes it on.',
  confirmation:
    'Give this key to the new colleague after you have met or called them yourself. It works only together with the link from the operator who sent the invitation.',
  both: 'You are the only operator who can approve this, so you receive both keys. With a second such operator, each of you receives one.',
}

/** Keys for a log-in, shown once. */
export function KeysDialog({ keys, onClose }: { keys: ShownKeys; onClose: () => void }) {
  const { invitation, confirmation } = keys
  const which = invitation === null ? 'confirmation' : confirmation === null ? 'invitation' : 'both'
  return (
    <Dialog
      title={TITLES[which]}
      text={`${TEXTS[which]} It is shown only once, works once and expires after three days.`}
      onClose={onClose}
      footer={
        <ButtonRow>
          <Button onClick={onClose}>Done</Button>
        </ButtonRow>
      }
    >
      {invitation !== null && <Key label="Link" text={linkOf(invitation)} />}
      {confirmation !== null && <Key label="Confirmation key" text={confirmation} />}
    </Dialog>
  )
}

const Key = ({ label, text }: { label: string; text: string }) => (
  <div className="flex flex-col gap-2">
    <span className="text-note text-second">{label}</span>
    <code dir="ltr" translate="no" className="rounded-field bg-page p-3 text-note break-all">
      {text}
    </code>
    <CopyButton
      text={text}
      label={`Copy the ${label.toLowerCase()}`}
      doneLabel="Copied"
      failedText="Could not copy. The text is selected: copy it by hand."
    />
  </div>
)
