import type { Editor } from '@tiptap/react'
import { FormDialog } from '@fairlot/ui/dialog.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { useState } from 'react'

/** Where the selected words lead; an empty address takes the link off. */
export function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const [address, setAddress] = useState(String(editor.getAttributes('link')['href'] ?? ''))
  const [refused, setRefused] = useState(0)
  const send = () => {
    const href = address.trim()
    if (href !== '' && !/^https?:$/.test(URL.parse(href)?.protocol ?? '')) return setRefused(refused + 1)
    const link = editor.chain().focus().extendMarkRange('link')
    if (href === '') link.unsetLink().run()
    else link.setLink({ href }).run()
    onClose()
  }
  return (
    <FormDialog
      title="Link"
      refused={refused}
      sendLabel="Set"
      cancelLabel="Cancel"
      isBusy={false}
      onClose={onClose}
      onSend={send}
    >
      <TextField
        label="Address"
        type="url"
        dir="ltr"
        value={address}
        problem={refused > 0 ? 'An address begins with https://' : null}
        hint="Empty takes the link off."
        onChange={setAddress}
      />
    </FormDialog>
  )
}
