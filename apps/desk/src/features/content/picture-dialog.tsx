import type { Editor } from '@tiptap/react'
import { FormDialog } from '@fairlot/ui/dialog.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { useState } from 'react'
import { PictureField } from '../../ui/picture-field.tsx'
import { RichTextPicture } from './rich-text-picture.ts'

/** A picture for the place where the cursor stands. */
export function PictureDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const [src, setSrc] = useState('')
  const [alt, setAlt] = useState('')
  const [refused, setRefused] = useState(0)
  const send = () => {
    if (src === '') return setRefused(refused + 1)
    const attrs = { src, alt: alt.trim() }
    editor.chain().focus().insertContent({ type: RichTextPicture.name, attrs }).run()
    onClose()
  }
  return (
    <FormDialog
      title="Picture"
      refused={refused}
      sendLabel="Insert"
      cancelLabel="Cancel"
      isBusy={false}
      onClose={onClose}
      onSend={send}
    >
      <PictureField
        label="Picture"
        value={src}
        problem={refused > 0 && src === '' ? 'Choose a picture.' : null}
        onChange={setSrc}
      />
      <TextField
        label="In words"
        value={alt}
        maxLength={200}
        hint="For those who cannot see it. Nothing where it only decorates."
        onChange={setAlt}
      />
    </FormDialog>
  )
}
